// Values: every gadget computes what its counterpart outside a circuit computes, honest values satisfy the
// constraints, a changed value does not, and the witness path leaves the same variables as the general one.
#include <gtest/gtest.h>

#include <random>

#include "gadget/merkle_path.h"
#include "hash/sha256.h"
#include "r1cs/evaluate.h"
#include "r1cs/proving_system.h"
#include "r1cs/shape_system.h"
#include "r1cs/test_system.h"

namespace cuzk {
namespace {

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

std::vector<std::uint8_t> random_bytes(Random& random, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.u64());
  return bytes;
}

// The bits of a message, each at random a constant, a variable or a negated one, or all variables.
template <ConstraintSystem CS>
std::vector<Boolean> message_bits(CS& cs, std::span<const std::uint8_t> bytes, bool mixed,
                                  std::uint64_t seed) {
  Random random(seed);
  std::vector<Boolean> bits;
  for (const std::uint8_t byte : bytes) {
    for (int i = 7; i >= 0; --i) {
      const bool bit = ((byte >> i) & 1) != 0;
      const std::size_t kind = mixed ? random.below(3) : 1;
      if (kind == 0) bits.push_back(Boolean::constant(bit));
      if (kind == 1) bits.push_back(AllocatedBit::alloc(cs, bit));
      if (kind == 2) bits.push_back(!Boolean(AllocatedBit::alloc(cs, !bit)));
    }
  }
  return bits;
}

template <class Words>
Bytes32 digest_bytes(const Words& words) {
  Bytes32 bytes;
  for (std::size_t i = 0; i < words.size(); ++i)
    store_be<std::uint32_t>(bytes.data() + 4 * i, words[i].value());
  return bytes;
}

TEST(Sha256Gadget, AgreesWithTheHashForEveryLengthAndKindOfBits) {
  Random random(1);
  for (const std::size_t size : {0, 1, 4, 31, 32, 55, 56, 63, 64, 100, 119, 120, 128}) {
    for (const bool mixed : {false, true}) {
      SCOPED_TRACE(testing::Message() << size << " bytes, mixed " << mixed);
      const auto message = random_bytes(random, size);
      expect_sound(
          [&]<class CS>(CS& cs) {
            const auto bits = message_bits(cs, message, mixed, size);
            const Bytes32 digest = digest_bytes(sha256_of_bits<CS>(cs, bits));
            EXPECT_EQ(digest, sha256(message));
          },
          size == 0 ? 0 : 4, size);
    }
  }
}

TEST(Sha256Gadget, WordsAndBitsAreTheSameMessage) {
  Random random(2);
  for (std::size_t num_words = 0; num_words <= 34; ++num_words) {
    const auto message = random_bytes(random, 4 * num_words);
    WitnessSystem cs;
    std::vector<WitnessWord> words;
    for (std::size_t i = 0; i < num_words; ++i) {
      words.push_back(WitnessWord::allocated(load_be<std::uint32_t>(message.data() + 4 * i)));
    }
    EXPECT_EQ(digest_bytes(sha256<WitnessSystem>(cs, words)), sha256(message)) << num_words;
  }
}

TEST(Sha256Gadget, CompressionFromAnyState) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    expect_sound(
        [&]<class CS>(CS& cs) {
          Random random(seed);
          // Words that are constant, variable, negated or mixed, of the block and of the state.
          const auto word = [&] {
            std::array<Boolean, 32> bits;
            const std::size_t kind_of_word = random.below(4);
            for (Boolean& bit : bits) {
              const bool value = random.bit();
              const std::size_t kind = kind_of_word == 3 ? random.below(3) : kind_of_word;
              bit = kind == 0   ? Boolean::constant(value)
                    : kind == 1 ? Boolean(AllocatedBit::alloc(cs, value))
                                : !Boolean(AllocatedBit::alloc(cs, value));
            }
            return UInt32<CS>::from_bits(bits);
          };
          std::array<UInt32<CS>, 16> block;
          for (auto& w : block) w = word();
          Words256<CS> state;
          for (auto& w : state) w = word();
          sha256_compression<CS>(cs, block, state);
        },
        10, seed);
  }
}

TEST(Sha256Gadget, ConstantsMakeNoConstraint) {
  TestSystem cs;
  const std::vector<Boolean> message(800, Boolean::constant(true));
  const std::vector<std::uint8_t> bytes(100, 0xff);
  EXPECT_EQ(digest_bytes(sha256_of_bits<TestSystem>(cs, message)), sha256(bytes));
  EXPECT_EQ(cs.num_aux(), 0u);
  EXPECT_EQ(cs.num_constraints(), 0u);
}

