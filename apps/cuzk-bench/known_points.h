// Points whose multiples of the generator are known, so that a multi-scalar multiplication of any size is checked by one product:
//   P_i = (s + i d) G, so  sum k_i P_i = (s sum k_i + d sum i k_i) G.
#pragma once

#include <random>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "curve/projective.h"
#include "field/fr.h"

namespace cuzk {

inline Fr random_scalar(std::mt19937_64& random) {
  return Fr::from_repr_unchecked({random(), random(), random(), random()});
}

class Progression {
 public:
  explicit Progression(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    start_ = random_scalar(random);
    step_ = random_scalar(random);
  }

  // The scalar of point i.
  Fr scalar(std::uint64_t i) const noexcept { return start_ + Fr::from_u64(i) * step_; }

  // The points 0 .. n - 1. Parallel.
  template <class Affine>
  std::vector<Affine> points(std::size_t n) const {
    using Projective = ProjectivePoint<typename Affine::Field>;
    constexpr std::size_t kChunk = 4096;
    std::vector<Affine> out(n);
    const Affine step = Projective::generator().mul(step_).to_affine();
    parallel_for(n, kChunk, [&](std::size_t begin, std::size_t end) {
      std::vector<Projective> chunk(end - begin);
      Projective next = Projective::generator().mul(scalar(begin));
      for (Projective& point : chunk) {
        point = next;
        next += step;
      }
      batch_to_affine(std::span<const Projective>(chunk), std::span<Affine>(out).subspan(begin, end - begin));
    });
    return out;
  }

  // sum of scalars[i] * scalar(i): what the multi-scalar multiplication must give, as a multiple of the generator.
  Fr weighted_sum(std::span<const Fr> scalars) const noexcept {
    Fr plain, weighted;
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      plain += scalars[i];
      weighted += scalars[i] * Fr::from_u64(i);
    }
    return start_ * plain + step_ * weighted;
  }

 private:
  Fr start_, step_;
};

}  // namespace cuzk
