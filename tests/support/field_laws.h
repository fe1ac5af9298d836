// The laws of a field, once for every field, as gtest typed tests:
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(Fr, FieldLaws, cuzk::Fr);
//   INSTANTIATE_TYPED_TEST_SUITE_P(Fr, SquareRootLaws, cuzk::Fr);    // where sqrt() exists
//   INSTANTIATE_TYPED_TEST_SUITE_P(Fr, PrimeFieldLaws, cuzk::Fr);    // integers, bytes, order
//
// Elements come from 64-bit seeds, so a failing property names the numbers that make it again. An extension
// field is any struct with c0, c1 (and c2).
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <random>
#include <vector>

#include "field/prime_field.h"

namespace cuzk::testing {

template <typename F>
concept CubicExtension = requires(F f) {
  f.c2;
};
template <typename F>
concept Extension = requires(F f) {
  f.c1;
};

// Mostly uniform; one coordinate in eight is 0, 1, -1 or has sparse limbs.
template <typename F>
F draw_element(std::mt19937_64& random) {
  if constexpr (CubicExtension<F>) {
    using Coordinate = decltype(F{}.c0);
    const Coordinate c0 = draw_element<Coordinate>(random), c1 = draw_element<Coordinate>(random);
    return {c0, c1, draw_element<Coordinate>(random)};
  } else if constexpr (Extension<F>) {
    using Coordinate = decltype(F{}.c0);
    const Coordinate c0 = draw_element<Coordinate>(random);
    return {c0, draw_element<Coordinate>(random)};
  } else {
    const std::uint64_t kind = random() % 32;
    if (kind == 0) return F::zero();
    if (kind == 1) return F::one();
    if (kind == 2) return -F::one();
    typename F::Repr repr;
    for (std::uint64_t& limb : repr) limb = kind == 3 ? 0 - (random() & 1) : random();
    return F::from_repr_unchecked(repr);
  }
}
template <typename F>
F element_of(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return draw_element<F>(random);
}

template <typename F>
class FieldLaws : public ::testing::Test {};
TYPED_TEST_SUITE_P(FieldLaws);

TYPED_TEST_P(FieldLaws, Ring) {
  using F = TypeParam;
  EXPECT_TRUE(rc::check([](std::uint64_t sa, std::uint64_t sb, std::uint64_t sc) {
    const F a = element_of<F>(sa), b = element_of<F>(sb), c = element_of<F>(sc);
    RC_ASSERT(a + b == b + a);
    RC_ASSERT((a + b) + c == a + (b + c));
    RC_ASSERT(a * b == b * a);
    RC_ASSERT((a * b) * c == a * (b * c));
    RC_ASSERT(a * (b + c) == a * b + a * c);
    RC_ASSERT(a + F::zero() == a);
    RC_ASSERT(a * F::one() == a);
    RC_ASSERT((a * F::zero()).is_zero());
    RC_ASSERT((a + (-a)).is_zero());
    RC_ASSERT(a - b == a + (-b));
    RC_ASSERT(a.doubled() == a + a);
    RC_ASSERT(a.squared() == a * a);
  }));
}

TYPED_TEST_P(FieldLaws, InPlaceOperators) {
  using F = TypeParam;
  EXPECT_TRUE(rc::check([](std::uint64_t sa, std::uint64_t sb) {
    const F a = element_of<F>(sa), b = element_of<F>(sb);
    F x = a;
    RC_ASSERT((x += b) == a + b);
    RC_ASSERT((x -= b) == a);
    RC_ASSERT((x *= b) == a * b);
    x = a;
    RC_ASSERT((x *= x) == a.squared());
    x = a;
    RC_ASSERT((x += x) == a.doubled());
    x = a;
    RC_ASSERT((x -= x).is_zero());
  }));
}

TYPED_TEST_P(FieldLaws, Inverse) {
  using F = TypeParam;
  EXPECT_TRUE(F::zero().inverse().is_zero());
  EXPECT_EQ(F::one().inverse(), F::one());
  EXPECT_TRUE(rc::check([](std::uint64_t sa, std::uint64_t sb) {
    const F a = element_of<F>(sa), b = element_of<F>(sb);
    RC_PRE(!a.is_zero() && !b.is_zero());
    RC_ASSERT(a * a.inverse() == F::one());
    RC_ASSERT(a.inverse().inverse() == a);
    RC_ASSERT((a * b).inverse() == a.inverse() * b.inverse());
  }));
}

TYPED_TEST_P(FieldLaws, NoZeroDivisors) {
  using F = TypeParam;
  EXPECT_FALSE(F::one().is_zero());
  EXPECT_TRUE(F::zero().is_zero());
  EXPECT_TRUE(rc::check([](std::uint64_t sa, std::uint64_t sb) {
    const F a = element_of<F>(sa), b = element_of<F>(sb);
    RC_ASSERT((a * b).is_zero() == (a.is_zero() || b.is_zero()));
    RC_ASSERT((a == b) == (a - b).is_zero());
  }));
}

TYPED_TEST_P(FieldLaws, BatchInverse) {
  using F = TypeParam;
  EXPECT_TRUE(rc::check([](const std::vector<std::uint64_t>& seeds) {
    std::vector<F> elements;
    for (const std::uint64_t seed : seeds) elements.push_back(element_of<F>(seed));
    const std::vector<F> original = elements;
    std::vector<F> scratch(elements.size());
    batch_inverse<F>(elements, scratch);
    for (std::size_t i = 0; i < elements.size(); ++i) RC_ASSERT(elements[i] == original[i].inverse());
  }));
}

REGISTER_TYPED_TEST_SUITE_P(FieldLaws, Ring, InPlaceOperators, Inverse, NoZeroDivisors, BatchInverse);

template <typename F>
class SquareRootLaws : public ::testing::Test {};
TYPED_TEST_SUITE_P(SquareRootLaws);

TYPED_TEST_P(SquareRootLaws, SquaresHaveRoots) {
  using F = TypeParam;
  EXPECT_TRUE(F::zero().sqrt().has_value() && F::zero().sqrt()->is_zero());
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const F a = element_of<F>(seed);
    const std::optional<F> root = a.squared().sqrt();
    RC_ASSERT(root.has_value());
    RC_ASSERT(*root == a || *root == -a);
  }));
}

