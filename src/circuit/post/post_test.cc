// The PoSt circuit against the network's: the checkpoints of the first sector of a 2 KiB WindowPoSt, and the values of real
// vanilla proofs. Counts and digests of every size: tests/golden.
#include "circuit/post/post.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "r1cs/digest.h"
#include "r1cs/evaluate.h"
#include "r1cs/test_system.h"
#include "tests/support/checkpoints.h"
#include "vanilla/post_proof_reader.h"
#include "vanilla/post_public.h"

namespace cuzk {
namespace {

PostCircuitShape window_2kib() {
  return PostCircuitShape::window(*find_sector_shape(std::string_view("2KiB")).value());
}

TEST(PostCircuit, FirstSectorPassesTheReferenceCheckpoints) {
  const PostCircuitShape shape = window_2kib();
  const std::vector<MerkleProof> challenges(shape.challenges_per_slot,
                                            blank_merkle_proof(shape.tree_arities));
  const std::vector<PostSlot> slots(shape.slots, PostSlot{Fr(), Fr(), Fr(), challenges});
  TestSystem cs;
  synthesize_post<TestSystem>(cs, slots);
  const std::vector<ExpectedCheckpoint> expected = {
      {"sector 0", 1, 0, 0, "e3b0c44298fc1c14"},
      {"sector 0/challenge_inclusion 0", 2, 314, 313, "364968a5185bc7f3"},
      {"sector 0/challenge_inclusion 1", 3, 1389, 1375, "c7cfebe01c7d9111"},
      {"sector 0/challenge_inclusion 9", 11, 9989, 9871, "c8e9768c24203462"},
      {"sector 1", 12, 11064, 10933, "ceb37e7b4cbe779c"},
  };
  expect_checkpoints(cs, expected);
}

PostSectorProof read_sector(const char* file, const char* size, PostKind kind) {
  const SectorShape& shape = *find_sector_shape(std::string_view(size)).value();
  return read_post_proof_file(std::string(CUZK_TEST_DATA "/") + file, shape, kind).value();
}

// SHA-256 of the 32-byte values, in this order.
struct WitnessDigests {
  const char* inputs;
  const char* aux;
  const char* a;
  const char* b;
  const char* c;
};

void expect_witness(const PostCircuitShape& shape, std::span<const PostSlot> slots,
                    const WitnessDigests& expected, const std::vector<Fr>* public_inputs = nullptr) {
  const R1cs r1cs = post_r1cs(shape);
  const Witness witness = post_witness(slots, r1cs);
  ASSERT_TRUE(check_dimensions(r1cs, witness).is_ok());
  EXPECT_EQ(to_hex(values_digest(witness.inputs)), expected.inputs);
  EXPECT_EQ(to_hex(values_digest(expand_aux(r1cs, witness))), expected.aux);
  EXPECT_EQ(first_unsatisfied(r1cs, witness), std::nullopt);
  const std::size_t rows = r1cs.num_domain_rows();
  std::vector<Fr> a(rows), b(rows), c(rows);
  evaluate(r1cs, witness, a, b, c);
  const auto digest = [&](const std::vector<Fr>& values) {
    return to_hex(values_digest(std::span(values).first(r1cs.num_constraints())));
  };
  EXPECT_EQ(digest(a), expected.a);
  EXPECT_EQ(digest(b), expected.b);
  EXPECT_EQ(digest(c), expected.c);
  if (public_inputs == nullptr) return;
  ASSERT_EQ(witness.inputs.size(), public_inputs->size() + 1);
  EXPECT_TRUE(std::equal(public_inputs->begin(), public_inputs->end(), witness.inputs.begin() + 1));
}

Bytes32 sample_randomness() {
  return bytes32_from_hex("fa32e9a129367b24e1ab9765c096e4f0051e217684e22981689b1560b762400a").value();
}

TEST(PostCircuit, WindowWitnessIsTheReferenceWitness) {
  const PostSectorProof sector = read_sector("window-2k.vproof", "2KiB", PostKind::window);
  const PostPublic statement = {registered_post_from_number(10).value(), sample_randomness()};
  const PostSectorPublic known = {sector.sector_id, sector.comm_r};
  const auto inputs = window_post_public_inputs(statement, std::span(&known, 1));
  const PostCircuitShape shape = window_2kib();
  expect_witness(shape, window_post_slots(shape, std::span(&sector, 1)),
                 {"b5c28878d9080aecda505ed77236f826256bf22c877efd69b445669a778001e3",
                  "b33bb245318df7b23172c3d25e03b101241525750efd12e252385279ee4ec7d5",
                  "b388468c814cccf5ef888374c12b9b87a65e78cd99cbfafeb828676fa4d81524",
                  "ed700b6881f2efb9f85ef67a937321dd0bf3570e3abf7619e3612e9afcac3168",
                  "4cce4422fcbc26bc53ef449bb7bf1eb8571adb3dbc237641551067a8664e031a"},
                 &inputs);
}

TEST(PostCircuit, WinningWitnessIsTheReferenceWitness) {
  const PostSectorProof sector = read_sector("winning-2k.vproof", "2KiB", PostKind::winning);
  const PostPublic statement = {registered_post_from_number(0).value(), sample_randomness()};
  const auto inputs = winning_post_public_inputs(statement, {sector.sector_id, sector.comm_r});
  const PostCircuitShape shape = PostCircuitShape::winning(*statement.proof.shape);
  expect_witness(shape, winning_post_slots(shape, sector),
                 {"77813f952346bc1db847a0eec6441842fcb9cdb14310cca4b8344aff16b6e466",
                  "daa57744b18be78b7e1b921a260ca9aa090daea4c0d65eb430f02fc7728dc153",
                  "7392fe065ece42e2c4f019edfa2a78c4c912e2b981c675ff67facbed896e501c",
                  "0ed295ca8d746217d7b3c7590d428f93c7b3c1ad11e35f8f5f94280e7040544c",
                  "1b7d83313778ea8122c741388c1ce2d8cd13a627dfd35032cc4452b6fb79abad"},
                 &inputs);
}

TEST(PostCircuit, WitnessOf32GiBSlotsIsTheReferenceWitness) {
  const PostSectorProof sector = read_sector("post-32g.vproof", "32GiB", PostKind::window);
  PostCircuitShape shape = PostCircuitShape::window(*find_sector_shape(std::string_view("32GiB")).value());
  shape.slots = 1;
  expect_witness(shape, window_post_slots(shape, std::span(&sector, 1)),
                 {"ba218c57fc56d7f71fc2410bb06c7e5e63adcb6c4660e37ad07038238adfff2a",
                  "4f4f31c877663379b288d3d57d14c997e5f2679ddf31d4b14e531c288f6f775e",
                  "ef82243906a0c8a992db90103e40ff2353c73b258ac3775a7b2ad23946b9f43e",
                  "357dee2d04b4224027238bc8f60652b65af26060da512927e502ef976567a5d8",
                  "b11fa24e24fb485cdc79096ebb40cadc8940ac502f8973a612a74482f887e98a"});
  shape.slots = 2;
  expect_witness(shape, window_post_slots(shape, std::span(&sector, 1)),
                 {"8018cf36ff94989b40724a39c77fcb2789faf339fd2da5e1e015c94720d4dbb8",
                  "9c0a65fbfad6dc7512a06535a22bf6e9c99bfd686f40da6eaed349c56b6f3b35",
                  "7eb0723773cc602ee36ab25ea872d909afc3913cfb8ab187d13086e0561d5e2d",
                  "1eb83dc569e7a93613c0b7b30e36ced9798123da1a06db5ae61efd27360edb22",
                  "cc15ef54c52f82f6b08dc682c44e2ce6dbd31e9034411b5ec0ac2c355239c7d9"});
}

// Every value that the circuit takes from the vanilla proof is bound by it.
TEST(PostCircuit, AChangedVanillaValueDoesNotSatisfy) {
  const PostCircuitShape shape = window_2kib();
  const R1cs r1cs = post_r1cs(shape);
  const PostSectorProof good = read_sector("window-2k.vproof", "2KiB", PostKind::window);
  const auto refused = [&](const auto& change) {
    PostSectorProof sector = good;
    change(sector);
    const auto slots = window_post_slots(shape, std::span(&sector, 1));
    return first_unsatisfied(r1cs, post_witness(slots, r1cs)).has_value();
  };
  EXPECT_FALSE(refused([](PostSectorProof&) {}));
  EXPECT_TRUE(refused([](PostSectorProof& s) { s.comm_r += Fr::one(); }));
  EXPECT_TRUE(refused([](PostSectorProof& s) { s.comm_c += Fr::one(); }));
  EXPECT_TRUE(refused([](PostSectorProof& s) { s.comm_r_last += Fr::one(); }));
  EXPECT_TRUE(refused([](PostSectorProof& s) { s.inclusion_proofs[3].leaf += Fr::one(); }));
  EXPECT_TRUE(refused([](PostSectorProof& s) { s.inclusion_proofs[9].siblings.back() += Fr::one(); }));
  EXPECT_TRUE(refused([](PostSectorProof& s) { s.inclusion_proofs[0].levels[1].index ^= 1; }));
}

TEST(PostCircuit, ShortWindowsRepeatTheLastSector) {
  const PostCircuitShape shape = window_2kib();
  PostSectorProof sector;
  sector.comm_r = Fr::from_u64(7);
  sector.inclusion_proofs.assign(shape.challenges_per_slot, blank_merkle_proof(shape.tree_arities));
  const auto slots = window_post_slots(shape, std::span(&sector, 1));
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[1].comm_r, Fr::from_u64(7));
  EXPECT_EQ(slots[1].challenges.data(), sector.inclusion_proofs.data());
}

}  // namespace
}  // namespace cuzk
