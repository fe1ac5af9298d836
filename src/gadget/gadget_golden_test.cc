// Every gadget against the counts and digests of the reference code, through TestSystem and through
// ShapeSystem.
#include <gtest/gtest.h>

#include <functional>

#include "gadget/merkle_path.h"
#include "r1cs/shape_system.h"
#include "r1cs/test_system.h"

namespace cuzk {
namespace {

struct Golden {
  std::size_t inputs, aux, constraints, nnz_a, nnz_b, nnz_c;
  const char* digest;
};

// Runs synthesize(cs), a generic callable, through both systems.
template <class Synthesize>
void expect_golden(const Golden& golden, const Synthesize& synthesize) {
  TestSystem test;
  synthesize(test);
  EXPECT_EQ(test.num_inputs(), golden.inputs);
  EXPECT_EQ(test.num_aux(), golden.aux);
  EXPECT_EQ(test.num_constraints(), golden.constraints);
  EXPECT_EQ(test.non_zeros().a, golden.nnz_a);
  EXPECT_EQ(test.non_zeros().b, golden.nnz_b);
  EXPECT_EQ(test.non_zeros().c, golden.nnz_c);
  EXPECT_EQ(to_hex(test.digest()), golden.digest);

  ShapeSystem shape;
  synthesize(shape);
  const R1cs r1cs = shape.finish();
  EXPECT_EQ(r1cs.num_inputs(), golden.inputs);
  EXPECT_EQ(r1cs.num_aux(), golden.aux);
  EXPECT_EQ(r1cs.num_constraints(), golden.constraints);
  EXPECT_EQ(r1cs.non_zeros().a, golden.nnz_a);
  EXPECT_EQ(r1cs.non_zeros().b, golden.nnz_b);
  EXPECT_EQ(r1cs.non_zeros().c, golden.nnz_c);
  EXPECT_EQ(to_hex(r1cs_digest(r1cs)), golden.digest);
}

template <ConstraintSystem CS>
std::vector<AllocatedNum> nums(CS& cs, std::size_t count) {
  std::vector<AllocatedNum> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(AllocatedNum::alloc(cs, Fr::zero()));
  return out;
}

template <ConstraintSystem CS>
std::vector<AllocatedBit> allocated_bits(CS& cs, std::size_t count) {
  std::vector<AllocatedBit> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(AllocatedBit::alloc(cs, false));
  return out;
}

template <ConstraintSystem CS>
std::vector<Boolean> booleans(CS& cs, std::size_t count) {
  const auto bits = allocated_bits(cs, count);
  return {bits.begin(), bits.end()};
}

// Booleans in the order of a message as words.
template <ConstraintSystem CS>
std::vector<UInt32<CS>> words(std::span<const Boolean> bits) {
  std::vector<UInt32<CS>> out;
  for (std::size_t i = 0; i < bits.size(); i += 32) {
    std::array<Boolean, 32> word;
    std::reverse_copy(bits.begin() + i, bits.begin() + i + 32, word.begin());
    out.push_back(UInt32<CS>::from_bits(word));
  }
  return out;
}

TEST(GadgetGolden, Sha256Compression) {
  expect_golden({1, 26326, 26352, 60480, 26384, 56886,
                 "420fad809340a0c306e289fb89139f8616018629698528291850a28aed991795"},
                []<class CS>(CS& cs) {
                  const auto message = words<CS>(booleans(cs, 512));
                  sha256_compression<CS>(cs, std::span(message).template first<16>(),
                                         sha256_initial_state<CS>());
                });
}

TEST(GadgetGolden, Sha256OfBits) {
  const std::pair<std::size_t, Golden> rows[] = {
      {8,
       {1, 24352, 24378, 55647, 24410, 52680,
        "7ee63761a30e6e97aaf697a1ecd8bf22af09436377fbc8bdf8f34bf96587178c"}},
      {256,
       {1, 25474, 25500, 58287, 25532, 55098,
        "89e4cc2fcd7783a0a104ab4b930b9106d694d5cfea5159ae08b94036e69b5b50"}},
      {512,
       {1, 45340, 45386, 103935, 45418, 96380,
        "f5b5706d8fa6fb52f0a955d46584996bfd764719311ea41c50859b3bdc74cfc5"}},
      {1024,
       {1, 72018, 72090, 165807, 72122, 154066,
        "2fd519786f089336a90bcecc06bf2025248936f1b4a671d392001bf106902604"}},
      {2048,
       {1, 125374, 125498, 289551, 125530, 269438,
        "d374b804c3eb68614764503b8bd3678c17475a2dd2c260937260c1fb668984f8"}}};
  for (const auto& [bits, golden] : rows) {
    SCOPED_TRACE(bits);
    expect_golden(golden, [bits = bits]<class CS>(CS& cs) { sha256_of_bits<CS>(cs, booleans(cs, bits)); });
    if (bits % 32 == 0) {
      expect_golden(golden,
                    [bits = bits]<class CS>(CS& cs) { sha256<CS>(cs, words<CS>(booleans(cs, bits))); });
    }
  }
}

TEST(GadgetGolden, Poseidon) {
  const std::pair<std::size_t, Golden> rows[] = {
      {2, {1, 313, 311, 2119, 313, 386, "71fa790fd33fd267e3002e8fed28d8f9b1e6aefe0b4994a2e46cab8c809197ca"}},
      {4, {1, 381, 377, 2573, 381, 467, "c5c6a28e715b41fc005b37fea7f3721845d9d175b222e2b5109a143222785ee1"}},
      {8, {1, 513, 505, 3598, 513, 624, "abf8140effeb85d15db49791e6e124ea381c0ae803ba12916e698c3e346f7101"}},
      {11,
       {1, 609, 598, 4462, 609, 738, "abfc656ea1ec5d17711882344003308a804aed7034d4c439dfb2c43c12f5fa81"}}};
  for (const auto& [arity, golden] : rows) {
    SCOPED_TRACE(arity);
    expect_golden(golden, [arity = arity](auto& cs) { poseidon(cs, nums(cs, arity)); });
  }
  expect_golden(
      {1, 313, 311, 2119, 313, 386, "15fd56ce7d9d3d2c8756131b04b1c349d28b3e216508fb8db8317da74c4ef8fb"},
      [](auto& cs) { poseidon(cs, nums(cs, 2), Fr::from_u64(kPoseidonGenRandomnessTag)); });
}

TEST(GadgetGolden, Num) {
  expect_golden(
      {1, 256, 256, 510, 255, 256, "abf5f5c220aab8a9790df4b269dbcbcb0dc36d35ac22ac5c7adf58e86b0296e3"},
      [](auto& cs) { to_bits_le(cs, nums(cs, 1)[0]); });
  expect_golden(
      {1, 388, 388, 764, 387, 388, "bfc2b2d3f7b9e55a00c16118337142665d266376c3418eb7474abb064d5e11d8"},
      [](auto& cs) { to_bits_le_strict(cs, nums(cs, 1)[0]); });
  expect_golden({2, 1, 1, 1, 1, 1, "c1e4b82b101baded4d1feb1a92da143cea37cb1d02925a61d0cc52593bd7ae04"},
                [](auto& cs) { inputize(cs, nums(cs, 1)[0]); });
}

TEST(GadgetGolden, InsertAndSelect) {
  const std::pair<std::size_t, Golden> rows[] = {
      {1, {1, 5, 3, 6, 3, 4, "13192d59c4f4c0467c35c655e2a2c18495654dafc98c9308558df93b618ff5e3"}},
      {2, {1, 14, 10, 20, 10, 16, "d9b3acd6ba8151ba8f4a8166c4fc7d7e3cbbbf091c22956514035c81398a3fc1"}},
      {3, {1, 33, 25, 49, 26, 42, "dc777c72840a9bebcfa793599be52867b4edb589cd8e6a3fd7c6d0852a053268"}}};
  for (const auto& [num_bits, golden] : rows) {
    SCOPED_TRACE(num_bits);
    expect_golden(golden, [num_bits = num_bits](auto& cs) {
      const AllocatedNum element = nums(cs, 1)[0];
      const auto bits = allocated_bits(cs, num_bits);
      const auto siblings = nums(cs, (std::size_t{1} << num_bits) - 1);
      std::vector<AllocatedNum> out(siblings.size() + 1);
      insert(cs, element, bits, siblings, out);
    });
  }
  expect_golden({1, 18, 10, 20, 10, 14, "b8d4146e3e701b709212abffe60dbcb4559e1acc5bf232e868ce1acb9399bc6a"},
                [](auto& cs) {
                  const auto from = nums(cs, 8);
                  select(cs, from, allocated_bits(cs, 3));
                });
}

TEST(GadgetGolden, Sha256Node) {
  const Golden golden = {1,
                         45333,
                         45379,
                         104170,
                         45409,
                         96869,
                         "b6b480ae8fa6840e3e84fbc1906227d5a41bdf8067f7cd6dd0d72596617df442"};
  expect_golden(golden, [](auto& cs) { hash_node(cs, NodeHash::sha256, nums(cs, 2)); });
}

TEST(GadgetGolden, PackIntoInputs) {
  expect_golden(
      {3, 300, 302, 900, 302, 2, "ade0bd858c02bc16985efaa49855582d964b156e1515a74804fbfff6127bb9bd"},
      []<class CS>(CS& cs) { pack_into_inputs<CS>(cs, booleans(cs, 300)); });
}

// create_label of PoRep with layer 3 and node 22 as a constant: replica id, layer, node, 37 parents; then the
// digest as a number.
TEST(GadgetGolden, CreateLabel) {
  expect_golden({1, 531505, 532025, 1231915, 532057, 1149345,
                 "12020e62cffb8ff01335aaaf89a077954a1a1fc5a9de604288c1d65c66471a28"},
                []<class CS>(CS& cs) {
                  auto message = words<CS>(booleans(cs, 256));
                  const auto parents = words<CS>(booleans(cs, 37 * 256));
                  message.push_back(UInt32<CS>::constant(3));
                  message.push_back(UInt32<CS>::constant(0));
                  message.push_back(UInt32<CS>::constant(22));
                  message.resize(16);
                  message.insert(message.end(), parents.begin(), parents.end());
                  pack_digest<CS>(cs, sha256<CS>(cs, message));
                });
}

// 64 leaves in the base tree, then a sub and a top level. Leaf and root are allocated by the gadget.
void expect_golden_path(const Golden& golden, NodeHash hash, const std::vector<std::size_t>& arities,
                        RootVisibility visibility) {
  std::string name;
  for (const std::size_t arity : arities) name += std::to_string(arity) + ' ';
  SCOPED_TRACE(name);
  expect_golden(golden, [&](auto& cs) {
    const std::vector<Fr> zeros(7);
    std::vector<PathLevel> path;
    for (const std::size_t arity : arities) path.push_back({std::span(zeros).first(arity - 1), 0});
    const AllocatedNum leaf = AllocatedNum::alloc(cs, Fr::zero());
    merkle_inclusion(cs, hash, leaf, path, Fr::zero(), visibility);
  });
}

TEST(GadgetGolden, MerklePath) {
  const auto public_root = RootVisibility::public_root;
  expect_golden_path({3, 272012, 272295, 625064, 272475, 581241,
                      "763469224fc01b6bc1451272f3d58805b9bebb22ddf3d1d2b2f66a398a343360"},
                     NodeHash::sha256, {2, 2, 2, 2, 2, 2}, public_root);
  expect_golden_path(
      {3, 1892, 1887, 12758, 1899, 2343, "8ffe72b94a7dce2b43170ca04037adefb78b4245417d50b26c8cccee59108c15"},
      NodeHash::poseidon, {2, 2, 2, 2, 2, 2}, public_root);
  expect_golden_path(
      {3, 1172, 1164, 7787, 1176, 1452, "d73890ba3375eca80e1e1c8c9c801475c10310b0f65003370f27acb7243b9642"},
      NodeHash::poseidon, {4, 4, 4}, public_root);
  expect_golden_path(
      {3, 1076, 1063, 7302, 1081, 1335, "2c7d156c47003922d551d60ff21276b687af35e9857ead30fe92d4d6413268a9"},
      NodeHash::poseidon, {8, 8}, public_root);
  expect_golden_path(
      {3, 1391, 1377, 9428, 1397, 1725, "80722e29bba64a6d1f9a341797838f21a821e834040099ed78c53acd745a699c"},
      NodeHash::poseidon, {8, 8, 2}, public_root);
  expect_golden_path(
      {3, 1781, 1764, 12023, 1788, 2208, "ac79c9d2af36235636f1a9173111486bb318bb5831c174348e341fb674139128"},
      NodeHash::poseidon, {8, 8, 4, 2}, public_root);
  expect_golden_path(
      {3, 1613, 1593, 10952, 1620, 2001, "1515f885db11ed0c3edfce6be758781cf932514707e4091118054a9b613df4e1"},
      NodeHash::poseidon, {8, 8, 8}, public_root);
  expect_golden_path(
      {3, 1928, 1907, 13078, 1936, 2391, "4d165317fd95c6e76a5a3e30b4100cd30d778fe6b5d52953699f24a503fc00f6"},
      NodeHash::poseidon, {8, 8, 8, 2}, public_root);
  expect_golden_path(
      {2, 1076, 1062, 7301, 1080, 1334, "b88c6e83b8cd34e917aaec1f63264ec2fcb889980cadabb5ed11e0fe9f239841"},
      NodeHash::poseidon, {8, 8}, RootVisibility::private_root);
}

}  // namespace
}  // namespace cuzk
