#include "msm/fixed_base.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/check.h"
#include "base/thread_pool.h"
#include "msm/digits.h"
#include "msm/list_sum.h"
#include "msm/pool.h"

namespace cuzk {
namespace {

constexpr Windows kWindows = Windows::of(20);

template <typename F>
struct ProductSpace {
  ListSummer<F> lists;
  std::vector<std::uint32_t> offsets;
  std::vector<PointRef> refs;
  std::vector<KernelPoint<F>> sums;
};

// 1 .. n times `base`, in affine form.
template <typename F>
void multiples(const AffinePoint<F>& base, std::span<AffinePoint<F>> out) {
  std::vector<ProjectivePoint<F>> projective(out.size());
  ProjectivePoint<F> running;
  for (ProjectivePoint<F>& point : projective) point = running += base;
  batch_to_affine<F>(projective, out);
}

template <typename F>
std::vector<AffinePoint<F>> make_table(const AffinePoint<F>& base) {
  std::vector<ProjectivePoint<F>> powers(kWindows.count);  // 2^bit_offset times base
  ProjectivePoint<F> power = base;
  for (unsigned i = 0; i < kWindows.count; ++i) {
    powers[i] = power;
    for (unsigned bit = 0; bit < kWindows.width(i); ++bit) power = power.doubled();
  }
  std::vector<AffinePoint<F>> affine_powers(kWindows.count);
  batch_to_affine<F>(powers, affine_powers);
  std::vector<AffinePoint<F>> table(kWindows.bucket_offset(kWindows.count));
  parallel_for(kWindows.count, 1, [&](std::size_t i, std::size_t) {
    const auto window = static_cast<unsigned>(i);
    multiples(affine_powers[i],
              std::span(table).subspan(kWindows.bucket_offset(window), kWindows.num_buckets(window)));
  });
  return table;
}

// The table entries that make up each scalar.
template <typename F>
void collect_entries(std::span<const Fr> scalars, ProductSpace<F>& space) {
  static const FrRepr halves = half_windows(kWindows);
  space.refs.clear();
  space.offsets.assign(1, 0);
  for (const Fr& scalar : scalars) {
    const RecodedScalar recoded = recode(scalar.to_repr(), halves);
    for (unsigned w = 0; w < kWindows.count; ++w) {
      const std::int32_t d = DigitReader(kWindows, w)(recoded);
      if (d == 0) continue;
      const std::size_t entry = kWindows.bucket_offset(w) + static_cast<std::size_t>(std::abs(d)) - 1;
      space.refs.push_back(static_cast<PointRef>(entry) | (recoded.is_negative() != (d < 0) ? kNegate : 0));
    }
    space.offsets.push_back(static_cast<std::uint32_t>(space.refs.size()));
  }
}

}  // namespace

template <typename F>
FixedBase<F>::FixedBase(const AffinePoint<F>& base, const PointKernels<F>& kernels)
    : table_(Bases<F>::from_affine(make_table(base), kernels)) {}

template <typename F>
void FixedBase<F>::mul(std::span<const Fr> scalars, std::span<AffinePoint<F>> out) const {
  CUZK_CHECK(scalars.size() == out.size(), "fixed-base products: lengths differ");
  if (table_.has_infinities()) {  // the base is infinity
    std::ranges::fill(out, AffinePoint<F>::infinity());
    return;
  }
  Pool<ProductSpace<F>> spaces;
  parallel_for(scalars.size(), kChainsPerBatch<F>, [&](std::size_t begin, std::size_t end) {
    const typename Pool<ProductSpace<F>>::Lease space(spaces);
    collect_entries(scalars.subspan(begin, end - begin), *space);
    space->sums.resize(end - begin);
    space->lists.sum(table_.kernels(), table_.points(), space->refs.data(), space->offsets,
                     space->sums.data());
    table_.kernels().to_affine(space->sums.data(), end - begin, out.data() + begin);
  });
}

template class FixedBase<Fp>;
template class FixedBase<Fp2>;

}  // namespace cuzk
