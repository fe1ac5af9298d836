// What the tests of this folder share: seeded random scalars, points with known multiples of the generator, and the
// kernels to be tested.
#pragma once

#include <random>
#include <vector>

#include "base/cpu_features.h"
#include "curve/projective.h"
#include "field/fr.h"
#include "msm/point_kernels.h"

namespace cuzk {

inline std::vector<Fr> random_scalars(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Fr> scalars(n);
  for (Fr& scalar : scalars) scalar = Fr::from_repr_unchecked({random(), random(), random(), random()});
  return scalars;
}

// scalars[i] times the generator, one by one: slow and independent of this folder.
template <typename F>
std::vector<AffinePoint<F>> multiples_of_generator(const std::vector<Fr>& scalars) {
  std::vector<ProjectivePoint<F>> points;
  for (const Fr& scalar : scalars) points.push_back(ProjectivePoint<F>::generator().mul(scalar));
  std::vector<AffinePoint<F>> affine(points.size());
  batch_to_affine<F>(points, affine);
  return affine;
}

// A type for typed tests: the field of the coordinates and the build of the kernels.
template <typename FieldType, bool ifma>
struct KernelCase {
  using Field = FieldType;

  static bool is_available() { return !ifma || cpu_features().avx512_ifma; }
  static const PointKernels<Field>& kernels() {
    return ifma ? ifma_kernels<Field>() : portable_kernels<Field>();
  }
};

}  // namespace cuzk
