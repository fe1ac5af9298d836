// PrimeField<Params>: an element of a prime field in Montgomery form, x * 2^(64 N) mod p, always fully
// reduced.
//
// All operations are total, noexcept and without side effects; only decoding can fail. None is constant time:
// a proof's witness is known to whoever runs the prover. Params gives
//   kLimbs              N
//   kModulus, kInverse  p, an odd prime below 2^(64 N - 1), and -1/p mod 2^64
//   kOne, kR2           2^(64 N) and 2^(128 N) mod p
//   kRootOfUnity        in Montgomery form, of order 2^s, the power of 2 in p - 1; only needed if p = 1 mod 4
//   mul(out, a, b)      the Montgomery product (montgomery.h): mulx/adx code or its portable twin
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <span>

#include "field/inverse.h"
#include "field/limbs.h"
#include "field/modular.h"

namespace cuzk {

template <typename Params>
class PrimeField {
 public:
  static constexpr std::size_t kLimbs = Params::kLimbs;
  static constexpr std::size_t kBytes = 8 * kLimbs;
  using Repr = Limbs<kLimbs>;  // a canonical integer, little-endian limbs

  constexpr PrimeField() noexcept = default;  // zero

  static constexpr PrimeField zero() noexcept { return {}; }
  static constexpr PrimeField one() noexcept { return from_montgomery(Params::kOne); }
  static constexpr const Repr& modulus() noexcept { return Params::kModulus; }
  // The largest s with 2^s | p - 1.
  static constexpr unsigned two_adicity() noexcept {
    Repr even = Params::kModulus;
    even[0] -= 1;
    return trailing_zeros_limbs(even);
  }
  // Takes limbs that already are in Montgomery form and below the modulus (not checked).
  static constexpr PrimeField from_montgomery(const Repr& limbs) noexcept {
    PrimeField out;
    out.limbs_ = limbs;
    return out;
  }
  static PrimeField from_u64(std::uint64_t value) noexcept {
    Repr repr{};
    repr[0] = value;
    return from_repr_unchecked(repr);
  }
  // From a canonical integer; nothing if it is not below the modulus.
  static std::optional<PrimeField> from_repr(const Repr& repr) noexcept {
    if (!less_limbs(repr, Params::kModulus)) return std::nullopt;
    return from_repr_unchecked(repr);
  }
  // From any integer below 2^(64 N), reduced modulo p.
  static PrimeField from_repr_unchecked(const Repr& repr) noexcept {
    PrimeField out;
    Params::mul(out.limbs_, repr, Params::kR2);
    return out;
  }
  // kBytes little-endian bytes of the canonical integer; nothing if it is not below the modulus.
  static std::optional<PrimeField> from_bytes_le(std::span<const std::uint8_t, kBytes> bytes) noexcept {
    Repr repr;
    std::memcpy(repr.data(), bytes.data(), kBytes);
    return from_repr(repr);
  }

  // The canonical integer.
  Repr to_repr() const noexcept {
    Repr out;
    Repr unit{};
    unit[0] = 1;
    Params::mul(out, limbs_, unit);
    return out;
  }
  void to_bytes_le(std::span<std::uint8_t, kBytes> bytes) const noexcept {
    const Repr repr = to_repr();
    std::memcpy(bytes.data(), repr.data(), kBytes);
  }
  std::array<std::uint8_t, kBytes> to_bytes_le() const noexcept {
    std::array<std::uint8_t, kBytes> bytes;
    to_bytes_le(bytes);
    return bytes;
  }
  // The limbs in Montgomery form.
  constexpr const Repr& montgomery() const noexcept { return limbs_; }

  constexpr bool is_zero() const noexcept { return is_zero_limbs(limbs_); }
  constexpr bool is_one() const noexcept { return limbs_ == Params::kOne; }
  friend constexpr bool operator==(const PrimeField& a, const PrimeField& b) noexcept {
    return a.limbs_ == b.limbs_;
  }

  friend constexpr PrimeField operator+(const PrimeField& a, const PrimeField& b) noexcept {
    return from_montgomery(add_mod(a.limbs_, b.limbs_, Params::kModulus));
  }
  friend constexpr PrimeField operator-(const PrimeField& a, const PrimeField& b) noexcept {
    return from_montgomery(sub_mod(a.limbs_, b.limbs_, Params::kModulus));
  }
  friend PrimeField operator*(const PrimeField& a, const PrimeField& b) noexcept {
    PrimeField product;
    Params::mul(product.limbs_, a.limbs_, b.limbs_);
    return product;
  }
  constexpr PrimeField operator-() const noexcept { return zero() - *this; }
  constexpr PrimeField& operator+=(const PrimeField& other) noexcept { return *this = *this + other; }
  constexpr PrimeField& operator-=(const PrimeField& other) noexcept { return *this = *this - other; }
  PrimeField& operator*=(const PrimeField& other) noexcept { return *this = *this * other; }
  constexpr PrimeField doubled() const noexcept { return *this + *this; }
  PrimeField squared() const noexcept { return *this * *this; }

