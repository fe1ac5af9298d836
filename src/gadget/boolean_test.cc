// Truth tables over every kind of operand, and the word-wise twin against the bit-wise original.
#include "gadget/boolean.h"

#include <gtest/gtest.h>

#include <random>

#include "gadget/allocated_num.h"
#include "gadget/uint32.h"
#include "r1cs/proving_system.h"
#include "r1cs/test_system.h"

namespace cuzk {
namespace {

// A constant, a variable or a negated variable, with either value.
constexpr unsigned kOperands = 6;

template <ConstraintSystem CS>
Boolean operand(CS& cs, unsigned choice) {
  const bool value = choice % 2 != 0;
  switch (choice / 2) {
    case 0:
      return Boolean::constant(value);
    case 1:
      return AllocatedBit::alloc(cs, value);
    default:
      return !Boolean(AllocatedBit::alloc(cs, !value));
  }
}

Fr value_of(const TestSystem& cs, const Boolean& boolean) {
  LinearCombination lc;
  boolean.add_to_lc(lc);
  Fr sum;
  for (const Term& term : lc.terms()) {
    const auto& values = term.variable.is_aux() ? cs.aux() : cs.inputs();
    sum += term.coefficient * values[term.variable.index()];
  }
  return sum;
}

// The result has the wanted value as a Boolean and as a combination; it allocates nothing without a variable
// operand, at most `max_new` bits otherwise; and every new bit is determined by the constraints.
template <class Gadget>
void expect_result(TestSystem& cs, const Gadget& gadget, bool wanted, std::size_t max_new) {
  const std::size_t before = cs.num_aux();
  const Boolean result = gadget();
  const std::size_t allocated = cs.num_aux() - before;
  EXPECT_EQ(result.value(), wanted);
  EXPECT_EQ(value_of(cs, result), Fr::from_u64(wanted ? 1 : 0));
  EXPECT_LE(allocated, before == 0 ? 0 : max_new);
  EXPECT_EQ(cs.first_unsatisfied(), std::nullopt);
  for (std::size_t i = before; i < cs.num_aux(); ++i) {
    const Fr honest = cs.aux()[i];
    cs.set_aux(i, Fr::one() - honest);
    EXPECT_TRUE(cs.first_unsatisfied().has_value());
    cs.set_aux(i, honest);
  }
}

TEST(Boolean, OperationsOnTwoOperandsOfEveryKind) {
  for (unsigned choice = 0; choice < kOperands * kOperands; ++choice) {
    SCOPED_TRACE(choice);
    for (const bool is_xor : {true, false}) {
      TestSystem cs;
      const Boolean a = operand(cs, choice % kOperands), b = operand(cs, choice / kOperands);
      const bool wanted = is_xor ? a.value() != b.value() : a.value() && b.value();
      expect_result(
          cs, [&] { return is_xor ? xor_of(cs, a, b) : and_of(cs, a, b); }, wanted, 1);
    }
  }
}

TEST(Boolean, OperationsOnThreeOperandsOfEveryKind) {
  for (unsigned choice = 0; choice < kOperands * kOperands * kOperands; ++choice) {
    SCOPED_TRACE(choice);
    for (const bool is_ch : {true, false}) {
      TestSystem cs;
      const Boolean a = operand(cs, choice % kOperands), b = operand(cs, choice / kOperands % kOperands),
                    c = operand(cs, choice / kOperands / kOperands);
      const int ones = a.value() + b.value() + c.value();
      const bool wanted = is_ch ? (a.value() ? b.value() : c.value()) : ones >= 2;
      expect_result(
          cs, [&] { return is_ch ? sha256_ch(cs, a, b, c) : sha256_maj(cs, a, b, c); }, wanted,
          is_ch ? 1 : 2);
    }
  }
}

// The digest of two bits and an operation on them.
template <class Operation>
Bytes32 digest_of(const Operation& operation) {
  TestSystem cs;
  const AllocatedBit a = AllocatedBit::alloc(cs, true), b = AllocatedBit::alloc(cs, false);
  operation(cs, a, b);
  return cs.digest();
}

// Where one operand is negated, the other one comes first, whatever the order of the call.
TEST(Boolean, OrderOfMixedOperands) {
  const Bytes32 xor_ab = digest_of([](auto& cs, const auto& a, const auto& b) { xor_of(cs, a, b); });
  const Bytes32 xor_ba = digest_of([](auto& cs, const auto& a, const auto& b) { xor_of(cs, b, a); });
  EXPECT_NE(xor_ab, xor_ba);
  EXPECT_EQ(digest_of([](auto& cs, const auto& a, const auto& b) { xor_of(cs, Boolean(a), !Boolean(b)); }),
            xor_ab);
  EXPECT_EQ(digest_of([](auto& cs, const auto& a, const auto& b) { xor_of(cs, !Boolean(b), Boolean(a)); }),
            xor_ab);
  EXPECT_EQ(digest_of([](auto& cs, const auto& a, const auto& b) { xor_of(cs, !Boolean(b), !Boolean(a)); }),
            xor_ba);
  const Bytes32 and_not = digest_of([](auto& cs, const auto& a, const auto& b) { and_not_of(cs, a, b); });
  EXPECT_EQ(digest_of([](auto& cs, const auto& a, const auto& b) { and_of(cs, Boolean(a), !Boolean(b)); }),
            and_not);
  EXPECT_EQ(digest_of([](auto& cs, const auto& a, const auto& b) { and_of(cs, !Boolean(b), Boolean(a)); }),
            and_not);
}

TEST(Boolean, CoefficientsScaleTheCombination) {
  for (unsigned choice = 0; choice < kOperands; ++choice) {
    TestSystem cs;
    const Boolean boolean = operand(cs, choice);
    LinearCombination lc;
    boolean.add_to_lc(lc, Fr::from_u64(7));
    boolean.sub_from_lc(lc);
    lc.canonicalize();
    Fr sum;
    for (const Term& term : lc.terms()) {
      sum += term.coefficient * (term.variable.is_aux() ? cs.aux()[0] : Fr::one());
    }
    EXPECT_EQ(sum, Fr::from_u64(boolean.value() ? 6 : 0));
  }
}

// One word in both forms: mask bits that are constant, negated, and the value.
struct WordPair {
  WordPair(ProvingSystem& cs, std::uint32_t value, std::uint32_t constant, std::uint32_t negated_or_any)
      : witness(value, constant, negated_or_any & ~constant) {
    std::array<Boolean, 32> bits;
    for (unsigned i = 0; i < 32; ++i) {
      const bool bit = ((value >> i) & 1) != 0;
      const unsigned kind = ((constant >> i) & 1) != 0 ? 0 : ((negated_or_any >> i) & 1) != 0 ? 2 : 1;
      bits[i] = operand(cs, 2 * kind + (bit ? 1 : 0));
    }
    boolean = BooleanWord::from_bits(bits);
  }
  WordPair(const BooleanWord& boolean_word, const WitnessWord& witness_word)
      : boolean(boolean_word), witness(witness_word) {}

