// WitnessSystem: computes the values of a circuit and nothing else. enforce() compiles to nothing.
//
// Where the circuit is known beforehand, so is the place of every value of every repetition: the repetitions then run in
// parallel, each through a system of its own that writes straight into its part of the one witness. The result does not depend
// on the number of threads.
//
// A gadget may have a fast path here that writes many bits at once with alloc_bits(); it must leave the same
// witness as the general path.
#pragma once

#include "base/check.h"
#include "base/thread_pool.h"
#include "r1cs/bit_writer.h"
#include "r1cs/constraint_system.h"
#include "r1cs/witness.h"

namespace cuzk {

class WitnessSystem {
 public:
  static constexpr bool kWantsConstraints = false;

  // For a circuit whose size is not known: grows with it; repetitions run one after the other.
  WitnessSystem();
  // For the circuit `r1cs`: exactly its variables must be allocated (checked). Repetitions run on the threads of `pool`, so a
  // block must not change what another repetition uses. Both must outlive the system.
  explicit WitnessSystem(const R1cs& r1cs, ThreadPool& pool = ThreadPool::global());
  WitnessSystem(const WitnessSystem&) = delete;
  WitnessSystem& operator=(const WitnessSystem&) = delete;

  Variable alloc(const Fr& value) {
    if (fulls_.next == fulls_.end) more_fulls();
    *fulls_.next++ = value;
    return alloc_bit(false);
  }
  Variable alloc_bit(bool value) {
    const auto index = static_cast<std::uint32_t>(bits_.position());
    alloc_bits(value ? 1 : 0, 1);
    return Variable::aux(index);
  }
  // `count` bit variables at once, lowest bit of `values` first; count <= 64, higher bits of `values` zero.
  void alloc_bits(std::uint64_t values, unsigned count) {
    if (count > end_bit_ - bits_.position()) more_bits();
    bits_.append(values, count);
  }
  Variable alloc_input(const Fr& value) {
    if (inputs_.next == inputs_.end) more_inputs();
    const auto index = static_cast<std::uint32_t>(inputs_.index());
    *inputs_.next++ = value;
    return Variable::input(index);
  }

  template <class A, class B, class C>
  void enforce(const A&, const B&, const C&) noexcept {}

  template <class Block>
  void repeat(std::size_t n, const Block& block) {
    if (r1cs_ == nullptr || n < 2) {
      for (std::size_t i = 0; i < n; ++i) block(*this, i);
      return;
    }
    const R1csBlock& repeated = begin_repetitions(n);
    pool_->parallel_for(n, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        WitnessSystem part(*this, repeated, i);
        block(part, i);
        part.end_part();
      }
    });
    end_repetitions(repeated);
  }
  template <class Parameters, class Block>
  void repeat(std::size_t n, const Parameters&, const Block& block) {
    repeat(n, block);
  }

  void enter(const char*, int) noexcept {}
  void leave() noexcept {}

  // Hands out the witness; the system must not be used again.
  Witness finish();

 private:
  // Where the values of one kind go.
  struct Values {
    Values() noexcept = default;
    explicit Values(Fr* whole) noexcept : all(whole) {}
    // The `count` values from `first` on.
    Values part(std::size_t first, std::size_t count) const noexcept {
      Values values(all);
      values.next = all + first;
      values.end = values.next + count;
      return values;
    }
    std::size_t index() const noexcept { return static_cast<std::size_t>(next - all); }

    Fr* all = nullptr;   // of the whole witness
    Fr* next = nullptr;  // the next one's place
    Fr* end = nullptr;   // of this system's part
  };

  // The system of repetition k of a block of the whole circuit.
  WitnessSystem(const WitnessSystem& whole, const R1csBlock& block, std::size_t k);

  // The block of n repetitions that begins here (checked).
  const R1csBlock& begin_repetitions(std::size_t n);
  // Goes on behind them.
  void end_repetitions(const R1csBlock& block);
  // The part is complete (checked) and in the witness.
  void end_part();
  // Make room for one more value, or for 64 bits, in a system that may grow (checked).
  template <class Vector>
  void enlarge(Values& values, Vector& storage) const;
  void more_inputs();
  void more_fulls();
  void more_bits();

  Values inputs_, fulls_;
  std::uint64_t* words_ = nullptr;  // of the whole bit map
  BitWriter bits_;
  std::size_t end_bit_ = 0;  // of this system's part
  bool may_grow_ = false;

  // Of the system of a whole circuit only.
  Witness witness_;
  const R1cs* r1cs_ = nullptr;
  ThreadPool* pool_ = nullptr;
  std::size_t next_block_ = 0;  // the first that no repeat() has taken
};

}  // namespace cuzk
