// The PoRep circuit against the network's: counts, densities and digest of every size that is quick to write out, the
// checkpoints of the first challenge, and the values of a sealed 2 KiB sector through all four constraint systems.
#include "circuit/porep/porep.h"

#include <gtest/gtest.h>

#include "r1cs/digest.h"
#include "r1cs/evaluate.h"
#include "r1cs/proving_system.h"
#include "r1cs/test_system.h"

namespace cuzk {
namespace {

struct Row {
  const char* name;
  PorepCircuitShape shape;
  std::size_t inputs, aux, constraints, non_zeros_a, non_zeros_b, non_zeros_c, aux_in_a, aux_in_b;
  const char* digest;
};

PorepCircuitShape sector_shape(const char* name) {
  return PorepCircuitShape::of(*find_sector_shape(name).value());
}

PorepCircuitShape one_challenge(PorepCircuitShape shape) {
  shape.challenges = 1;
  return shape;
}

// Origin: the reference circuits (rust-fil-proofs 19.1, bellpepper-core 0.2.1) run with a recording constraint system.
std::vector<Row> quick_rows() {
  return {
      {"test base 2, 8 nodes",
       {3, {2, 2, 2}, 2, 1},
       22,
       1205053,
       1206212,
       2884516,
       1206473,
       2619453,
       1200052,
       307340,
       "09a832219d0d94cf9510c66e8a8000da04b417fc159f3756e088113d560d5a55"},
      {"test base 8",
       {3, {8}, 2, 1},
       22,
       1198525,
       1199620,
       2840868,
       1199929,
       2611389,
       1195188,
       302284,
       "35df2bb5636d65d093b878b7ff9953d57bcbaf7b845a6279bd2f1df6f144bf1d"},
      {"test 8-4",
       {5, {8, 4}, 2, 1},
       22,
       1295435,
       1296576,
       3090742,
       1297009,
       2812863,
       1290574,
       329874,
       "8b65cb2a31766dcc5956610d002bf2efe10466dba07acfe099689439570d3b75"},
      {"test 8-4-2",
       {6, {8, 4, 2}, 2, 1},
       22,
       1345810,
       1346982,
       3228935,
       1347477,
       2915976,
       1339699,
       345133,
       "4f5c5a8c6e482651ecd4c6e49c3a8cf6651398f59250c7e4226d2ac535e927c3"},
      {"2KiB", sector_shape("2KiB"), 40, 2685673, 2687921, 6420965, 2689006, 5824682, 2674908, 685521,
       "c48acf08e6220b0839cc17ab449cb1bf5d81d70f6c4048d301be4cadb3658429"},
      {"4KiB", sector_shape("4KiB"), 40, 2786423, 2788733, 6697351, 2789942, 6030908, 2773158, 716039,
       "c30ccd010a3cc455bb0f9d85ae1907fac16708441ff3764ff54d247d242bcf37"},
      {"16KiB", sector_shape("16KiB"), 40, 2974867, 2977173, 7162827, 2978726, 6427232, 2959930, 766963,
       "3370a12b2f18cd838359d221407177aa910a21715319500c500e4f2b6f8b6474"},
      {"32KiB", sector_shape("32KiB"), 40, 3075617, 3077985, 7439213, 3079662, 6633458, 3058180, 797481,
       "2f47d57564fd171c1a48adb357f57f37a4d983da87c4176b8d8c3ee1cf6d5f6a"},
      {"8MiB", sector_shape("8MiB"), 40, 3842449, 3844929, 9388413, 3847886, 8234882, 3814996, 1011289,
       "41eb0931d976566782164f2aa18f26c7fe6cc7a1c4d467bf7afca912f339c920"},
      {"512MiB", sector_shape("512MiB"), 40, 4420837, 4423433, 10872137, 4427326, 9439982, 4385040, 1174173,
       "add96459eedc02101315804462e19733fdec2594cfcba585a78a4302a484bd59"},
      {"32GiB, 1 challenge", one_challenge(sector_shape("32GiB")), 22, 7232200, 7238236, 17191638, 7240948,
       15703749, 7208979, 1840033, "6860eb35201b68c3f78601a5884f52cef6aa3011d088c7311fc43b74503d51cf"},
      {"64GiB, 1 challenge", one_challenge(sector_shape("64GiB")), 22, 7282575, 7288642, 17329831, 7291416,
       15806862, 7258104, 1855292, "b9694e049d7c4a8b451ab650d84390d53d4661c9f39a22d7ce9e3ca6846af5bd"},
  };
}

TEST(PorepCircuit, ShapeIsTheNetworks) {
  for (const Row& row : quick_rows()) {
    SCOPED_TRACE(row.name);
    const R1cs r1cs = porep_r1cs(row.shape);
    EXPECT_EQ(r1cs.num_inputs(), row.inputs);
    EXPECT_EQ(r1cs.num_aux(), row.aux);
    EXPECT_EQ(r1cs.num_constraints(), row.constraints);
    EXPECT_EQ(r1cs.non_zeros().a, row.non_zeros_a);
    EXPECT_EQ(r1cs.non_zeros().b, row.non_zeros_b);
    EXPECT_EQ(r1cs.non_zeros().c, row.non_zeros_c);
    const Densities densities = r1cs.densities();
    EXPECT_EQ(densities.aux_in_a.count_ones(), row.aux_in_a);
    EXPECT_EQ(densities.aux_in_b.count_ones(), row.aux_in_b);
    EXPECT_EQ(densities.inputs_in_b.count_ones(), 1u);
    EXPECT_EQ(to_hex(r1cs_digest(r1cs)), row.digest);
  }
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
  struct Expected {
    const char* path;
    std::size_t inputs, aux, constraints;
    const char* digest;
  };
  static constexpr Expected kExpected[] = {
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
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(expected.path);
    const auto& all = cs.checkpoints();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.path == expected.path; });
    ASSERT_NE(found, all.end());
    EXPECT_EQ(found->inputs, expected.inputs);
    EXPECT_EQ(found->aux, expected.aux);
    EXPECT_EQ(found->constraints, expected.constraints);
    EXPECT_EQ(to_hex(found->digest).substr(0, 16), expected.digest);
  }
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
