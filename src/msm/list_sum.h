// Sums of many lists of points of any lengths, by one thread: lists are sorted by length, cut where they are too long
// for a chain, and given to sum_chains in batches.
#pragma once

#include <span>
#include <vector>

#include "base/buffer.h"
#include "curve/xyzz.h"
#include "msm/point_kernels.h"

namespace cuzk {

// Holds work space only, about 1.5 MiB, reused from call to call. One thread at a time.
template <typename F>
class ListSummer {
 public:
  // out[i] = sum of points[refs[k]] for offsets[i] <= k < offsets[i + 1]; offsets has one entry more than there are
  // lists. None of the points referred to may be infinity. out must not overlap points.
  void sum(const PointKernels<F>& kernels, const KernelPoint<F>* points, const PointRef* refs,
           std::span<const std::uint32_t> offsets, KernelPoint<F>* out);

  // The sum of points[refs[k]] over all k, none of them infinity, which takes them in order: the k-th goes to chain
  // k modulo the number of chains, so memory is read from front to back.
  XyzzPoint<F> total(const PointKernels<F>& kernels, const KernelPoint<F>* points,
                     std::span<const PointRef> refs);

 private:
  struct Chain {
    std::uint32_t start, length, slot;
  };

  void add_pieces(std::uint32_t start, std::uint32_t length, std::uint32_t list, std::uint32_t longest);
  void sum_sorted(const PointKernels<F>& kernels, const KernelPoint<F>* points, const PointRef* refs,
                  std::vector<Chain>& chains, KernelPoint<F>* out);
  void sum_strided(const PointKernels<F>& kernels, const KernelPoint<F>* points,
                   std::span<const PointRef> refs, std::size_t num_chains, KernelPoint<F>* out);
  void merge_pieces(const PointKernels<F>& kernels, KernelPoint<F>* out);

  std::vector<Chain> chains_;               // the first piece of every list; slot = list
  std::vector<Chain> pieces_;               // further pieces; slot = position in piece_sums_
  std::vector<std::uint32_t> piece_lists_;  // the list of each
  std::vector<KernelPoint<F>> piece_sums_;
  std::vector<std::uint32_t> starts_, lengths_, slots_;  // of the chains in sorted order
  Buffer<std::byte> scratch_;
};

// The sum of all points, infinity allowed among them; for few points, one after the other.
template <typename F>
XyzzPoint<F> sum_points(const PointKernels<F>& kernels, std::span<const KernelPoint<F>> points);

extern template class ListSummer<Fp>;
extern template class ListSummer<Fp2>;

}  // namespace cuzk
