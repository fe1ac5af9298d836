// The SHA-256 gadget against the hash, over every mixture of constant, plain and negated bits.
#include "gadget/sha256.h"

#include "gadget/gadget_testing.h"
#include "gadget/node_hash.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

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

TEST(Sha256Gadget, AgreesWithTheHashForEveryLengthAndKindOfBits) {
  Random random(1);
  for (const std::size_t size : {0, 1, 55, 56, 64, 119}) {
    for (const bool mixed : {false, true}) {
      SCOPED_TRACE(testing::Message() << size << " bytes, mixed " << mixed);
      const auto message = random_bytes(random, size);
      expect_sound(
          [&]<class CS>(CS& cs) {
            const auto bits = message_bits(cs, message, mixed, size);
            const Bytes32 digest = digest_bytes(sha256_of_bits<CS>(cs, bits));
            EXPECT_EQ(digest, sha256(message));
          },
          size == 0 ? 0 : 3, size);
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

}  // namespace
}  // namespace cuzk