TEST(Sha256Gadget, NodeAgreesWithTheHash) {
  Random random(3);
  for (int i = 0; i < 4; ++i) {
    const Fr left = i == 0 ? -Fr::one() : random.fr(), right = i == 1 ? Fr::zero() : random.fr();
    const Fr expected = *Fr::from_bytes_le(sha256_node(left.to_bytes_le(), right.to_bytes_le()));
    expect_sound(
        [&](auto& cs) {
          const AllocatedNum l = AllocatedNum::alloc(cs, left), r = AllocatedNum::alloc(cs, right);
          EXPECT_EQ(sha256_node(cs, l, r).value(), expected);
        },
        i == 0 ? 30 : 0, 3);
  }
}

TEST(PoseidonGadget, AgreesWithTheHash) {
  Random random(4);
  for (const std::size_t arity : {2, 4, 8, 11, 16}) {
    SCOPED_TRACE(arity);
    const std::vector<Fr> preimage = random.frs(arity);
    expect_sound(
        [&](auto& cs) { EXPECT_EQ(poseidon(cs, allocated(cs, preimage)).value(), poseidon_hash(preimage)); },
        40, arity);
  }
  const std::vector<Fr> pair = random.frs(2);
  const Fr tag = Fr::from_u64(kPoseidonGenRandomnessTag);
  expect_sound(
      [&](auto& cs) { EXPECT_EQ(poseidon(cs, allocated(cs, pair), tag).value(), poseidon_hash(pair, tag)); },
      40, 5);
}

TEST(PoseidonGadget, TheDigestIsTheLastVariable) {
  const std::vector<Fr> preimage = Random(5).frs(8);
  WitnessSystem witness;
  ProvingSystem proving;
  EXPECT_EQ(poseidon(witness, allocated(witness, preimage)).variable(),
            poseidon(proving, allocated(proving, preimage)).variable());
}

TEST(NumGadget, Arithmetic) {
  Random random(6);
  const std::vector<Fr> values = random.frs(2);
  expect_sound(
      [&](auto& cs) {
        const auto nums = allocated(cs, values);
        EXPECT_EQ(mul(cs, nums[0], nums[1]).value(), values[0] * values[1]);
        EXPECT_EQ(add(cs, nums[0], nums[1]).value(), values[0] + values[1]);
        inputize(cs, nums[0]);
      },
      8, 6);
  TestSystem cs;
  const auto nums = allocated(cs, values);
  enforce_equal(cs, nums[0], nums[1]);
  EXPECT_TRUE(cs.first_unsatisfied().has_value());
}

TEST(NumGadget, BitsAreTheCanonicalInteger) {
  Random random(7);
  for (const Fr& value : {Fr::zero(), Fr::one(), -Fr::one(), random.fr(), random.fr()}) {
    const FrRepr repr = value.to_repr();
    for (const bool strict : {false, true}) {
      expect_sound(
          [&](auto& cs) {
            const AllocatedNum num = AllocatedNum::alloc(cs, value);
            const NumBits bits = strict ? to_bits_le_strict(cs, num) : to_bits_le(cs, num);
            for (std::size_t i = 0; i < bits.size(); ++i) EXPECT_EQ(bits[i].value(), bit_of(repr, i));
          },
          20, 7);
    }
  }
}

// x + r fits in 255 bits for small x: the plain decomposition accepts its digits too, the strict one does not.
TEST(NumGadget, OnlyStrictBitsRefuseTheOtherInteger) {
  const Fr x = Fr::from_u64(9);
  FrRepr other = Fr::modulus();
  other[0] += 9;
  for (const bool strict : {false, true}) {
    TestSystem cs;
    const AllocatedNum num = AllocatedNum::alloc(cs, x);
    const NumBits bits = strict ? to_bits_le_strict(cs, num) : to_bits_le(cs, num);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      cs.set_aux(bits[i].variable().index(), Fr::from_u64(bit_of(other, i) ? 1 : 0));
    }
    EXPECT_EQ(cs.first_unsatisfied().has_value(), strict);
  }
}

TEST(NumWords, AreTheBytesOfTheElement) {
  Random random(8);
  const Fr value = random.fr();
  expect_sound(
      [&]<class CS>(CS& cs) {
        const Words256<CS> words = to_message_words(cs, AllocatedNum::alloc(cs, value));
        EXPECT_EQ(digest_bytes(words), value.to_bytes_le());
        FrRepr low = value.to_repr();
        low[3] &= ~std::uint64_t{0} >> 2;
        EXPECT_EQ(pack_digest<CS>(cs, words).value(), *Fr::from_repr(low));
      },
      20, 8);
}

