// The PoRep circuit against the network's: the checkpoints of the first challenge, and the values of a sealed 2 KiB sector
// through all four constraint systems. Counts and digests of every size: tests/golden.
#include "circuit/porep/porep.h"

#include <gtest/gtest.h>

#include "r1cs/digest.h"
#include "r1cs/evaluate.h"
#include "r1cs/proving_system.h"
#include "r1cs/test_system.h"
#include "tests/support/checkpoints.h"

namespace cuzk {
namespace {

PorepCircuitShape sector_shape(const char* name) {
  return PorepCircuitShape::of(*find_sector_shape(std::string_view(name)).value());
}

C1 sample_c1() {
  return read_c1_file(CUZK_TEST_DATA "/porep-2k-c1.json").value();
}

TEST(PorepCircuit, CompactWitnessIsTheReferenceWitness) {
  const C1 c1 = sample_c1();
  const R1cs r1cs = porep_r1cs(sector_shape("2KiB"));
  const Witness witness = porep_witness(porep_partition(c1, 0), r1cs);
  ASSERT_TRUE(check_dimensions(r1cs, witness).is_ok());
  EXPECT_EQ(to_hex(values_digest(witness.inputs)),
            "0eb85a2bbb2d16b9c043344e83dda3927511e2c90d633f963c33c23a6eec5c8a");
  EXPECT_EQ(to_hex(values_digest(expand_aux(r1cs, witness))),
            "f4179bbb4f3b3df7c5b4bad8af59914db3e6a993582fc4dd6a8c2f9a5bfd2b76");
  EXPECT_EQ(first_unsatisfied(r1cs, witness), std::nullopt);

  const std::size_t rows = r1cs.num_domain_rows();
  std::vector<Fr> a(rows), b(rows), c(rows);
  evaluate(r1cs, witness, a, b, c);
  const auto digest = [&](const std::vector<Fr>& values) {
    return to_hex(values_digest(std::span(values).first(r1cs.num_constraints())));
  };
  EXPECT_EQ(digest(a), "6d63517014cc3785e964f9f1c8504166e2c30fd44a7afdd1b62279db2e6ee3ac");
  EXPECT_EQ(digest(b), "79088f211606eecd2a3a3a9eeed39bb26daf220a57b253f90a7c669fc3ac4dd5");
  EXPECT_EQ(digest(c), "7fe3eed26c8f7da9117eb4865a518f09fae603d903622660ea8a0b48529e1bb5");
  EXPECT_LT(witness.memory_bytes(), std::size_t{4} << 20);
}

TEST(PorepCircuit, ClassicalSynthesisAgrees) {
  const C1 c1 = sample_c1();
  ProvingSystem cs;
  synthesize_porep(cs, porep_partition(c1, 0));
  EXPECT_EQ(to_hex(values_digest(cs.inputs())),
            "0eb85a2bbb2d16b9c043344e83dda3927511e2c90d633f963c33c23a6eec5c8a");
  EXPECT_EQ(to_hex(values_digest(cs.aux())),
            "f4179bbb4f3b3df7c5b4bad8af59914db3e6a993582fc4dd6a8c2f9a5bfd2b76");
  EXPECT_EQ(to_hex(values_digest(cs.a())),
            "6d63517014cc3785e964f9f1c8504166e2c30fd44a7afdd1b62279db2e6ee3ac");
  EXPECT_EQ(to_hex(values_digest(cs.b())),
            "79088f211606eecd2a3a3a9eeed39bb26daf220a57b253f90a7c669fc3ac4dd5");
  EXPECT_EQ(to_hex(values_digest(cs.c())),
            "7fe3eed26c8f7da9117eb4865a518f09fae603d903622660ea8a0b48529e1bb5");
  const Densities shape = porep_r1cs(sector_shape("2KiB")).densities();
  EXPECT_EQ(cs.densities().aux_in_a, shape.aux_in_a);
  EXPECT_EQ(cs.densities().aux_in_b, shape.aux_in_b);
  EXPECT_EQ(cs.densities().inputs_in_b, shape.inputs_in_b);
}

TEST(PorepCircuit, FirstChallengePassesTheReferenceCheckpoints) {
  const PorepCircuitShape shape = sector_shape("2KiB");
  const std::vector<PorepChallengeProof> challenges(shape.challenges, blank_porep_challenge(shape));
  TestSystem cs;
  synthesize_porep(cs, {Fr(), Fr(), Fr(), challenges});
  const std::vector<ExpectedCheckpoint> expected = {
      {"challenge 0", 4, 571, 571, "681bfeb5237a77e9"},
      {"challenge 0/comm_d_inclusion", 4, 572, 571, "681bfeb5237a77e9"},
      {"challenge 0/comm_d_inclusion/path", 4, 272582, 272863, "36a86c0d80a126d5"},
      {"challenge 0/drg_parent_inclusion 0", 5, 272895, 273176, "61f61066a17a5a0b"},
      {"challenge 0/exp_parent_inclusion 7", 18, 290926, 291025, "02892e90dcd36205"},
      {"challenge 0/labeling 1", 20, 292064, 292152, "2b9ea02a6f6ea1ed"},
      {"challenge 0/labeling 1/create_label", 20, 293594, 293688, "9f1d84cf5c9a6dad"},
      {"challenge 0/labeling 2", 20, 815343, 815957, "ad80a9c8f546aad0"},
      {"challenge 0/labeling 2/create_label", 20, 818913, 819541, "d8215580aab1993b"},
      {"challenge 0/comm_r_last_inclusion", 20, 1340663, 1341811, "54bb009078a2f00d"},
      {"challenge 0/c_x_inclusion", 21, 1342048, 1343184, "ee6ea213a90ae588"},
      {"challenge 1", 22, 1343122, 1344246, "edccf624b9281a5e"},
  };
  expect_checkpoints(cs, expected);
}

// Every value that the circuit takes from the vanilla proof is bound by it: a change is an unsatisfied constraint.
TEST(PorepCircuit, AChangedVanillaValueDoesNotSatisfy) {
  const R1cs r1cs = porep_r1cs(sector_shape("2KiB"));
  const auto refused = [&](const auto& change) {
    C1 c1 = sample_c1();
    change(c1);
    return first_unsatisfied(r1cs, porep_witness(porep_partition(c1, 0), r1cs)).has_value();
  };
  const auto bump = [](Fr& value) { value += Fr::one(); };
  EXPECT_FALSE(refused([](C1&) {}));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.replica_id); }));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.comm_d); }));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.comm_r); }));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.partitions[0][0].comm_d_proof.leaf); }));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.partitions[0][1].comm_d_proof.siblings.back()); }));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.partitions[0][0].comm_r_last_proof.siblings.front()); }));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.partitions[0][0].comm_r_last_proof.root); }));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.partitions[0][0].c_x.inclusion_proof.root); }));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.partitions[0][1].c_x.inclusion_proof.siblings.back()); }));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.partitions[0][0].drg_parents[5].rows[0]); }));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.partitions[0][1].exp_parents[7].rows[1]); }));
  EXPECT_TRUE(refused([&](C1& c1) { bump(c1.partitions[0][1].exp_parents[0].inclusion_proof.siblings[3]); }));
  EXPECT_TRUE(refused([&](C1& c1) { c1.partitions[0][0].labeling_proofs[0].node ^= 1; }));
  EXPECT_TRUE(
      refused([&](C1& c1) { c1.partitions[0][0].drg_parents[0].inclusion_proof.levels[0].index ^= 1; }));
}

}  // namespace
}  // namespace cuzk
