// Domain: the 2^log_n-th roots of unity in Fr, and the discrete Fourier transforms over them.
//
// w = ROOT_OF_UNITY^(2^(32 - log_n)), the convention of bellperson (docs/formats/proof.md). Transforms work in place on all threads of the global pool, with AVX-512 IFMA
// where the processor has it and the same results where not. A Domain is immutable: any number of threads may
// use one. It keeps tables of 0.5 MB, plus 160 * 2^(log_n - 12) bytes (5.2 MB at log_n = 27); a transform
// needs up to 1 MB more per thread, which the thread keeps. Method: ntt_kernel.h.
#pragma once

#include <memory>
#include <span>

#include "field/fr.h"

namespace cuzk {

class NttKernel;
struct PassPlan;

enum class Order {
  natural,
  bit_reversed,  // position i holds the element whose index is i with its log_n bits in reverse order
};

class Domain {
 public:
  // How transforms are computed, never what they give. The defaults are for use; tests set the others.
  struct Tuning {
    bool allow_ifma = true;
    unsigned row_levels = 12;     // 2^row_levels values are transformed where they lie: 6 to 13
    unsigned column_levels = 10;  // at most, in a pass over strided columns: 1 to 12
  };

  // log_n <= 31 (checked): r - 1 has two-adicity 32, and the quotient takes a square root of w.
  explicit Domain(unsigned log_n) : Domain(log_n, Tuning{}) {}
  Domain(unsigned log_n, const Tuning& tuning);
  ~Domain();
  Domain(Domain&&) noexcept;
  Domain& operator=(Domain&&) noexcept;

  unsigned log_n() const noexcept { return log_n_; }
  std::size_t size() const noexcept { return std::size_t{1} << log_n_; }
  // The primitive n-th root of unity w.
  const Fr& omega() const noexcept { return omega_; }

  // For all below: `values` has length size() (checked). Natural to bit-reversed order, or back, is the
  // natural direction of the algorithm; where both orders are the same, a permutation is added (about an
  // eighth of the time at 2^22).

  // Coefficients f_i -> values f(w^i).
  void ntt(std::span<Fr> values, Order from = Order::natural, Order to = Order::natural) const;
  // The inverse of ntt.
  void intt(std::span<Fr> values, Order from = Order::natural, Order to = Order::natural) const;

  // For the other files of this folder.
  const NttKernel& kernel() const noexcept { return *kernel_; }
  const PassPlan& plan() const noexcept { return *plan_; }

 private:
  unsigned log_n_;
  Fr omega_;
  std::unique_ptr<const PassPlan> plan_;
  std::unique_ptr<const NttKernel> kernel_;
};

}  // namespace cuzk