TEST(Multipack, PacksEveryLength) {
  Random random(9);
  for (const std::size_t size : {0, 1, 64, 253, 254, 255, 300, 508, 509}) {
    SCOPED_TRACE(size);
    std::vector<bool> values;
    for (std::size_t i = 0; i < size; ++i) values.push_back(random.bit());
    std::vector<Fr> inputs;
    expect_sound(
        [&]<class CS>(CS& cs) {
          std::vector<Boolean> bits;
          for (std::size_t i = 0; i < size; ++i) {
            // Constants and negations too.
            const Boolean bit =
                i % 5 == 0 ? Boolean::constant(values[i]) : AllocatedBit::alloc(cs, values[i]);
            bits.push_back(i % 7 == 0 ? !bit : bit);
          }
          pack_bits<CS>(cs, bits);
          pack_into_inputs<CS>(cs, bits);
          if constexpr (std::is_same_v<CS, ProvingSystem>) {
            inputs = cs.inputs();
            Fr first, power = Fr::one();
            for (std::size_t i = 0; i < std::min<std::size_t>(size, 254); ++i, power = power.doubled()) {
              if (bits[i].value()) first += power;
            }
            EXPECT_EQ(cs.aux().back(), first);
            EXPECT_EQ(size > 0 ? inputs[1] : first, first);
          }
        },
        5, 9);
    EXPECT_EQ(inputs.size(), 1 + (size + 253) / 254);
  }
}

TEST(Insert, PutsTheElementAtEveryPosition) {
  Random random(10);
  for (const std::size_t num_bits : {1, 2, 3}) {
    const std::size_t arity = std::size_t{1} << num_bits;
    for (std::size_t position = 0; position < arity; ++position) {
      SCOPED_TRACE(testing::Message() << "arity " << arity << ", position " << position);
      const std::vector<Fr> wanted = random.frs(arity);
      std::vector<Fr> others = wanted;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(position));
      expect_sound(
          [&](auto& cs) {
            const AllocatedNum element = AllocatedNum::alloc(cs, wanted[position]);
            std::vector<AllocatedBit> bits;
            for (std::size_t i = 0; i < num_bits; ++i) {
              bits.push_back(AllocatedBit::alloc(cs, ((position >> i) & 1) != 0));
            }
            std::vector<AllocatedNum> out(arity);
            insert(cs, element, bits, allocated(cs, others), out);
            for (std::size_t i = 0; i < arity; ++i) EXPECT_EQ(out[i].value(), wanted[i]);
            const AllocatedNum selected = select(cs, std::span<const AllocatedNum>(out), bits);
            EXPECT_EQ(selected.value(), wanted[position]);
          },
          20, position);
    }
  }
}

// A tree of random leaves with the given arity on each level, hashed outside the circuit.
struct Tree {
  Tree(Random& random, NodeHash hash, const std::vector<std::size_t>& level_arities)
      : arities(level_arities) {
    std::size_t leaves = 1;
    for (const std::size_t arity : arities) leaves *= arity;
    rows.push_back(random.frs(leaves));
    if (hash == NodeHash::sha256) {
      for (Fr& leaf : rows[0]) leaf = *Fr::from_bytes_le(truncate_254(sha256(leaf.to_bytes_le())));
    }
    for (const std::size_t arity : arities) {
      const std::vector<Fr>& below = rows.back();
      std::vector<Fr> row;
      for (std::size_t i = 0; i < below.size(); i += arity) {
        const auto children = std::span(below).subspan(i, arity);
        row.push_back(
            hash == NodeHash::poseidon
                ? poseidon_hash(children)
                : *Fr::from_bytes_le(sha256_node(children[0].to_bytes_le(), children[1].to_bytes_le())));
      }
      rows.push_back(std::move(row));
    }
  }

  const Fr& root() const { return rows.back()[0]; }
  // The siblings of each level, and the position there.
  std::vector<std::pair<std::vector<Fr>, std::size_t>> path(std::size_t leaf) const {
    std::vector<std::pair<std::vector<Fr>, std::size_t>> levels;
    for (std::size_t k = 0; k < arities.size(); ++k) {
      const std::size_t index = leaf % arities[k], first = leaf - index;
      std::vector<Fr> siblings;
      for (std::size_t i = 0; i < arities[k]; ++i) {
        if (i != index) siblings.push_back(rows[k][first + i]);
      }
      levels.emplace_back(std::move(siblings), index);
      leaf /= arities[k];
    }
    return levels;
  }

