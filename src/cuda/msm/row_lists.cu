#include "cuda/msm/row_lists.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "cuda/msm/row_lists_kernels.cuh"
#include "cuda/msm/sort.h"

namespace cuzk::cuda {

void fill_identity(uint32_t* d_out, std::size_t n, cudaStream_t stream) {
  identity_kernel<<<kGridBlocks, 256, 0, stream>>>(d_out, n);
  CUZK_CUDA_LAUNCHED();
}

ListBuilder::ListBuilder(Arena& arena, const ListCapacity& capacity, uint32_t* d_lines)
    : capacity_(capacity), d_lines_(d_lines), sort_bytes_(sort_scratch_bytes(capacity.tasks)) {
  const auto words = [&](std::size_t n) { return arena.alloc<uint32_t>(n); };
  for (uint32_t** array : {&start_, &length_, &dest_, &stride_, &sorted_length_, &order_, &identity_}) {
    *array = words(capacity.tasks);
  }
  row_dest_ = words(capacity.tasks + 32);
  for (uint32_t** array : {&longer_than_, &rows_in_round_, &first_line_})
    *array = words(capacity.max_length + 4);
  for (int i = 0; i < 2; ++i) {
    for (uint32_t** array : {&rest_start_[i], &rest_length_[i], &rest_dest_[i]})
      *array = words(capacity.long_segments);
  }
  for (uint32_t** array : {&long_source_, &long_tasks_}) *array = words(capacity.long_segments);
  d_counters_ = arena.alloc<Counters>(1);
  d_sort_ = arena.alloc<uint8_t>(sort_bytes_);
}

RowLists ListBuilder::arrange(std::size_t num_tasks, uint32_t longest, const uint32_t* d_values, bool strided,
                              cudaStream_t stream) {
  CUZK_CHECK(num_tasks <= capacity_.tasks && longest <= capacity_.max_length,
             "the lists exceed the work space");
  const uint32_t num_rows = static_cast<uint32_t>((num_tasks + 31) / 32), rounds = longest + 4;
  fill_identity(identity_, num_tasks, stream);
  sort_descending(d_sort_, sort_bytes_, {length_, sorted_length_, identity_, order_}, num_tasks, 0,
                  static_cast<unsigned>(std::bit_width(longest)), stream);
  CUZK_CUDA_TRY(cudaMemsetAsync(longer_than_, 0, rounds * sizeof(uint32_t), stream));
  count_lengths_kernel<<<kGridBlocks, 256, 0, stream>>>(sorted_length_, num_tasks, longer_than_);
  CUZK_CUDA_LAUNCHED();
  round_offsets_kernel<<<1, 1024, 0, stream>>>(longer_than_, num_rows, rounds, rows_in_round_, first_line_);
  CUZK_CUDA_LAUNCHED();
  const TransposeArgs args{d_values, start_,    length_,  dest_,       strided ? stride_ : nullptr,
                           order_,   num_tasks, num_rows, first_line_, d_lines_,
                           row_dest_};
  transpose_kernel<<<kGridBlocks * 3 / 2, 128, 0, stream>>>(args);
  CUZK_CUDA_LAUNCHED();
  return {d_lines_, rows_in_round_, first_line_, row_dest_, num_rows};
}

RowLists ListBuilder::build_strided(std::size_t num_tasks, uint32_t longest, cudaStream_t stream) {
  return arrange(num_tasks, longest, nullptr, true, stream);
}

ListBuilder::Split ListBuilder::build(const Segments& segments, const uint32_t* d_values, uint32_t max_length,
                                      uint32_t first_slot, cudaStream_t stream) {
  const unsigned turn = rest_turn_;
  rest_turn_ ^= 1;
  CUZK_CUDA_TRY(cudaMemsetAsync(d_counters_, 0, sizeof(Counters), stream));
  const SplitArgs args{segments.start,
                       segments.length,
                       segments.dest,
                       segments.count,
                       max_length,
                       first_slot,
                       &d_counters_->slots,
                       &d_counters_->extra_tasks,
                       &d_counters_->long_segments,
                       start_,
                       length_,
                       dest_,
                       rest_start_[turn],
                       rest_length_[turn],
                       rest_dest_[turn],
                       long_source_,
                       long_tasks_};
  split_kernel<<<kGridBlocks, 256, 0, stream>>>(args);
  CUZK_CUDA_LAUNCHED();
  Counters counters;
  CUZK_CUDA_TRY(cudaMemcpyAsync(&counters, d_counters_, sizeof counters, cudaMemcpyDeviceToHost, stream));
  CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
  if (counters.long_segments != 0) {
    const uint32_t per_segment = counters.slots / counters.long_segments;
    const dim3 grid(std::min(counters.long_segments, 4096u), std::clamp(per_segment / 256, 1u, 256u));
    parts_kernel<<<grid, 256, 0, stream>>>(args, counters.long_segments);
    CUZK_CUDA_LAUNCHED();
  }
  const std::size_t num_tasks = std::size_t{segments.count} + counters.extra_tasks;
  return {arrange(num_tasks, max_length, d_values, false, stream),
          {rest_start_[turn], rest_length_[turn], rest_dest_[turn], counters.long_segments},
          counters.slots};
}

}  // namespace cuzk::cuda