  BooleanWord boolean;
  WitnessWord witness;
};

// Same value and kinds.
void expect_same(const BooleanWord& boolean, const WitnessWord& witness) {
  EXPECT_EQ(WitnessWord::from_bits(boolean.bits()), witness);
  EXPECT_EQ(boolean.value(), witness.value());
  EXPECT_EQ(boolean.is_constant(), witness.is_constant());
}

class WordTwin {
 public:
  explicit WordTwin(std::uint64_t seed) : random_(seed) {}

  // Value, constants and negations drawn so that all-constant and all-variable words are common.
  WordPair word() {
    const auto mask = [&]() -> std::uint32_t {
      const std::uint32_t choice = next() % 4;
      return choice == 0 ? 0 : choice == 1 ? ~0u : choice == 2 ? next() : next() & next() & next();
    };
    return WordPair(proving_, next(), mask(), mask());
  }

  WordPair word(std::uint32_t value, std::uint32_t constant, std::uint32_t negated) {
    return WordPair(proving_, value, constant, negated);
  }

  template <class Operation>
  void apply(const Operation& operation) {
    const std::size_t before = proving_.aux().size();
    WitnessSystem witness_system;
    const WordPair result = operation(proving_, witness_system);
    expect_same(result.boolean, result.witness);
    const Witness witness = witness_system.finish();
    ASSERT_EQ(witness.bits.size(), proving_.aux().size() - before);
    for (std::size_t i = 0; i < witness.bits.size(); ++i) {
      ASSERT_EQ(Fr::from_u64(witness.bits[i] ? 1 : 0), proving_.aux()[before + i]) << "new bit " << i;
    }
  }

  std::uint32_t next() { return static_cast<std::uint32_t>(random_()); }

