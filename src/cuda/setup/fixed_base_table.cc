#include "cuda/setup/fixed_base_table.h"

#include <span>

#include "curve/projective.h"

namespace cuzk::cuda {

template <typename F>
std::array<AffinePoint<F>, FixedBaseTable::kNumWindows> window_powers(const AffinePoint<F>& base) {
  std::array<ProjectivePoint<F>, FixedBaseTable::kNumWindows> powers;
  ProjectivePoint<F> power = base;
  for (ProjectivePoint<F>& out : powers) {
    out = power;
    for (unsigned bit = 0; bit < FixedBaseTable::kWindowBits; ++bit) power = power.doubled();
  }
  std::array<AffinePoint<F>, FixedBaseTable::kNumWindows> affine;
  batch_to_affine<F>(powers, affine);
  return affine;
}

template std::array<G1Affine, FixedBaseTable::kNumWindows> window_powers(const G1Affine&);
template std::array<G2Affine, FixedBaseTable::kNumWindows> window_powers(const G2Affine&);

}  // namespace cuzk::cuda