TYPED_TEST_P(SquareRootLaws, RootsSquareBackAndExactlyHalfExist) {
  using F = TypeParam;
  std::mt19937_64 random(1);
  int squares = 0;
  F nonsquare = F::zero();
  for (int i = 0; i < 200; ++i) {
    const F a = draw_element<F>(random);
    const std::optional<F> root = a.sqrt();
    if (root) {
      EXPECT_EQ(root->squared(), a);
      ++squares;
    } else if (nonsquare.is_zero()) {
      nonsquare = a;
    } else {  // the product of two non-squares is a square
      EXPECT_TRUE((a * nonsquare).sqrt().has_value());
    }
  }
  EXPECT_GT(squares, 60);
  EXPECT_LT(squares, 140);
}

REGISTER_TYPED_TEST_SUITE_P(SquareRootLaws, SquaresHaveRoots, RootsSquareBackAndExactlyHalfExist);

template <typename F>
class PrimeFieldLaws : public ::testing::Test {};
TYPED_TEST_SUITE_P(PrimeFieldLaws);

TYPED_TEST_P(PrimeFieldLaws, IntegersAndBytes) {
  using F = TypeParam;
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const F a = element_of<F>(seed);
    RC_ASSERT(less_limbs(a.to_repr(), F::modulus()));
    RC_ASSERT(F::from_repr(a.to_repr()) == std::optional<F>(a));
    RC_ASSERT(F::from_bytes_le(a.to_bytes_le()) == std::optional<F>(a));
    RC_ASSERT(F::from_montgomery(a.montgomery()) == a);
  }));
  EXPECT_EQ(F::from_u64(3), F::one() + F::one() + F::one());
  EXPECT_TRUE(F::one().is_one());
  EXPECT_FALSE(F::zero().is_one());
}

TYPED_TEST_P(PrimeFieldLaws, RefusesIntegersNotBelowTheModulus) {
  using F = TypeParam;
  typename F::Repr repr = F::modulus();
  const auto bytes = [&] {
    std::array<std::uint8_t, F::kBytes> out;
    std::memcpy(out.data(), repr.data(), F::kBytes);
    return out;
  };
  EXPECT_FALSE(F::from_repr(repr).has_value());
  EXPECT_FALSE(F::from_bytes_le(bytes()).has_value());
  EXPECT_TRUE(F::from_repr_unchecked(repr).is_zero());
  repr[0] += 1;
  EXPECT_FALSE(F::from_repr(repr).has_value());
  EXPECT_TRUE(F::from_repr_unchecked(repr).is_one());
  repr[0] -= 2;
  EXPECT_EQ(F::from_bytes_le(bytes()), std::optional<F>(-F::one()));
  repr.fill(~std::uint64_t{0});
  EXPECT_FALSE(F::from_repr(repr).has_value());
  EXPECT_FALSE(F::from_bytes_le(bytes()).has_value());
  EXPECT_EQ(F::from_repr_unchecked(repr) + F::one(), F::from_u64(2).pow(64 * F::kLimbs));
}

TYPED_TEST_P(PrimeFieldLaws, Powers) {
  using F = TypeParam;
  EXPECT_TRUE(rc::check([](std::uint64_t seed, std::uint64_t low, std::uint64_t high) {
    const F a = element_of<F>(seed);
    const std::uint64_t exponent[2] = {low, high};
    RC_ASSERT(a.pow(exponent) ==
              a.pow(low) * a.pow(high).pow(std::uint64_t{1} << 32).pow(std::uint64_t{1} << 32));
    RC_ASSERT(a.pow(F::modulus()) == a);
  }));
  EXPECT_TRUE(F::zero().pow(0).is_one());
  EXPECT_TRUE(F::zero().pow(std::span<const std::uint64_t>{}).is_one());
  EXPECT_TRUE(F::zero().pow(5).is_zero());
}

TYPED_TEST_P(PrimeFieldLaws, OrderAndSquareness) {
  using F = TypeParam;
  EXPECT_FALSE(F::zero().is_lexicographically_largest());
  EXPECT_FALSE(F::one().is_lexicographically_largest());
  EXPECT_TRUE((-F::one()).is_lexicographically_largest());
  const F half = *F::from_repr(shift_right(F::modulus(), 1));  // (p - 1) / 2
  EXPECT_FALSE(half.is_lexicographically_largest());
  EXPECT_TRUE((half + F::one()).is_lexicographically_largest());
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const F a = element_of<F>(seed);
    RC_ASSERT(a.is_square() == a.sqrt().has_value());
    RC_PRE(!a.is_zero());
    RC_ASSERT(a.is_lexicographically_largest() != (-a).is_lexicographically_largest());
    RC_ASSERT(a.is_lexicographically_largest() == less_limbs((-a).to_repr(), a.to_repr()));
  }));
}

REGISTER_TYPED_TEST_SUITE_P(PrimeFieldLaws, IntegersAndBytes, RefusesIntegersNotBelowTheModulus, Powers,
                            OrderAndSquareness);

}  // namespace cuzk::testing
