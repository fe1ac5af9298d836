// Prover id, replica id and public inputs against what the reference prover wrote down beside each C1 object.
#include "vanilla/porep_public.h"

#include <gtest/gtest.h>

#include "vanilla/c1_test_data.h"

namespace cuzk {
namespace {

std::string prover_id_hex(std::uint64_t miner, std::size_t bytes) {
  const Bytes32 id = prover_id(miner);
  EXPECT_EQ(to_hex(std::span(id).subspan(bytes)), std::string(2 * (32 - bytes), '0'));
  return to_hex(std::span(id).first(bytes));
}

TEST(ProverId, IsLeb128) {
  EXPECT_EQ(prover_id_hex(0, 1), "00");
  EXPECT_EQ(prover_id_hex(127, 1), "7f");
  EXPECT_EQ(prover_id_hex(128, 2), "8001");
  EXPECT_EQ(prover_id_hex(1000, 2), "e807");
  EXPECT_EQ(prover_id_hex(~std::uint64_t{0}, 10), "ffffffffffffffffff01");
}

TEST(ReplicaId, OfEverySample) {
  for (const C1Sample& sample : c1_samples()) {
    if (sample.meta == nullptr) continue;
    SCOPED_TRACE(sample.file);
    const auto meta = read_test_json(sample.meta);
    const auto bytes = [&](const char* key) {
      return bytes32_from_hex(meta[key].get<std::string>()).value();
    };
    const SealProof proof = seal_proof_from_name(meta["registered_proof"].get<std::string>()).value();
    EXPECT_EQ(prover_id(1000), bytes("prover_id"));
    EXPECT_EQ(replica_id(bytes("prover_id"), meta["sector_num"], bytes("ticket"), bytes("comm_d"),
                         proof.porep_id()),
              bytes("replica_id"));
  }
}

TEST(PorepPublicInputs, EqualTheReference) {
  int compared = 0;
  for (const C1Sample& sample : c1_samples()) {
    if (sample.proof == nullptr) continue;
    SCOPED_TRACE(sample.file);
    const C1 c1 = read_test_c1(sample.file);
    const auto expected = read_test_json(sample.proof)["public_inputs_le_hex"];
    ASSERT_EQ(expected.size(), c1.partitions.size());
    for (unsigned k = 0; k < expected.size(); ++k) {
      std::vector<std::string> inputs;
      for (const Fr& input : porep_public_inputs(c1.statement(), k))
        inputs.push_back(to_hex(input.to_bytes_le()));
      EXPECT_EQ(inputs, expected[k].get<std::vector<std::string>>());
    }
    ++compared;
  }
  EXPECT_EQ(compared, 5);
}

TEST(PorepPublicInputs, EqualTheSampleOfTheSpecification) {
  const C1 c1 = read_test_c1("porep-2k-c1.json");
  const auto expected = read_test_json("sample-2k.json")["porep_public_inputs"];  // ONE first
  const auto inputs = porep_public_inputs(c1.statement(), 0);
  ASSERT_EQ(inputs.size() + 1, expected.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& want = expected[i + 1];
    if (want.is_string()) {
      EXPECT_EQ(to_hex(inputs[i].to_bytes_le()), want.get<std::string>());
    } else {
      EXPECT_EQ(inputs[i], Fr::from_u64(want.get<std::uint64_t>()));
    }
  }
}

TEST(PorepPublicInputs, CountOfProductionSizes) {
  const SealProof proof = seal_proof_from_number(8).value();
  const PorepPublic statement = {proof, Fr::from_u64(1), Fr::from_u64(2), Fr::from_u64(3), Bytes32{4}};
  EXPECT_EQ(porep_public_inputs(statement, 9).size(), 327u);
  EXPECT_NE(porep_public_inputs(statement, 0), porep_public_inputs(statement, 1));
}

}  // namespace
}  // namespace cuzk
