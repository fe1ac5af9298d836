#include "cuda/msm/device_msm.h"

#include <algorithm>

#include "base/check.h"
#include "cuda/msm/bucket_kernels.cuh"
#include "cuda/msm/sort.h"
#include "msm/digits.h"

namespace cuzk::cuda {
namespace {

// The field of the kernels, and what was best on an H200 for the sums of a 32 GiB PoRep partition: a bucket costs as much as
// kBucketCost entries, and the list of the ones is cut into about kPieces.
template <class Affine>
struct DeviceGroup;
template <>
struct DeviceGroup<G1Affine> {
  using Field = DeviceFp;
  static constexpr std::size_t kBucketCost = 2, kPieces = std::size_t{1} << 22;
};
template <>
struct DeviceGroup<G2Affine> {
  using Field = LaneFp2;
  static constexpr std::size_t kBucketCost = 3, kPieces = std::size_t{1} << 18;
};

constexpr uint32_t kLongestPiece = 64;

int current_num_sms() {
  int device = 0, count = 0;
  CUZK_CUDA_TRY(cudaGetDevice(&device));
  CUZK_CUDA_TRY(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

// Partial sums of long lists, over all levels of splitting: each level has at most 2 / max_length of the last one's.
std::size_t num_slots(const MsmShape& shape) {
  return shape.max_entries() / shape.max_length * 2 + shape.max_entries() / shape.max_length / 4 + 4096;
}

ListCapacity list_capacity(const MsmShape& shape) {
  const std::size_t entries = shape.max_entries(), lists = shape.max_buckets() + 1;
  return {std::max(lists + entries / shape.max_length, shape.part_tasks()) + 64, std::max(entries, 2 * lists),
          entries / shape.max_length + 64,
          std::max({shape.max_length, shape.reduction_side(), kLongestPiece})};
}

std::size_t line_capacity(const MsmShape& shape) {
  return std::max(shape.stride() * shape.group, list_capacity(shape).line_words());
}

}  // namespace

template <class Affine>
DeviceMsm<Affine>::DeviceMsm(Arena& arena, const MsmShape& shape)
    : shape_(shape),
      cut_(shape),
      d_entries_(arena.alloc<uint32_t>((shape.num_ones + 3) / 4 * 4 + shape.stride() * shape.group)),
      d_keys_(arena.alloc<uint32_t>(line_capacity(shape))),
      d_sorted_(arena.alloc<uint32_t>(shape.stride())),
      d_identity_(arena.alloc<uint32_t>(shape.stride())),
      d_start_(arena.alloc<uint32_t>(shape.max_buckets() + 1)),
      d_length_(arena.alloc<uint32_t>(shape.max_buckets() + 1)),
      sort_bytes_(sort_scratch_bytes(std::max<std::size_t>(1, shape.num_scalars))),
      d_sort_(arena.alloc<uint8_t>(sort_bytes_)),
      lists_(arena, list_capacity(shape), d_keys_),  // the keys are no longer needed when the lists are made
      d_records_(arena.alloc<uint8_t>(
          std::is_same_v<Affine, G1Affine> ? (list_capacity(shape).tasks / 32 + 1) * kRecordPieces * 16 : 0)),
      d_sums_(arena.alloc<Affine>(shape.max_buckets() + 1 + num_slots(shape))),
      d_parts_(arena.alloc<Affine>((std::size_t{2} * shape.group * shape.reduction_side())
                                   << BucketMatrix::kMaxLogParts)),
      d_positions_(arena.alloc<XyzzPoint<Field>>(std::size_t{2} * shape.group * shape.reduction_side())),
      d_window_sums_(arena.alloc<XyzzPoint<Field>>(std::size_t{2} * kMaxWindows)),
      num_sms_(current_num_sms()) {
  CUZK_CHECK(shape.num_scalars < kMaxPoints && shape.num_ones < kMaxPoints, "an MSM has at most 2^30 points");
}

template <class Affine>
void DeviceMsm<Affine>::sum(const Affine* d_points, const RowLists& lists, Affine* d_out,
                            cudaStream_t stream) {
  sum_lists(is_forced_ ? forced_ : choose_list_method(lists.num_rows, num_sms_), d_points, lists, d_records_,
            d_out, stream);
}

// Sorted lists of the buckets of a group of windows: d_entries_ from num_ones on, d_start_, d_length_.
template <class Affine>
void DeviceMsm<Affine>::make_buckets(const DeviceScalars& scalars, const Group& group, cudaStream_t stream) {
  const Windows& windows = cut_.windows;
  const std::size_t num_buckets = cut_.num_buckets(group.first, group.count), n = scalars.count;
  CUZK_CUDA_TRY(cudaMemsetAsync(d_start_, 0, (num_buckets + 1) * sizeof(uint32_t), stream));
  CUZK_CUDA_TRY(cudaMemsetAsync(d_length_, 0, (num_buckets + 1) * sizeof(uint32_t), stream));
  if (n == 0) return;
  const FrRepr halves = half_windows(windows);
  DigitArgs digits{reinterpret_cast<const DeviceFr*>(scalars.values),
                   scalars.index,
                   n,
                   windows,
                   group.first,
                   group.count,
                   {},
                   d_keys_,
                   cut_.stride()};
  std::memcpy(&digits.halves, &halves, sizeof halves);
  digits_kernel<<<kGridBlocks, 256, 0, stream>>>(digits);
  CUZK_CUDA_LAUNCHED();
  const uint32_t* d_points_of = scalars.points;
  if (d_points_of == nullptr) {
    fill_identity(d_identity_, n, stream);
    d_points_of = d_identity_;
  }
  const std::size_t first_entry = (shape_.num_ones + 3) / 4 * 4;
  for (unsigned w = 0; w < group.count; ++w) {
    const unsigned window = group.first + w;
    uint32_t* d_values = d_entries_ + first_entry + w * cut_.stride();
    sort_ascending(d_sort_, sort_bytes_, {d_keys_ + w * cut_.stride(), d_sorted_, d_points_of, d_values}, n,
                   1, windows.width(window) + 1, stream);
    const std::size_t first_bucket = windows.bucket_offset(window) - windows.bucket_offset(group.first);
    const BoundsArgs bounds{d_sorted_,
                            d_values,
                            n,
                            static_cast<uint32_t>(first_entry + w * cut_.stride()),
                            static_cast<uint32_t>(windows.num_buckets(window)),
                            d_start_ + first_bucket,
                            d_length_ + first_bucket};
    bounds_kernel<<<kGridBlocks * 2, 256, 0, stream>>>(bounds);
    CUZK_CUDA_LAUNCHED();
  }
  lengths_kernel<<<kGridBlocks, 256, 0, stream>>>(d_start_, d_length_, num_buckets);
  CUZK_CUDA_LAUNCHED();
}

// d_sums_[bucket] = the sum of its list, and after the buckets that of the ones.
template <class Affine>
void DeviceMsm<Affine>::sum_buckets(const Affine* d_points, const Group& group, std::size_t num_ones,
                                    cudaStream_t stream) {
  const auto num_buckets = static_cast<uint32_t>(cut_.num_buckets(group.first, group.count));
  const uint32_t ones_list[2] = {0, static_cast<uint32_t>(num_ones)};
  CUZK_CUDA_TRY(cudaMemcpyAsync(d_start_ + num_buckets, &ones_list[0], 4, cudaMemcpyHostToDevice, stream));
  CUZK_CUDA_TRY(cudaMemcpyAsync(d_length_ + num_buckets, &ones_list[1], 4, cudaMemcpyHostToDevice, stream));
  const std::size_t capacity = shape_.max_buckets() + 1 + num_slots(shape_);
  uint32_t next_slot = num_buckets + 1;
  ListBuilder::Split split = lists_.build({d_start_, d_length_, nullptr, num_buckets + 1}, d_entries_,
                                          cut_.max_length, next_slot, stream);
  events_[2].record(stream);
  sum(d_points, split.lists, d_sums_, stream);
  while (split.rest.count != 0) {  // the sums of the parts of long lists, by the same means
    next_slot += split.num_slots;
    CUZK_CHECK(next_slot <= capacity, "more partial sums than planned");
    split = lists_.build(split.rest, nullptr, cut_.max_length, next_slot, stream);
    sum(d_sums_, split.lists, d_sums_, stream);
  }
}

template <class Affine>
void DeviceMsm<Affine>::reduce_buckets(const Group& group, cudaStream_t stream) {
  using F = typename DeviceGroup<Affine>::Field;
  const ReductionLayout layout{cut_.reduction_side()};
  WindowMatrices matrices{};
  std::size_t num_tasks = 0;
  uint32_t longest = 1;
  for (unsigned w = 0; w < group.count; ++w) {
    const unsigned window = group.first + w;
    const BucketMatrix matrix = BucketMatrix::of(cut_.windows.width(window) - 1);
    matrices.matrix[w] = matrix;
    const ListBuilder::Tasks tasks = lists_.tasks();
    const PartTaskArgs args{
        matrix,
        static_cast<uint32_t>(cut_.windows.bucket_offset(window) - cut_.windows.bucket_offset(group.first)),
        static_cast<uint32_t>(layout.first_position(w, 0)),
        static_cast<uint32_t>(layout.first_position(w, 1)),
        tasks.start + num_tasks,
        tasks.length + num_tasks,
        tasks.dest + num_tasks,
        tasks.stride + num_tasks};
    part_tasks_kernel<<<264, 256, 0, stream>>>(args);
    CUZK_CUDA_LAUNCHED();
    num_tasks += matrix.num_tasks();
    longest = std::max(longest, 1u << (matrix.log_rows - matrix.log_parts));
  }
  sum(d_sums_, lists_.build_strided(num_tasks, longest, stream), d_parts_, stream);
  auto* d_positions = reinterpret_cast<XyzzInMemory<F>*>(d_positions_);
  const dim3 fold_blocks((layout.side + kFoldThreads - 1) / kFoldThreads, 2 * group.count);
  fold_parts_kernel<F><<<fold_blocks, kFoldThreads * kLanes<F>, 0, stream>>>(
      reinterpret_cast<const AffineInMemory<F>*>(d_parts_), matrices, layout, d_positions);
  CUZK_CUDA_LAUNCHED();
  weighted_sum_kernel<F>
      <<<2 * group.count, kWeightedSumThreads, kWeightedSumRuns<F> * sizeof(XyzzInMemory<F>), stream>>>(
          d_positions, matrices, layout, reinterpret_cast<XyzzInMemory<F>*>(d_window_sums_));
  CUZK_CUDA_LAUNCHED();
}

template <class Affine>
std::vector<XyzzPoint<typename Affine::Field>> DeviceMsm<Affine>::window_sums(const Group& group,
                                                                              cudaStream_t stream) {
  std::vector<XyzzPoint<Field>> parts(std::size_t{2} * group.count);
  CUZK_CUDA_TRY(cudaMemcpyAsync(parts.data(), d_window_sums_, parts.size() * sizeof parts[0],
                                cudaMemcpyDeviceToHost, stream));
  CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
  std::vector<XyzzPoint<Field>> sums(group.count);
  for (unsigned w = 0; w < group.count; ++w) {
    sums[w] = parts[std::size_t{2} * w];
    const unsigned log_columns = BucketMatrix::of(cut_.windows.width(group.first + w) - 1).log_columns;
    for (unsigned i = 0; i < log_columns; ++i) sums[w] = sums[w].doubled();
    sums[w].add(parts[std::size_t{2} * w + 1]);
  }
  return sums;
}

template <class Affine>
ProjectivePoint<typename Affine::Field> DeviceMsm<Affine>::run(const Affine* d_points,
                                                               const DeviceScalars& scalars,
                                                               std::size_t num_ones, cudaStream_t stream) {
  CUZK_CHECK(scalars.count <= shape_.num_scalars && num_ones <= shape_.num_ones,
             "the MSM is larger than its work space");
  timings_ = {};
  const std::size_t piece = num_ones / DeviceGroup<Affine>::kPieces;
  cut_ = shape_.fitted(scalars.count, DeviceGroup<Affine>::kBucketCost,
                       static_cast<uint32_t>(std::min<std::size_t>(piece, kLongestPiece)));
  if (scalars.count == 0 && num_ones == 0) return {};
  Affine ones_sum = Affine::infinity();
  std::vector<XyzzPoint<Field>> windows;
  for (unsigned first = 0; first < cut_.windows.count; first += cut_.group) {
    const Group group{first, std::min(cut_.group, cut_.windows.count - first)};
    events_[0].record(stream);
    make_buckets(scalars, group, stream);
    events_[1].record(stream);
    sum_buckets(d_points, group, first == 0 ? num_ones : 0, stream);
    if (first == 0) {
      CUZK_CUDA_TRY(cudaMemcpyAsync(&ones_sum, d_sums_ + cut_.num_buckets(group.first, group.count),
                                    sizeof ones_sum, cudaMemcpyDeviceToHost, stream));
    }
    events_[3].record(stream);
    if (scalars.count != 0) reduce_buckets(group, stream);
    events_[4].record(stream);
    if (scalars.count != 0) {
      const auto sums = window_sums(group, stream);
      windows.insert(windows.end(), sums.begin(), sums.end());
    }
    timings_.digits += events_[1].ms_since(events_[0]);
    timings_.lists += events_[2].ms_since(events_[1]);
    timings_.buckets += events_[3].ms_since(events_[2]);
    timings_.reduce += events_[4].ms_since(events_[3]);
    if (scalars.count == 0) break;
  }
  XyzzPoint<Field> total;
  for (std::size_t w = windows.size(); w-- > 0;) {
    for (unsigned i = 0; i < cut_.windows.width(static_cast<unsigned>(w)); ++i) total = total.doubled();
    total.add(windows[w]);
  }
  uint32_t words[sizeof(Affine) / 4];
  std::memcpy(words, &ones_sum, sizeof words);
  if ((words[DeviceFp::kLimbs - 1] & kInfinityBit) == 0) total.add(ones_sum);
  return total.to_projective();
}

template class DeviceMsm<G1Affine>;
template class DeviceMsm<G2Affine>;

}  // namespace cuzk::cuda
