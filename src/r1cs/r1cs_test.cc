// The four constraint systems against each other and against digests computed by hand, on a small circuit
// with a repeated block that uses every kind of column.
#include <gtest/gtest.h>

#include <random>

#include "r1cs/evaluate.h"
#include "r1cs/proving_system.h"
#include "r1cs/shape_system.h"
#include "r1cs/test_system.h"
#include "r1cs/witness_system.h"

namespace cuzk {
namespace {

constexpr std::size_t kRepetitions = 70;

// What all items know.
struct Shared {
  Fr x;
  Variable x_var;
  std::vector<Variable> switches;  // two for each repetition
  std::vector<Fr> switch_values;
  std::uint64_t pattern;
};

template <ConstraintSystem CS>
void synthesize_item(CS& cs, const Shared& shared, std::size_t i) {
  const Scope scope(cs, "item", static_cast<int>(i));
  const bool bit = ((shared.pattern >> (i % 64)) & 1) != 0;
  const Variable bit_var = cs.alloc_bit(bit);
  cs.enforce(
      [&](LinearCombination& lc) {
        lc.add(kOneVariable);
        lc.sub(bit_var);
      },
      [&](LinearCombination& lc) { lc.add(bit_var); }, [](LinearCombination&) {});
  const Fr z = (bit ? shared.x : Fr::zero()) + Fr::from_u64(5);
  const Variable z_var = cs.alloc(z);
  cs.enforce([&](LinearCombination& lc) { lc.add(bit_var); },
             [&](LinearCombination& lc) { lc.add(shared.x_var); },
             [&](LinearCombination& lc) {
               lc.add(z_var);
               lc.add(kOneVariable, -Fr::from_u64(3));
               lc.add(kOneVariable, -Fr::from_u64(2));
             });
  const Variable gate =
      cs.alloc(shared.switch_values[i] * (shared.switch_values[kRepetitions + i] + shared.x));
  cs.enforce([&](LinearCombination& lc) { lc.add(shared.switches[i]); },
             [&](LinearCombination& lc) {
               lc.add(shared.switches[kRepetitions + i]);
               lc.add(shared.x_var);
             },
             [&](LinearCombination& lc) { lc.add(gate); });
  const Variable out = cs.alloc_input(z.doubled());
  cs.enforce([&](LinearCombination& lc) { lc.add(z_var, Fr::from_u64(2)); },
             [&](LinearCombination& lc) { lc.add(kOneVariable); },
             [&](LinearCombination& lc) { lc.add(out); });
}

// y = x^2 public; then per repetition: a bit, z = bit * x + 5, z public with a coefficient of its own, and a
// tail constraint.
template <ConstraintSystem CS>
void synthesize(CS& cs, std::uint64_t x_value, std::uint64_t pattern) {
  const Fr x = Fr::from_u64(x_value);
  const Variable x_var = cs.alloc(x);
  const Variable y_var = cs.alloc_input(x * x);
  cs.enforce([&](LinearCombination& lc) { lc.add(x_var); }, [&](LinearCombination& lc) { lc.add(x_var); },
             [&](LinearCombination& lc) { lc.add(y_var); });
  Shared shared{x, x_var, {}, {}, pattern};
  for (std::size_t i = 0; i < 2 * kRepetitions; ++i) {
    const bool bit = i % 3 == 0;
    shared.switch_values.push_back(i % 2 == 0 ? Fr::from_u64(bit) : Fr::from_u64(i));
    shared.switches.push_back(i % 2 == 0 ? cs.alloc_bit(bit) : cs.alloc(shared.switch_values.back()));
  }
  const auto parameters = [&](std::size_t i) {
    return std::vector<Variable>{shared.switches[i], shared.switches[kRepetitions + i]};
  };
  cs.repeat(kRepetitions, parameters, [&](CS& part, std::size_t i) { synthesize_item(part, shared, i); });
  const Variable last = cs.alloc(x.doubled());
  cs.enforce(
      [&](LinearCombination& lc) {
        lc.add(x_var);
        lc.add(x_var);
      },
      [&](LinearCombination& lc) {
        lc.add(kOneVariable);
        lc.add(last, Fr::zero());
      },
      [&](LinearCombination& lc) { lc.add(last); });
}

TEST(ConstraintSystems, AgreeOnShapeAndValues) {
  ShapeSystem shape_system;
  synthesize(shape_system, 0, 0);
  const R1cs r1cs = shape_system.finish();
  WitnessSystem witness_system;
  synthesize(witness_system, 11, 0x5a5a5a5a12345678);
  const Witness witness = witness_system.finish();
  ProvingSystem proving;
  synthesize(proving, 11, 0x5a5a5a5a12345678);
  TestSystem test;
  synthesize(test, 11, 0x5a5a5a5a12345678);

  ASSERT_EQ(r1cs.blocks().size(), 3u);
  EXPECT_EQ(r1cs.num_constraints(), test.num_constraints());
  EXPECT_EQ(r1cs.num_inputs(), test.num_inputs());
  EXPECT_EQ(r1cs.num_aux(), test.num_aux());
  EXPECT_EQ(to_hex(r1cs_digest(r1cs)), to_hex(test.digest()));
  EXPECT_EQ(r1cs.non_zeros().a, test.non_zeros().a);
  EXPECT_EQ(r1cs.non_zeros().b, test.non_zeros().b);
  EXPECT_EQ(r1cs.non_zeros().c, test.non_zeros().c);

  ASSERT_TRUE(check_dimensions(r1cs, witness).is_ok());
  EXPECT_EQ(expand_aux(r1cs, witness), test.aux());
  EXPECT_EQ(proving.aux(), test.aux());
  EXPECT_EQ(witness.inputs, test.inputs());

  const std::size_t domain = std::size_t{1} << r1cs.log_domain();
  std::vector<Fr> a(domain, Fr::one()), b(domain, Fr::one()), c(domain, Fr::one());
  evaluate(r1cs, witness, a, b, c);
  for (std::size_t i = 0; i < r1cs.num_constraints(); ++i) {
    EXPECT_EQ(a[i], proving.a()[i]);
    EXPECT_EQ(b[i], proving.b()[i]);
    EXPECT_EQ(c[i], proving.c()[i]);
  }
  for (std::size_t i = 0; i < r1cs.num_inputs(); ++i)
    EXPECT_EQ(a[r1cs.num_constraints() + i], witness.inputs[i]);
  for (std::size_t i = r1cs.num_domain_rows(); i < domain; ++i) EXPECT_TRUE(a[i].is_zero());
  for (std::size_t i = r1cs.num_constraints(); i < domain; ++i) EXPECT_TRUE(b[i].is_zero() && c[i].is_zero());

  const Densities& densities = r1cs.densities();
  EXPECT_EQ(densities.aux_in_a, proving.densities().aux_in_a);
  EXPECT_EQ(densities.aux_in_b, proving.densities().aux_in_b);
  EXPECT_EQ(densities.inputs_in_b, proving.densities().inputs_in_b);
  EXPECT_EQ(&r1cs.densities(), &densities) << "computed once";
  const R1cs copy = r1cs;
  EXPECT_EQ(&copy.densities(), &densities);
  EXPECT_FALSE(densities.aux_in_b[r1cs.num_aux() - 1]) << "a zero coefficient must not count";
}

TEST(ConstraintSystems, AWrongValueIsFoundAndNamed) {
  TestSystem test;
  synthesize(test, 7, ~0ull);
  EXPECT_EQ(test.first_unsatisfied(), std::nullopt);
  test.set_aux(1 + 2 * kRepetitions + 3 * 3 + 1, Fr::from_u64(1234));  // z of item 3
  ASSERT_TRUE(test.first_unsatisfied().has_value());
  EXPECT_NE(test.first_unsatisfied()->find("item 3"), std::string::npos);

  ShapeSystem shape_system;
  synthesize(shape_system, 0, 0);
  const R1cs r1cs = shape_system.finish();
  WitnessSystem witness_system;
  synthesize(witness_system, 7, ~0ull);
  Witness witness = witness_system.finish();
  EXPECT_EQ(first_unsatisfied(r1cs, witness), std::nullopt);
  witness.fulls[1 + kRepetitions + 2 * 3] += Fr::one();
  EXPECT_EQ(first_unsatisfied(r1cs, witness), std::optional<std::size_t>(1 + 3 * 4 + 1));
}

TEST(Witness, DimensionsAreCompared) {
  ShapeSystem shape_system;
  synthesize(shape_system, 0, 0);
  const R1cs r1cs = shape_system.finish();
  WitnessSystem witness_system;
  synthesize(witness_system, 7, 1);
  Witness witness = witness_system.finish();
  witness.fulls.pop_back();
  EXPECT_EQ(check_dimensions(r1cs, witness).code(), StatusCode::invalid_argument);
}

TEST(BitVector, AppendsAcrossWords) {
  BitVector bits;
  std::vector<bool> plain;
  std::uint64_t state = 1;
  for (unsigned round = 0; round < 500; ++round) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const unsigned count = round % 65;
    const std::uint64_t value = count == 0 ? 0 : (state >> 1) & (~0ull >> (64 - count));
    bits.append(value, count);
    for (unsigned i = 0; i < count; ++i) plain.push_back(((value >> i) & 1) != 0);
  }
  BitVector copy;
  copy.append(1, 1);
  copy.append(bits);
  ASSERT_EQ(bits.size(), plain.size());
  ASSERT_EQ(copy.size(), plain.size() + 1);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(bits[i], plain[i]);
    EXPECT_EQ(copy[i + 1], plain[i]);
  }
  bits.resize(70);
  bits.resize(200);
  EXPECT_EQ(bits.count_ones(), static_cast<std::size_t>(std::count(plain.begin(), plain.begin() + 70, true)));
}