  // this^exponent, exponent a little-endian integer of any length.
  PrimeField pow(std::span<const std::uint64_t> exponent) const noexcept {
    constexpr int kWindow = 4;
    std::array<PrimeField, 1 << kWindow> powers;
    powers[0] = one();
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * *this;
    PrimeField result = one();
    bool started = false;
    for (std::size_t i = exponent.size(); i-- > 0;) {
      for (int bit = 64 - kWindow; bit >= 0; bit -= kWindow) {
        for (int k = 0; started && k < kWindow; ++k) result = result.squared();
        const std::uint64_t digit = (exponent[i] >> bit) & (powers.size() - 1);
        if (digit != 0) result *= powers[digit];
        started = started || digit != 0;
      }
    }
    return result;
  }
  PrimeField pow(std::uint64_t exponent) const noexcept {
    PrimeField result = one();
    PrimeField power = *this;
    for (; exponent != 0; exponent >>= 1) {
      if ((exponent & 1) != 0) result *= power;
      power = power.squared();
    }
    return result;
  }

  // 1/this; zero for zero.
  PrimeField inverse() const noexcept {
    // (x R)^-1 R^2 / R = 1/x, and once more for 1/x R.
    const PrimeField inverted =
        from_montgomery(inverse_mod<kLimbs>(limbs_, Params::kModulus, Params::kInverse));
    return from_repr_unchecked(from_repr_unchecked(inverted.limbs_).limbs_);
  }

  // Whether some y has y^2 = this; true for zero.
  bool is_square() const noexcept {
    return is_zero() || pow(shift_right(Params::kModulus, 1)).is_one();  // Euler: x^((p-1)/2)
  }
  // A square root, which of the two is unspecified; nothing if there is none.
  std::optional<PrimeField> sqrt() const noexcept {
    PrimeField root;
    if constexpr (Params::kModulus[0] % 4 == 3) {
      root = *this * pow(shift_right(Params::kModulus, 2));  // x^((p+1)/4), (p-3)/4 = p >> 2
    } else {
      root = tonelli_shanks();
    }
    if (root.squared() == *this) return root;
    return std::nullopt;
  }

  // Whether this, as a canonical integer, is larger than -this, i.e. than (p-1)/2. False for zero.
  bool is_lexicographically_largest() const noexcept {
    return less_limbs(shift_right(Params::kModulus, 1), to_repr());
  }

 private:
  // p - 1 = q 2^s, q odd; Params::kRootOfUnity has order 2^s. Invariant: root^2 = x t, and t has order 2^k
  // with k falling to 0. For a non-square x, t starts with order 2^s and the result is not a root. (Cohen, "A
  // Course in Computational Algebraic Number Theory", algorithm 1.5.1.)
  PrimeField tonelli_shanks() const noexcept {
    unsigned order = two_adicity();
    const PrimeField power = pow(shift_right(Params::kModulus, order + 1));  // x^((q-1)/2)
    PrimeField root = *this * power;
    PrimeField t = root * power;
    PrimeField z = from_montgomery(Params::kRootOfUnity);
    while (!t.is_zero() && !t.is_one()) {
      unsigned k = 0;
      for (PrimeField u = t; !u.is_one(); u = u.squared()) ++k;
      if (k == order) return zero();
      for (unsigned i = k + 1; i < order; ++i) z = z.squared();
      order = k;
      root *= z;
      z = z.squared();
      t *= z;
    }
    return root;
  }

  Repr limbs_{};
};

// Replaces each element by its inverse (zero stays zero) with one inversion and 3 n products: Montgomery's
// trick. `scratch` must have the length of `elements`; its content on return is unspecified.
template <typename Field>
void batch_inverse(std::span<Field> elements, std::span<Field> scratch) noexcept {
  Field running = Field::one();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    scratch[i] = running;
    if (!elements[i].is_zero()) running *= elements[i];
  }
  running = running.inverse();
  for (std::size_t i = elements.size(); i-- > 0;) {
    if (elements[i].is_zero()) continue;
    const Field inverse = running * scratch[i];
    running *= elements[i];
    elements[i] = inverse;
  }
}

}  // namespace cuzk
