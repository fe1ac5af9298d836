// Damaged points in parameters (support/byte_fuzzer.h): refused when they are loaded, or points of the curve, with which proofs
// can be made.
#include <gtest/gtest.h>

#include "cpu/cpu_backend.h"
#include "cpu/setup.h"
#include "groth16/verify.h"
#include "reference/random_circuit.h"
#include "reference/srs_buffer.h"
#include "support/byte_fuzzer.h"

namespace cuzk {
namespace {

TEST(CpuLoadFuzz, DamagedPointsAreRefused) {
  ByteFuzzer fuzzer(300);
  const reference::CircuitSpec spec{.num_constraints = 33, .seed = 33};
  const auto r1cs = reference::random_r1cs(spec);
  const Fr x = Fr::from_u64(4711).inverse();
  reference::SrsBuffer good;
  ASSERT_TRUE(setup(*r1cs, {x, x * x, x + x, x + Fr::one(), x - Fr::from_u64(5)}, good).is_ok());
  const PreparedVerifyingKey key(good.vk());
  const Witness witness = reference::random_witness(spec, reference::Values::edge_elements, 0);
  CpuBackend backend;
  std::size_t refused = 0;
  while (fuzzer.next()) {
    reference::SrsBuffer srs = good;
    auto& points = srs.bytes(kQueries[fuzzer.below(kQueries.size())]);
    // The length of a query is the concern of the file's reader.
    const std::size_t length = points.size();
    points = fuzzer.damaged(points);
    points.resize(length);
    const auto resident = backend.load(srs.view(), r1cs);
    if (!resident.is_ok()) {
      EXPECT_EQ(resident.status().code(), StatusCode::invalid_argument) << resident.status().to_string();
      ++refused;
      continue;
    }
    ProveTimings timings;
    const auto proof = backend.prove(*resident.value(), witness, {x, x + x}, timings);
    ASSERT_TRUE(proof.is_ok()) << proof.status().to_string();
    const Status status = verify(key, std::span(witness.inputs).subspan(1), proof.value());
    EXPECT_TRUE(status.is_ok() || status.code() == StatusCode::not_satisfied) << status.to_string();
  }
  EXPECT_GT(refused, fuzzer.round() / 2);
}

}  // namespace
}  // namespace cuzk
