// Number-theoretic transforms over Fr on the device, and the quotient polynomial of a proof.
//
// A DeviceDomain holds the twiddle tables of one size (25 MB a kind of transform at 2^27) for the device that is current
// when it is made. Pointers are device memory; elements are in Montgomery form and canonical, order is natural in and
// out. Calls enqueue work on the stream and return; nothing is allocated, nothing synchronized. A domain may be used from
// several streams at once.
#pragma once

#include <array>
#include <cstddef>

#include "cuda/ntt/ntt_plan.h"
#include "cuda/runtime/buffer.h"
#include "field/fr.h"

namespace cuzk::cuda {

class DeviceDomain {
 public:
  // log_n at most NttPlan::kMaxLogN. Builds the tables on `stream`; complete on return. Throws CudaError.
  DeviceDomain(unsigned log_n, cudaStream_t stream);

  unsigned log_n() const noexcept { return plan_.log_n(); }
  std::size_t size() const noexcept { return std::size_t{1} << plan_.log_n(); }
  // Bytes of the tables of a domain of this size.
  static std::size_t table_bytes(unsigned log_n);

  // In place on size() elements; `d_scratch` has the same size and is overwritten. X_k = sum x_j w^(j k), w the root of
  // unity of the host's Domain; the inverse divides by size().
  void ntt(Fr* d_data, Fr* d_scratch, cudaStream_t stream) const;
  void intt(Fr* d_data, Fr* d_scratch, cudaStream_t stream) const;

  // The coefficients of h = (a b - c) / (x^size() - 1) from the values of a, b, c on the domain, by the method of
  // poly/quotient.cc. h replaces a; b, c and the scratch are overwritten. size() >= 2. On a satisfied system the last
  // coefficient is zero.
  void quotient(Fr* d_a, Fr* d_b, Fr* d_c, Fr* d_scratch, cudaStream_t stream) const;

 private:
  // The coset is g times the domain, g^2 = w, so x^size() = -1 on it. kHalfInverse divides by 2 besides, kCosetInverse
  // by -2.
  enum Kind : std::size_t { kForward, kInverse, kCosetForward, kHalfInverse, kCosetInverse };
  static constexpr std::size_t kNumKinds = 5;

  struct PassTables {
    const Fr* input = nullptr;  // [radix] factors of the inputs, or none
    const Fr* high = nullptr;   // twiddles, see ntt_plan.h; none if all are 1
    const Fr* low = nullptr;
    const Fr* roots = nullptr;  // w_radix^i
  };

  void build(Kind kind, Fr*& d_next, cudaStream_t stream);
  // The transform of d_data * d_b, plus d_sum; of d_data itself, or without a sum, where these are null.
  void run(Kind kind, Fr* d_data, const Fr* d_b, const Fr* d_sum, Fr* d_scratch, cudaStream_t stream) const;

  NttPlan plan_;
  DeviceBuffer<Fr> memory_;
  std::array<std::array<PassTables, NttPlan::kMaxPasses>, kNumKinds> tables_{};
};

}  // namespace cuzk::cuda
