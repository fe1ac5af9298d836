// The scalars of a setup: the number by which the generator is multiplied, for every point of the parameters
// (docs/formats/params.md). What is left to a backend is to multiply.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/buffer.h"
#include "base/status.h"
#include "groth16/prove_timings.h"
#include "groth16/setup.h"
#include "r1cs/r1cs.h"

namespace cuzk {

class SetupScalars {
 public:
  // Uses all threads. Memory besides the circuit, at the peak: 32 bytes per constraint and 100 per variable; the first
  // part is gone on return. `progress` may be null; its step is "qap".
  //   invalid_argument  a toxic scalar is zero or tau is in the domain; a variable occurs in no constraint or has, by
  //                     an unlucky choice of scalars, a point at infinity, which no reader accepts
  static Result<SetupScalars> compute(const R1cs& r1cs, const ToxicWaste& toxic,
                                      ProgressObserver* progress = nullptr);

  const SrsCounts& counts() const noexcept { return counts_; }
  // out[i] is the scalar of point begin + i of the query, and not zero; the range must be one of the query (checked).
  // Parallel; any thread.
  void fill(Query query, std::size_t begin, std::span<Fr> out) const;
  // The key itself: few points, multiplied here. Parallel.
  VerifyingKey verifying_key() const;

 private:
  // tau^i factor for i in any order: a table of powers of tau^1024 and one of tau.
  class PowerTable {
   public:
    PowerTable() = default;
    PowerTable(const Fr& tau, const Fr& factor, std::size_t count);
    Fr operator()(std::size_t i) const noexcept { return high_[i / kLow] * low_[i % kLow]; }

   private:
    static constexpr std::size_t kLow = 1024;
    Buffer<Fr> low_;
    Buffer<Fr> high_;
  };

  SetupScalars(const R1cs& r1cs, const ToxicWaste& toxic, const Densities& densities);
  void compute_columns(const R1cs& r1cs, const Densities& densities, ProgressObserver* progress);
  Status check_finite() const;
  std::string column_name(std::size_t column) const;

  ToxicWaste toxic_;
  Fr gamma_inverse_;
  Fr delta_inverse_;
  std::size_t num_inputs_;
  SrsCounts counts_;
  PowerTable h_powers_;
  // By variable, inputs, then aux.
  Buffer<Fr> a_;
  Buffer<Fr> b_;
  Buffer<Fr> combined_;              // beta a_i + alpha b_i + c_i
  Buffer<std::uint32_t> a_columns_;  // the variables with a point in query a
  Buffer<std::uint32_t> b_columns_;  // and in b_g1, b_g2
};

}  // namespace cuzk
