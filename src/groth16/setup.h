// What a test setup is made of: the toxic scalars, and the sink into which the parameters flow.
//
// Only for tests: whoever knows the scalars can forge proofs. Production parameters come from a ceremony.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "field/fr.h"
#include "groth16/srs_view.h"

namespace cuzk {

struct ToxicWaste {
  Fr alpha;
  Fr beta;
  Fr gamma;
  Fr delta;
  Fr tau;

  // invalid_argument if one is zero or tau^(2^log_domain) = 1: such parameters would have points at infinity.
  Status check(unsigned log_domain) const;
};

// Receives the parameters of one circuit in the order of a parameter file: begin(), then the points of h, l, a, b_g1 and
// b_g2 by append() in chunks of any number of whole points, uncompressed (curve/encoding.h), then finish(). A query without
// points is skipped. Calls come one after the other, from any thread; the bytes belong to the caller and may change after the
// call. A failure of any call ends the setup; finish() is then not called.
class SrsSink {
 public:
  virtual ~SrsSink() = default;
  virtual Status begin(const VerifyingKey& vk, const SrsCounts& counts) = 0;
  virtual Status append(Query query, std::span<const std::uint8_t> encoded) = 0;
  virtual Status finish() = 0;
};

}  // namespace cuzk