  std::vector<std::size_t> arities;
  std::vector<std::vector<Fr>> rows;
};

struct TreeShape {
  NodeHash hash;
  std::vector<std::size_t> arities;
};
const TreeShape kTreeShapes[] = {{NodeHash::sha256, {2, 2, 2}},
                                 {NodeHash::poseidon, {2, 2, 2, 2}},
                                 {NodeHash::poseidon, {8, 8, 2}},
                                 {NodeHash::poseidon, {8, 4, 2}},
                                 {NodeHash::poseidon, {4}}};

TEST(MerklePath, LeadsFromEveryLeafToTheRoot) {
  Random random(11);
  for (const TreeShape& shape : kTreeShapes) {
    const Tree tree(random, shape.hash, shape.arities);
    for (const std::size_t leaf :
         {std::size_t{0}, tree.rows[0].size() - 1, random.below(tree.rows[0].size())}) {
      SCOPED_TRACE(testing::Message() << tree.rows[0].size() << " leaves, leaf " << leaf);
      const auto levels = tree.path(leaf);
      std::vector<PathLevel> path;
      for (const auto& [siblings, index] : levels) path.push_back({siblings, index});
      expect_sound(
          [&](auto& cs) {
            const AllocatedNum leaf_num = AllocatedNum::alloc(cs, tree.rows[0][leaf]);
            const AllocatedNum root =
                merkle_inclusion(cs, shape.hash, leaf_num, path, tree.root(), RootVisibility::public_root);
            merkle_inclusion(cs, shape.hash, leaf_num, path, root, RootVisibility::private_root);
            if constexpr (requires { cs.inputs(); }) {
              const std::vector<Fr> index(2, Fr::from_u64(leaf));
              EXPECT_EQ(cs.inputs(), (std::vector<Fr>{Fr::one(), index[0], tree.root(), index[1]}));
            }
          },
          shape.hash == NodeHash::sha256 ? 3 : 30, leaf);
    }
  }
}

TEST(MerklePath, WithoutChallengeInput) {
  Random random(12);
  for (const TreeShape& shape : kTreeShapes) {
    const Tree tree(random, shape.hash, shape.arities);
    const std::size_t leaf = random.below(tree.rows[0].size());
    const auto levels = tree.path(leaf);
    expect_sound(
        [&](auto& cs) {
          std::vector<AllocatedBit> bits;
          for (std::size_t i = 0; std::size_t{1} << i < tree.rows[0].size(); ++i) {
            bits.push_back(AllocatedBit::alloc(cs, ((leaf >> i) & 1) != 0));
          }
          std::vector<std::vector<AllocatedNum>> nums;
          for (const auto& level : levels) nums.push_back(allocated(cs, level.first));
          const std::vector<std::span<const AllocatedNum>> siblings(nums.begin(), nums.end());
          const AllocatedNum leaf_num = AllocatedNum::alloc(cs, tree.rows[0][leaf]);
          const AllocatedNum root = AllocatedNum::alloc(cs, tree.root());
          merkle_inclusion_no_challenge(cs, shape.hash, bits, leaf_num, siblings, root);
          merkle_inclusion_no_challenge(cs, shape.hash, {}, leaf_num, {}, leaf_num);
        },
        3, 12);
  }
}

TEST(MerklePath, AnotherLeafOrRootIsRefused) {
  Random random(13);
  const Tree tree(random, NodeHash::poseidon, {8, 2});
  const auto levels = tree.path(5);
  std::vector<PathLevel> path;
  for (const auto& [siblings, index] : levels) path.push_back({siblings, index});
  const auto refused = [&](const Fr& leaf, const Fr& root) {
    TestSystem cs;
    const AllocatedNum root_num = AllocatedNum::alloc(cs, root);
    merkle_inclusion(cs, NodeHash::poseidon, AllocatedNum::alloc(cs, leaf), path, root_num,
                     RootVisibility::private_root);
    return cs.first_unsatisfied().has_value();
  };
  EXPECT_FALSE(refused(tree.rows[0][5], tree.root()));
  EXPECT_TRUE(refused(tree.rows[0][6], tree.root()));
  EXPECT_TRUE(refused(tree.rows[0][5], tree.root() + Fr::one()));
  path[0].index ^= 1;
  EXPECT_TRUE(refused(tree.rows[0][5], tree.root()));
}

}  // namespace
}  // namespace cuzk
