// Multi-scalar multiplication on the device, G1 and G2.
//
// Scalars are cut into signed windows (msm/window.h, msm/digits.h), the digits of a window sorted, each bucket summed as
// a list (list_sums.h), and the buckets of a window summed with their weights as a matrix of rows and columns. A list of
// any length is summed in tasks of bounded length, so no distribution of scalars is slow; scalars that are 1 are one more
// such list, without digits.
//
// Points are device affine (infinity marked; see points.h) in G1 or G2, or at least points with y != 0.
#pragma once

#include <array>
#include <vector>

#include "cuda/msm/list_sums.h"
#include "cuda/msm/msm_plan.h"
#include "cuda/msm/row_lists.h"
#include "cuda/runtime/stream.h"
#include "curve/xyzz.h"

namespace cuzk::cuda {

// Device arrays. Scalar of point points[i] is values[index[i]]; a null index or points stands for i itself.
struct DeviceScalars {
  const Fr* values;
  const uint32_t* index;
  const uint32_t* points;
  std::size_t count;
};

// Milliseconds, by events of the stream.
struct MsmTimings {
  double digits = 0;   // digits, sorting, bucket bounds
  double lists = 0;    // lists in rows
  double buckets = 0;  // sums of the lists, long ones included
  double reduce = 0;   // bucket reduction
};

// Affine is G1Affine or G2Affine. One MSM at a time; any number one after the other.
template <class Affine>
class DeviceMsm {
 public:
  using Field = typename Affine::Field;

  // Work space from `arena`, for MSMs up to `shape`.
  DeviceMsm(Arena& arena, const MsmShape& shape);

  // Room for shape.num_ones indices of points with scalar 1; the caller fills it before run().
  uint32_t* ones() noexcept { return d_entries_; }

  // sum of the first num_ones points of ones() + sum of scalars times points. scalars.count
  // is at most shape.num_scalars, num_ones at most shape.num_ones. Returns when the result is there.
  ProjectivePoint<Field> run(const Affine* d_points, const DeviceScalars& scalars, std::size_t num_ones,
                             cudaStream_t stream);
  // Of the last run.
  MsmTimings timings() const { return timings_; }
  // For tests: sums lists by this method whatever their number.
  void force_method(ListMethod method) noexcept { forced_ = method, is_forced_ = true; }

 private:
  struct Group {
    unsigned first, count;
  };
  void make_buckets(const DeviceScalars& scalars, const Group& group, cudaStream_t stream);
  void sum_buckets(const Affine* d_points, const Group& group, std::size_t num_ones, cudaStream_t stream);
  void reduce_buckets(const Group& group, cudaStream_t stream);
  std::vector<XyzzPoint<Field>> window_sums(const Group& group, cudaStream_t stream);
  void sum(const Affine* d_points, const RowLists& lists, Affine* d_out, cudaStream_t stream);

  MsmShape shape_;  // of the work space
  MsmShape cut_;    // of the run
  uint32_t *d_entries_, *d_keys_, *d_sorted_, *d_identity_, *d_start_, *d_length_;
  std::size_t sort_bytes_;
  uint8_t* d_sort_;
  ListBuilder lists_;
  uint8_t* d_records_;
  Affine *d_sums_, *d_parts_;
  XyzzPoint<Field>*d_positions_, *d_window_sums_;
  std::array<Event, 5> events_;
  MsmTimings timings_;
  ListMethod forced_ = ListMethod::xyzz;
  bool is_forced_ = false;
  int num_sms_;
};

extern template class DeviceMsm<G1Affine>;
extern template class DeviceMsm<G2Affine>;

}  // namespace cuzk::cuda
