#include "cuda/query_points.h"

#include <bit>

namespace cuzk::cuda {
namespace {

template <class T>
const T* upload(Arena& arena, std::span<const T> host, cudaStream_t stream) {
  T* d_copy = arena.alloc<T>(host.size());
  if (!host.empty()) {
    CUZK_CUDA_TRY(cudaMemcpyAsync(d_copy, host.data(), host.size_bytes(), cudaMemcpyHostToDevice, stream));
  }
  return d_copy;
}

}  // namespace

QueryPoints::QueryPoints(Arena& arena, const R1cs& r1cs, const BitVector& inputs, const BitVector* aux,
                         cudaStream_t stream) {
  std::vector<std::uint32_t> index, points;
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    index.push_back(static_cast<std::uint32_t>(i));
    points.push_back(next++);
  }
  std::vector<std::uint32_t> rank;  // bits of `aux` in earlier words
  if (aux != nullptr) {
    std::uint32_t bits = 0;
    for (const std::uint64_t word : aux->words()) {
      rank.push_back(bits);
      bits += static_cast<std::uint32_t>(std::popcount(word));
    }
  }
  for (const R1csBlock& block : r1cs.blocks()) {
    for (std::uint32_t k = 0; k < block.count; ++k) {
      for (std::uint32_t i = 0; i < block.num_full; ++i) {
        const std::uint32_t variable = block.full_aux[i] + k * block.num_aux;
        std::uint32_t point = variable;
        if (aux != nullptr) {
          if (!(*aux)[variable]) continue;
          const std::uint64_t below = (std::uint64_t{1} << (variable % 64)) - 1;
          point = rank[variable / 64] +
                  static_cast<std::uint32_t>(std::popcount(aux->words()[variable / 64] & below));
        }
        index.push_back(static_cast<std::uint32_t>(r1cs.num_inputs()) + block.first_full +
                        k * block.num_full + i);
        points.push_back(next + point);
      }
    }
  }
  if (aux != nullptr) {
    mask_.d_words = upload(arena, aux->words(), stream);
    mask_.d_rank = upload<std::uint32_t>(arena, rank, stream);
  }
  mask_.first_point = next;
  d_index_ = upload<std::uint32_t>(arena, index, stream);
  d_points_ = upload<std::uint32_t>(arena, points, stream);
  num_values_ = index.size();
  CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
}

}  // namespace cuzk::cuda
