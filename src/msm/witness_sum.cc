#include "msm/witness_sum.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "base/thread_pool.h"
#include "msm/list_sum.h"
#include "msm/pool.h"

namespace cuzk {
namespace {

// Bits of the bitmap that make one task: long enough that the end of a task costs little, short enough for many threads.
constexpr std::size_t kWordsPerTask = 65536 / 64;

template <typename F>
struct OnesSpace {
  ListSummer<F> lists;
  std::vector<PointRef> refs;
};

// The set bits of words first .. last - 1, as references to bases that are not infinity.
template <typename F>
void collect_ones(const Bases<F>& bases, std::span<const std::uint64_t> ones, std::size_t first,
                  std::size_t last, std::vector<PointRef>& refs) {
  refs.clear();
  for (std::size_t word = first; word < last; ++word) {
    for (std::uint64_t bits = ones[word]; bits != 0; bits &= bits - 1) {
      const std::size_t i = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
      CUZK_CHECK(i < bases.size(), "a one beyond the last base");
      if (!bases.is_infinity(i)) refs.push_back(static_cast<PointRef>(i));
    }
  }
}

}  // namespace

template <typename F>
ProjectivePoint<F> sum_ones(const Bases<F>& bases, std::span<const std::uint64_t> ones) {
  std::vector<XyzzPoint<F>> sums((ones.size() + kWordsPerTask - 1) / kWordsPerTask);
  Pool<OnesSpace<F>> spaces;
  parallel_for(sums.size(), 1, [&](std::size_t task, std::size_t) {
    const typename Pool<OnesSpace<F>>::Lease space(spaces);
    const std::size_t first = task * kWordsPerTask;
    collect_ones(bases, ones, first, std::min(ones.size(), first + kWordsPerTask), space->refs);
    sums[task] = space->lists.total(bases.kernels(), bases.points(), space->refs);
  });
  XyzzPoint<F> sum;
  for (const XyzzPoint<F>& part : sums) sum.add(part);
  return sum.to_projective();
}

template G1Projective sum_ones<Fp>(const G1Bases&, std::span<const std::uint64_t>);
template G2Projective sum_ones<Fp2>(const G2Bases&, std::span<const std::uint64_t>);

}  // namespace cuzk
