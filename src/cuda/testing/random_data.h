// Random scalars and points for tests and benches.
#pragma once

#include <random>
#include <span>
#include <vector>

#include "curve/projective.h"

namespace cuzk::cuda {

class RandomData {
 public:
  explicit RandomData(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t word() { return engine_(); }
  template <class Field>
  Field element() {
    typename Field::Repr repr;
    for (auto& limb : repr) limb = engine_();
    return Field::from_repr_unchecked(repr);
  }
  Fp2 fp2() {
    const Fp c0 = element<Fp>();
    return {c0, element<Fp>()};
  }
  std::vector<Fr> scalars(std::size_t n) {
    std::vector<Fr> out(n);
    for (Fr& x : out) x = element<Fr>();
    return out;
  }
  // s, s + d, s + 2 d, ..: s and d random points of the group.
  template <class Affine>
  std::vector<Affine> points(std::size_t n) {
    using Projective = ProjectivePoint<typename Affine::Field>;
    std::vector<Projective> progression(n);
    Projective next = Projective::generator().mul(element<Fr>());
    const Affine step = Projective::generator().mul(element<Fr>()).to_affine();
    for (Projective& p : progression) {
      p = next;
      next += step;
    }
    std::vector<Affine> out(n);
    batch_to_affine(std::span<const Projective>(progression), std::span<Affine>(out));
    return out;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace cuzk::cuda
