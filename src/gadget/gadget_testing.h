// For the tests of gadgets: random values, and what every gadget must satisfy.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

#include "gadget/allocated_num.h"
#include "r1cs/evaluate.h"
#include "r1cs/proving_system.h"
#include "r1cs/shape_system.h"
#include "r1cs/test_system.h"
#include "r1cs/witness_system.h"

namespace cuzk {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t u64() { return engine_(); }
  bool bit() { return (engine_() & 1) != 0; }
  std::size_t below(std::size_t n) { return engine_() % n; }
  Fr fr() {
    for (;;) {
      const FrRepr repr = {u64(), u64(), u64(), u64() >> 1};
      if (const auto value = Fr::from_repr(repr)) return *value;
    }
  }
  std::vector<Fr> frs(std::size_t n) {
    std::vector<Fr> values(n);
    for (Fr& value : values) value = fr();
    return values;
  }

 private:
  std::mt19937_64 engine_;
};

// Runs synthesize(cs), a generic callable, through all systems and holds them to each other; then changes
// `samples` of the aux values, each of which some constraint must notice.
template <class Synthesize>
void expect_sound(const Synthesize& synthesize, std::size_t samples, std::uint64_t seed) {
  ShapeSystem shape_system;
  synthesize(shape_system);
  const R1cs r1cs = shape_system.finish();
  WitnessSystem witness_system;
  synthesize(witness_system);
  const Witness witness = witness_system.finish();
  ProvingSystem proving;
  synthesize(proving);
  ASSERT_TRUE(check_dimensions(r1cs, witness).is_ok()) << check_dimensions(r1cs, witness).to_string();
  EXPECT_EQ(witness.inputs, proving.inputs());
  EXPECT_EQ(expand_aux(r1cs, witness), proving.aux());
  EXPECT_EQ(first_unsatisfied(r1cs, witness), std::nullopt);

  TestSystem test;
  synthesize(test);
  EXPECT_EQ(test.first_unsatisfied(), std::nullopt);
  EXPECT_EQ(test.aux(), proving.aux());
  EXPECT_EQ(test.digest(), r1cs_digest(r1cs));
  Random random(seed);
  for (std::size_t i = 0; i < samples; ++i) {
    const std::size_t index = random.below(test.num_aux());
    const Fr honest = test.aux()[index];
    // For a bit both the other bit and no bit at all.
    for (const Fr& changed : {Fr::one() - honest, honest + random.fr()}) {
      if (changed == honest) continue;
      test.set_aux(index, changed);
      EXPECT_TRUE(test.first_unsatisfied().has_value()) << "aux " << index << ", seed " << seed;
    }
    test.set_aux(index, honest);
  }
}

template <ConstraintSystem CS>
std::vector<AllocatedNum> allocated(CS& cs, std::span<const Fr> values) {
  std::vector<AllocatedNum> nums;
  for (const Fr& value : values) nums.push_back(AllocatedNum::alloc(cs, value));
  return nums;
}

// The bytes of eight big-endian words.
template <class Words>
Bytes32 digest_bytes(const Words& words) {
  Bytes32 bytes;
  for (std::size_t i = 0; i < words.size(); ++i)
    store_be<std::uint32_t>(bytes.data() + 4 * i, words[i].value());
  return bytes;
}

}  // namespace cuzk
