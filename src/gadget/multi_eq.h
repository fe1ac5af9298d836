// MultiEq: equalities of small integers, many to a constraint.
//
// If lhs_k = rhs_k are equalities of non-negative integers below 2^(n_k), and the n_k add up to less than
// 254, then sum_k 2^(offset_k) lhs_k = sum_k 2^(offset_k) rhs_k in the field implies all of them. A constraint
// is emitted when the next equality would not fit, and at the end: these points are observable. Source:
// docs/formats/circuits.md 1.3.
#pragma once

#include "gadget/fill.h"
#include "r1cs/constraint_system.h"

namespace cuzk {

template <ConstraintSystem CS>
class MultiEq {
 public:
  explicit MultiEq(CS& cs) noexcept : cs_(cs) {}
  ~MultiEq() { flush(); }
  MultiEq(const MultiEq&) = delete;
  MultiEq& operator=(const MultiEq&) = delete;

  // Every other constraint goes to this system directly.
  CS& cs() noexcept { return cs_; }

  // lhs = rhs, both below 2^num_bits; num_bits < 64. `lhs` and `rhs` are callables (LinearCombination&, const
  // Fr& scale) that add their side times scale. Not called where the system wants no constraints.
  template <class Lhs, class Rhs>
  void enforce_equal(unsigned num_bits, const Lhs& lhs, const Rhs& rhs) {
    if constexpr (CS::kWantsConstraints) {
      if (bits_used_ + num_bits >= kFrCapacity) flush();
      lhs(lhs_, scale_);
      rhs(rhs_, scale_);
      scale_ *= Fr::from_u64(std::uint64_t{1} << num_bits);
      bits_used_ += num_bits;
    }
  }

 private:
  void flush() {
    if (bits_used_ == 0) return;
    cs_.enforce([&](LinearCombination& lc) { lc.add(lhs_); }, one_term(),
                [&](LinearCombination& lc) { lc.add(rhs_); });
    lhs_.clear();
    rhs_.clear();
    scale_ = Fr::one();
    bits_used_ = 0;
  }

  CS& cs_;
  unsigned bits_used_ = 0;
  Fr scale_ = Fr::one();  // 2^bits_used_
  LinearCombination lhs_, rhs_;
};

}  // namespace cuzk
