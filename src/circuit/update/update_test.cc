// The sector-update circuit against the network's: the checkpoints of the head and the first challenge at 2 KiB, and the
// values of a real update. Counts and digests of every size: tests/golden.
#include "circuit/update/update.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "r1cs/digest.h"
#include "r1cs/evaluate.h"
#include "r1cs/test_system.h"
#include "tests/support/checkpoints.h"
#include "vanilla/update_proof_reader.h"
#include "vanilla/update_public.h"

namespace cuzk {
namespace {

TEST(UpdateCircuit, FirstChallengePassesTheReferenceCheckpoints) {
  const UpdateShape shape = UpdateShape::of(*find_sector_shape(std::string_view("2KiB")).value());
  const UpdatePartitionProof proof = blank_update_proof(shape);
  TestSystem cs;
  synthesize_update(cs, shape, {0, Fr(), Fr(), Fr(), &proof});
  const std::vector<ExpectedCheckpoint> expected = {
      {"phi", 5, 11, 12, "1151206df2621843"},
      {"private", 5, 322, 323, "2be238821519f9bf"},
      {"commitments", 5, 333, 323, "2be238821519f9bf"},
      {"apex", 5, 955, 947, "40b9d2bf7b8fa846"},
      {"gen_challenge_bits", 5, 318272, 318601, "d023e4302efd69ec"},
      {"challenge 0", 5, 318839, 319169, "828bda6ca5b00c80"},
      {"challenge 1", 5, 457312, 457756, "6cf1a98c275b148f"},
  };
  expect_checkpoints(cs, expected);
}

Fr fr_from_hex(const char* hex) {
  return Fr::from_bytes_le(bytes32_from_hex(hex).value()).value();
}

// The update of the specification's 2 KiB sector.
UpdatePublic sample_statement() {
  return {UpdateShape::of(*find_sector_shape(std::string_view("2KiB")).value()),
          fr_from_hex("ca5e68ad20cbbb269ebcb7d19ca4c7367f3b6b65dc957cf2d4a7ce6f78abec6f"),
          fr_from_hex("2394f22bfcc6d9fcde0fec58ff18e0c094c57c0a1af417d89a13a8e5c25b1d2b"),
          fr_from_hex("d6c4fd0d8f2ef610c043fc2cd4a92ccd3c95390b3e559a5176656c6f8176001b")};
}
UpdatePartitionProof sample_proof(const UpdateShape& shape) {
  return read_update_proof_file(CUZK_TEST_DATA "/update-2k.pproof", shape).value();
}
Witness witness_of(const UpdatePublic& statement, const UpdatePartitionProof& proof, const R1cs& r1cs) {
  return update_witness(statement.shape,
                        {0, statement.comm_r_old, statement.comm_d_new, statement.comm_r_new, &proof}, r1cs);
}

TEST(UpdateCircuit, WitnessIsTheReferenceWitness) {
  const UpdatePublic statement = sample_statement();
  const R1cs r1cs = update_r1cs(statement.shape);
  const Witness witness = witness_of(statement, sample_proof(statement.shape), r1cs);
  ASSERT_TRUE(check_dimensions(r1cs, witness).is_ok());
  EXPECT_EQ(to_hex(values_digest(witness.inputs)),
            "9fd045ef9121bcbb9c6ba6215122bf048f8001ed5e5d1033d68d4a434e955c2d");
  EXPECT_EQ(to_hex(values_digest(expand_aux(r1cs, witness))),
            "315fc44e62d63f2954a592a7df87ef3311b2e9360de61365d4bead6d03c5ce21");
  EXPECT_EQ(first_unsatisfied(r1cs, witness), std::nullopt);
  const auto inputs = update_public_inputs(statement, 0);
  ASSERT_EQ(witness.inputs.size(), inputs.size() + 1);
  EXPECT_TRUE(std::equal(inputs.begin(), inputs.end(), witness.inputs.begin() + 1));

  const std::size_t rows = r1cs.num_domain_rows();
  std::vector<Fr> a(rows), b(rows), c(rows);
  evaluate(r1cs, witness, a, b, c);
  const auto digest = [&](const std::vector<Fr>& values) {
    return to_hex(values_digest(std::span(values).first(r1cs.num_constraints())));
  };
  EXPECT_EQ(digest(a), "ad6c8e65258f8becde14e4b23a56315410995e5f1745a3b4c769c22c9b5a4aae");
  EXPECT_EQ(digest(b), "6f8af432f475d2654c3d70bd5d8dd6112eac3c990eac286d07f0664da7bb5178");
  EXPECT_EQ(digest(c), "6a90a1032fca95f2237688622a1bce913b44d1af6af013703c1ae9a29d56b5c8");
}

// The values that the circuit takes from the vanilla proof and the request are bound by it.
TEST(UpdateCircuit, AChangedVanillaValueDoesNotSatisfy) {
  const UpdatePublic good_statement = sample_statement();
  const UpdatePartitionProof good = sample_proof(good_statement.shape);
  const R1cs r1cs = update_r1cs(good_statement.shape);
  const auto refused = [&](const auto& change) {
    UpdatePublic statement = good_statement;
    UpdatePartitionProof proof = good;
    change(statement, proof);
    return first_unsatisfied(r1cs, witness_of(statement, proof, r1cs)).has_value();
  };
  using Public = UpdatePublic;
  using Proof = UpdatePartitionProof;
  EXPECT_FALSE(refused([](Public&, Proof&) {}));
  EXPECT_TRUE(refused([](Public& p, Proof&) { p.comm_d_new += Fr::one(); }));
  EXPECT_TRUE(refused([](Public& p, Proof&) { p.comm_r_new += Fr::one(); }));
  EXPECT_TRUE(refused([](Public&, Proof& p) { p.comm_c += Fr::one(); }));
  EXPECT_TRUE(refused([](Public&, Proof& p) { p.apex_leaves[5] += Fr::one(); }));
  EXPECT_TRUE(refused([](Public&, Proof& p) { p.challenges[0].proof_r_old.root += Fr::one(); }));
  EXPECT_TRUE(refused([](Public&, Proof& p) { p.challenges[3].proof_r_old.leaf += Fr::one(); }));
  EXPECT_TRUE(refused([](Public&, Proof& p) { p.challenges[9].proof_d_new.leaf += Fr::one(); }));
  EXPECT_TRUE(refused([](Public&, Proof& p) { p.challenges[9].proof_r_new.siblings.back() += Fr::one(); }));
}

}  // namespace
}  // namespace cuzk