TEST(BitVector, SetsARangeOfAnother) {
  std::mt19937_64 random(7);
  for (const std::size_t size : {0, 1, 63, 64, 65, 128, 200}) {
    BitVector part;
    for (std::size_t i = 0; i < size; ++i) part.push_back(random() % 2 == 1);
    for (const std::size_t position : {0, 1, 63, 64, 100}) {
      BitVector bits;
      bits.resize(position + size);
      if (position > 0) bits.set(position - 1);
      bits.set_all(position, part);
      for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(bits[position + i], part[i]);
      EXPECT_EQ(bits.count_ones(), part.count_ones() + (position > 0 ? 1 : 0));
    }
  }
}

TEST(Densities, ManyThreadsMayAskAtOnce) {
  ShapeSystem shape_system;
  synthesize(shape_system, 0, 0);
  const R1cs r1cs = shape_system.finish();
  ThreadPool pool(8);
  std::vector<const Densities*> found(64);
  pool.parallel_for(found.size(), 1,
                    [&](std::size_t begin, std::size_t) { found[begin] = &r1cs.densities(); });
  for (const Densities* densities : found) EXPECT_EQ(densities, found.front());
  EXPECT_EQ(found.front()->aux_in_a.size(), r1cs.num_aux());
}

TEST(LinearCombination, CanonicalFormMergesAndDropsZeros) {
  LinearCombination lc;
  lc.add(Variable::aux(3), Fr::from_u64(4));
  lc.add(Variable::input(9));
  lc.sub(Variable::aux(1));
  lc.add(Variable::aux(3), -Fr::from_u64(4));
  lc.add(Variable::aux(1), Fr::from_u64(3));
  lc.canonicalize();
  ASSERT_EQ(lc.terms().size(), 2u);
  EXPECT_EQ(lc.terms()[0].variable, Variable::input(9));
  EXPECT_EQ(lc.terms()[1].variable, Variable::aux(1));
  EXPECT_EQ(lc.terms()[1].coefficient, Fr::from_u64(2));
}

}  // namespace
}  // namespace cuzk
