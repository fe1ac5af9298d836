// WitnessSystem: computes the values of a circuit and nothing else. enforce() compiles to nothing.
//
// A gadget may have a fast path here that writes many bits at once with alloc_bits(); it must leave the same
// witness as the general path.
#pragma once

#include "r1cs/constraint_system.h"
#include "r1cs/witness.h"

namespace cuzk {

class WitnessSystem {
 public:
  static constexpr bool kWantsConstraints = false;

  WitnessSystem() { witness_.inputs.push_back(Fr::one()); }
  // Makes room for a circuit of this size, so that synthesis does not reallocate.
  void reserve(const R1cs& r1cs) {
    witness_.inputs.reserve(r1cs.num_inputs());
    witness_.bits.reserve(r1cs.num_aux());
    witness_.fulls.reserve(r1cs.num_full());
  }

  Variable alloc(const Fr& value) {
    const auto index = static_cast<std::uint32_t>(witness_.bits.size());
    witness_.bits.append(0, 1);
    witness_.fulls.push_back(value);
    return Variable::aux(index);
  }
  Variable alloc_bit(bool value) {
    const auto index = static_cast<std::uint32_t>(witness_.bits.size());
    witness_.bits.append(value ? 1 : 0, 1);
    return Variable::aux(index);
  }
  // `count` bit variables at once, lowest bit of `values` first; count <= 64, higher bits of `values` zero.
  void alloc_bits(std::uint64_t values, unsigned count) { witness_.bits.append(values, count); }
  Variable alloc_input(const Fr& value) {
    witness_.inputs.push_back(value);
    return Variable::input(static_cast<std::uint32_t>(witness_.inputs.size() - 1));
  }

  template <class A, class B, class C>
  void enforce(const A&, const B&, const C&) noexcept {}

  template <class Block>
  void repeat(std::size_t n, const Block& block) {
    for (std::size_t i = 0; i < n; ++i) block(i);
  }
  template <class Parameters, class Block>
  void repeat(std::size_t n, const Parameters&, const Block& block) {
    repeat(n, block);
  }

  void enter(const char*, int) noexcept {}
  void leave() noexcept {}

  // Hands out the witness; the system is empty afterwards and must not be used again.
  Witness finish() { return std::move(witness_); }

 private:
  Witness witness_;
};

}  // namespace cuzk
