// Gadgets on numbers: arithmetic, binary digits, packing, insertion and Poseidon, against the same computation
// outside a circuit.
#include "gadget/gadget_testing.h"
#include "gadget/insert.h"
#include "gadget/multipack.h"
#include "gadget/num_words.h"
#include "gadget/poseidon.h"

namespace cuzk {
namespace {

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

}  // namespace
}  // namespace cuzk
