#include "msm/msm.h"

#include <algorithm>

#include "base/check.h"
#include "msm/pippenger.h"

namespace cuzk {
namespace {

template <typename F>
ProjectivePoint<F> full_msm(const Bases<F>& bases, std::span<const Fr> scalars) {
  CUZK_CHECK(scalars.size() <= bases.size(), "more scalars than bases");
  return pippenger<F>(bases, scalars, {});
}

template <typename F>
ProjectivePoint<F> witness_msm(const Bases<F>& bases, const WitnessScalars& scalars) {
  CUZK_CHECK(scalars.n <= bases.size(), "more scalars than bases");
  CUZK_CHECK(scalars.indices.size() == scalars.values.size(), "as many indices as values are wanted");
  CUZK_CHECK(64 * scalars.ones.size() >= scalars.n, "the bitmap of ones is too short");
  CUZK_CHECK(std::ranges::all_of(scalars.indices, [&](std::uint32_t i) { return i < scalars.n; }),
             "an index beyond the last scalar");
  return sum_ones<F>(bases, scalars.ones) + pippenger<F>(bases, scalars.values, scalars.indices);
}

}  // namespace

G1Projective msm(const G1Bases& bases, std::span<const Fr> scalars) {
  return full_msm(bases, scalars);
}
G2Projective msm(const G2Bases& bases, std::span<const Fr> scalars) {
  return full_msm(bases, scalars);
}
G1Projective msm(const G1Bases& bases, const WitnessScalars& scalars) {
  return witness_msm(bases, scalars);
}
G2Projective msm(const G2Bases& bases, const WitnessScalars& scalars) {
  return witness_msm(bases, scalars);
}

}  // namespace cuzk