 private:
  std::mt19937_64 random_;
  ProvingSystem proving_;
};

void expect_twins(WordTwin& twin, const WordPair& a, const WordPair& b, const WordPair& c) {
  twin.apply([&](ProvingSystem& p, WitnessSystem& w) {
    return WordPair(xor_of(p, a.boolean, b.boolean), xor_of(w, a.witness, b.witness));
  });
  twin.apply([&](ProvingSystem& p, WitnessSystem& w) {
    return WordPair(sha256_ch(p, a.boolean, b.boolean, c.boolean),
                    sha256_ch(w, a.witness, b.witness, c.witness));
  });
  twin.apply([&](ProvingSystem& p, WitnessSystem& w) {
    return WordPair(sha256_maj(p, a.boolean, b.boolean, c.boolean),
                    sha256_maj(w, a.witness, b.witness, c.witness));
  });
}

TEST(WitnessWord, AgreesWithBooleansOnEveryOperation) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    WordTwin twin(seed);
    const WordPair a = twin.word(), b = twin.word(), c = twin.word();
    const unsigned shift = twin.next() % 32;
    expect_same(a.boolean, a.witness);
    expect_same(a.boolean.rotr(shift), a.witness.rotr(shift));
    expect_same(a.boolean.shr(shift), a.witness.shr(shift));
    expect_same(a.boolean.byteswapped(), a.witness.byteswapped());
    expect_twins(twin, a, b, c);
    BooleanSum boolean_sum(a.boolean);
    WitnessSum witness_sum(a.witness);
    for (std::size_t left = twin.next() % kMaxAddends; left > 0; --left) {
      const WordPair addend = twin.word();
      boolean_sum.add(addend.boolean);
      witness_sum.add(addend.witness);
    }
    twin.apply([&](ProvingSystem& p, WitnessSystem& w) {
      MultiEq<ProvingSystem> p_eq(p);
      MultiEq<WitnessSystem> w_eq(w);
      return WordPair(boolean_sum.resolve(p_eq), witness_sum.resolve(w_eq));
    });
  }
}

// All triples of operand kinds and values, 32 to a word.
TEST(WitnessWord, AgreesWithBooleansOnEveryTripleOfOperands) {
  for (unsigned first = 0; first < kOperands * kOperands * kOperands; first += 32) {
    WordTwin twin(1);
    std::vector<WordPair> words;
    for (unsigned divisor = 1; divisor <= kOperands * kOperands; divisor *= kOperands) {
      std::uint32_t value = 0, constant = 0, negated = 0;
      for (unsigned i = 0; i < 32; ++i) {
        const unsigned choice = (first + i) / divisor % kOperands;
        value |= (choice % 2) << i;
        constant |= std::uint32_t{choice / 2 == 0} << i;
        negated |= std::uint32_t{choice / 2 == 2} << i;
      }
      words.push_back(twin.word(value, constant, negated));
    }
    expect_twins(twin, words[0], words[1], words[2]);
  }
}

TEST(WitnessWord, ConstantsAgree) {
  for (const std::uint32_t value : {0u, 1u, 0x80000000u, 0xdeadbeefu, ~0u}) {
    expect_same(BooleanWord::constant(value), WitnessWord::constant(value));
  }
  expect_same(BooleanWord(), WitnessWord());
}

TEST(BooleanSum, ConstantsMakeNoVariable) {
  TestSystem cs;
  {
    MultiEq<TestSystem> eq(cs);
    BooleanSum sum(BooleanWord::constant(0xffffffff));
    sum.add(BooleanWord::constant(7)).add(BooleanWord::constant(1));
    EXPECT_EQ(sum.resolve(eq).value(), 7u);
  }
  EXPECT_EQ(cs.num_aux(), 0u);
  EXPECT_EQ(cs.num_constraints(), 0u);
}

TEST(MultiEq, FlushesWhenTheNextEqualityWouldFillTheField) {
  // Seven equalities of 36 bits are 252 bits; the eighth starts the next constraint.
  for (const auto& [equalities, constraints] : {std::pair{1, 1}, {7, 1}, {8, 2}, {14, 2}, {15, 3}}) {
    TestSystem cs;
    const AllocatedNum x = AllocatedNum::alloc(cs, Fr::from_u64(5));
    {
      MultiEq<TestSystem> eq(cs);
      const auto side = [&](LinearCombination& lc, const Fr& scale) { lc.add(x.variable(), scale); };
      for (int i = 0; i < equalities; ++i) eq.enforce_equal(36, side, side);
    }
    EXPECT_EQ(cs.num_constraints(), static_cast<std::size_t>(constraints));
  }
}

}  // namespace
}  // namespace cuzk
