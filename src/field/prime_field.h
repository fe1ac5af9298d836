// PrimeField<Params>: an element of a prime field in Montgomery form, x * 2^(64 N) mod p, always fully
// reduced.
//
// All operations are total, noexcept and without side effects; only decoding can fail. None is constant time:
// a proof's witness is known to whoever runs the prover. Params gives kLimbs, the constants below and `mul`,
// the Montgomery product (montgomery.h), which picks mulx/adx code or its portable twin when the process
// starts.
#pragma once

#include <cstring>
#include <optional>
#include <span>

#include "field/limbs.h"

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
    PrimeField sum;
    add_limbs(sum.limbs_, a.limbs_, b.limbs_);  // 2p < 2^(64 N): no carry out
    PrimeField reduced;
    const bool borrow = sub_limbs(reduced.limbs_, sum.limbs_, Params::kModulus) != 0;
    return borrow ? sum : reduced;
  }
  friend constexpr PrimeField operator-(const PrimeField& a, const PrimeField& b) noexcept {
    PrimeField difference;
    if (sub_limbs(difference.limbs_, a.limbs_, b.limbs_) != 0) {
      add_limbs(difference.limbs_, difference.limbs_, Params::kModulus);
    }
    return difference;
  }
  friend PrimeField operator*(const PrimeField& a, const PrimeField& b) noexcept {
    PrimeField product;
    Params::mul(product.limbs_, a.limbs_, b.limbs_);
    return product;
  }
  constexpr PrimeField operator-() const noexcept {
    if (is_zero()) return *this;
    PrimeField negated;
    sub_limbs(negated.limbs_, Params::kModulus, limbs_);
    return negated;
  }
  constexpr PrimeField& operator+=(const PrimeField& other) noexcept { return *this = *this + other; }
  constexpr PrimeField& operator-=(const PrimeField& other) noexcept { return *this = *this - other; }
  PrimeField& operator*=(const PrimeField& other) noexcept { return *this = *this * other; }
  constexpr PrimeField doubled() const noexcept { return *this + *this; }
  PrimeField squared() const noexcept { return *this * *this; }

  // this^exponent, exponent a little-endian integer of any length.
  PrimeField pow(std::span<const std::uint64_t> exponent) const noexcept {
    PrimeField result = one();
    for (std::size_t i = exponent.size(); i-- > 0;) {
      for (int bit = 63; bit >= 0; --bit) {
        result = result.squared();
        if ((exponent[i] >> bit) & 1) result *= *this;
      }
    }
    return result;
  }
  PrimeField pow(std::uint64_t exponent) const noexcept { return pow(std::span(&exponent, 1)); }

  // 1/this; zero for zero.
  PrimeField inverse() const noexcept {
    Repr exponent = Params::kModulus;
    Repr two{};
    two[0] = 2;
    sub_limbs(exponent, exponent, two);
    return pow(exponent);
  }

 private:
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
