#include "cuda/query_points.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/thread_pool.h"

namespace cuzk::cuda {
namespace {

constexpr std::size_t kWordsPerChunk = std::size_t{1} << 14;

template <class T>
const T* upload(Arena& arena, std::span<const T> host, cudaStream_t stream) {
  T* d_copy = arena.alloc<T>(host.size());
  if (!host.empty()) {
    CUZK_CUDA_TRY(cudaMemcpyAsync(d_copy, host.data(), host.size_bytes(), cudaMemcpyHostToDevice, stream));
  }
  return d_copy;
}

// Bits of a vector in words before each word.
std::vector<std::uint32_t> ranks(std::span<const std::uint64_t> words) {
  std::vector<std::uint32_t> rank(words.size());
  std::vector<std::uint32_t> of_chunk((words.size() + kWordsPerChunk - 1) / kWordsPerChunk);
  const auto for_each_chunk = [&](const auto& body) {
    parallel_for(of_chunk.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t chunk = begin; chunk < end; ++chunk)
        body(chunk, chunk * kWordsPerChunk, std::min(words.size(), (chunk + 1) * kWordsPerChunk));
    });
  };
  for_each_chunk([&](std::size_t chunk, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      of_chunk[chunk] += static_cast<std::uint32_t>(std::popcount(words[i]));
  });
  std::exclusive_scan(of_chunk.begin(), of_chunk.end(), of_chunk.begin(), std::uint32_t{0});
  for_each_chunk([&](std::size_t chunk, std::size_t first, std::size_t last) {
    std::uint32_t bits = of_chunk[chunk];
    for (std::size_t i = first; i < last; ++i) {
      rank[i] = bits;
      bits += static_cast<std::uint32_t>(std::popcount(words[i]));
    }
  });
  return rank;
}

// One repetition of a block: its full variables, by aux index and by ordinal.
struct Repetition {
  const R1csBlock* block;
  std::uint32_t k;

  std::uint32_t variable(std::uint32_t i) const { return block->full_aux[i] + k * block->num_aux; }
  std::uint32_t ordinal(std::uint32_t i) const { return block->first_full + k * block->num_full + i; }
};

std::vector<Repetition> repetitions(const R1cs& r1cs) {
  std::vector<Repetition> out;
  for (const R1csBlock& block : r1cs.blocks()) {
    for (std::uint32_t k = 0; k < block.count; ++k) out.push_back({&block, k});
  }
  return out;
}

}  // namespace

PointTable::PointTable(const R1cs& r1cs, const BitVector& inputs, const BitVector* aux) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    index.push_back(static_cast<std::uint32_t>(i));
    points.push_back(static_cast<std::uint32_t>(points.size()));
  }
  num_inputs = static_cast<std::uint32_t>(points.size());
  if (aux != nullptr) rank = ranks(aux->words());

  const std::vector<Repetition> all = repetitions(r1cs);
  std::vector<std::size_t> first(all.size() + 1);  // of a repetition's entries; before the scan, their number
  const auto for_each_repetition = [&](const auto& body) {
    parallel_for(all.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = begin; r < end; ++r) body(all[r], first[r]);
    });
  };
  for_each_repetition([&](const Repetition& repetition, std::size_t& count) {
    for (std::uint32_t i = 0; i < repetition.block->num_full; ++i)
      count += aux == nullptr || (*aux)[repetition.variable(i)] ? 1 : 0;
  });
  std::exclusive_scan(first.begin(), first.end(), first.begin(), index.size());
  index.resize(first.back());
  points.resize(first.back());
  for_each_repetition([&](const Repetition& repetition, std::size_t at) {
    for (std::uint32_t i = 0; i < repetition.block->num_full; ++i) {
      const std::uint32_t variable = repetition.variable(i);
      std::uint32_t point = variable;
      if (aux != nullptr) {
        if (!(*aux)[variable]) continue;
        const std::uint64_t below = (std::uint64_t{1} << (variable % 64)) - 1;
        point = rank[variable / 64] +
                static_cast<std::uint32_t>(std::popcount(aux->words()[variable / 64] & below));
      }
      index[at] = static_cast<std::uint32_t>(r1cs.num_inputs()) + repetition.ordinal(i);
      points[at++] = num_inputs + point;
    }
  });
}

QueryPoints::QueryPoints(Arena& arena, const R1cs& r1cs, const BitVector& inputs, const BitVector* aux,
                         cudaStream_t stream) {
  const PointTable table(r1cs, inputs, aux);
  if (aux != nullptr) {
    mask_.d_words = upload(arena, aux->words(), stream);
    mask_.d_rank = upload<std::uint32_t>(arena, table.rank, stream);
  }
  mask_.first_point = table.num_inputs;
  d_index_ = upload<std::uint32_t>(arena, table.index, stream);
  d_points_ = upload<std::uint32_t>(arena, table.points, stream);
  num_values_ = table.index.size();
  CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
}

}  // namespace cuzk::cuda
