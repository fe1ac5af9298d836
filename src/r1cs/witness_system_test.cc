// The parallel witness against the one made on one thread without knowing the circuit, where repetitions meet at every place of
// a word, at any number of threads; and the parts of it.
#include "r1cs/witness_system.h"

#include <gtest/gtest.h>

#include <random>

#include "r1cs/shape_system.h"

namespace cuzk {
namespace {

Fr value_of(std::size_t repetition, std::size_t number) {
  return Fr::from_u64(1 + 1000 * repetition + number);
}

// A header of `header` variables, `count` repetitions of a block of `bits` bits and `fulls` numbers, and twice that again with
// other repetitions and something between them.
struct Layout {
  std::size_t header, count, bits, fulls, inputs;

  template <ConstraintSystem CS>
  void synthesize(CS& cs) const {
    for (std::size_t i = 0; i < header; ++i) cs.alloc_bit(i % 3 != 0);
    const Variable first = cs.alloc(value_of(0, 0));
    repeat(cs, count, first);
    cs.alloc_input(value_of(1, 1));
    cs.alloc_bit(true);
    repeat(cs, 2 * count, first);
    repeat(cs, 1, first);
    cs.alloc(value_of(2, 2));
  }

  template <ConstraintSystem CS>
  void repeat(CS& cs, std::size_t n, Variable constrained) const {
    cs.repeat(n, [&](CS& part, std::size_t k) {
      std::mt19937_64 random(k);
      for (std::size_t i = 0; i < inputs; ++i) part.alloc_input(value_of(k, i));
      for (std::size_t i = 0; i < std::max(bits, fulls); ++i) {
        if (i < bits) part.alloc_bit(random() % 2 == 1);
        if (i < fulls) part.alloc(value_of(k, i));
      }
      part.enforce([&](LinearCombination& lc) { lc.add(constrained); }, [](LinearCombination&) {},
                   [](LinearCombination&) {});
    });
  }
};

void expect_same(const Witness& found, const Witness& wanted) {
  EXPECT_EQ(found.inputs, wanted.inputs);
  EXPECT_EQ(found.fulls, wanted.fulls);
  EXPECT_TRUE(found.bits == wanted.bits);
}

TEST(WitnessSystem, IsTheSameAtAnyNumberOfThreads) {
  std::vector<std::unique_ptr<ThreadPool>> pools;
  for (const std::size_t threads : {1, 2, 3, 40}) pools.push_back(std::make_unique<ThreadPool>(threads));
  std::vector<Layout> layouts;
  for (const std::size_t header : {0, 1, 62, 63, 64}) {
    for (const std::size_t bits : {0, 1, 2, 7, 31, 63, 64, 65, 127, 128, 200})
      layouts.push_back({header, 9, bits, 1, 1});
    layouts.push_back({header, 33, 5, 0, 0});
    layouts.push_back({header, 3, 0, 100, 2});
    layouts.push_back({header, 2, 0, 0, 1});
    layouts.push_back({header, 2, 0, 0, 0});
  }
  for (const Layout& layout : layouts) {
    ShapeSystem shape;
    layout.synthesize(shape);
    const R1cs r1cs = shape.finish();
    WitnessSystem serial;
    layout.synthesize(serial);
    const Witness wanted = serial.finish();
    ASSERT_TRUE(check_dimensions(r1cs, wanted).is_ok());
    for (const auto& pool : pools) {
      SCOPED_TRACE(testing::Message() << layout.header << " " << layout.bits << " " << layout.fulls << ", "
                                      << pool->num_threads() << " threads");
      WitnessSystem cs(r1cs, *pool);
      layout.synthesize(cs);
      expect_same(cs.finish(), wanted);
    }
  }
}

// Words of any former content: what is not written must not be seen.
TEST(WitnessSystem, LeavesNothingOfTheMemorysFormerContent) {
  const Layout layout{5, 50, 777, 3, 1};
  ShapeSystem shape;
  layout.synthesize(shape);
  const R1cs r1cs = shape.finish();
  WitnessSystem serial;
  layout.synthesize(serial);
  const Witness wanted = serial.finish();
  for (int round = 0; round < 3; ++round) {
    {
      BitVector dirt;
      dirt.resize_for_overwrite(r1cs.num_aux());
      for (std::uint64_t& word : dirt.mutable_words()) word = ~std::uint64_t{0};
    }
    WitnessSystem cs(r1cs);
    layout.synthesize(cs);
    expect_same(cs.finish(), wanted);
  }
}

TEST(WitnessSystemDeathTest, AnotherCircuitIsABug) {
  const Layout layout{1, 4, 10, 2, 1};
  ShapeSystem shape;
  layout.synthesize(shape);
  const R1cs r1cs = shape.finish();
  const auto synthesize = [&](const Layout& other) {
    ThreadPool one(1);
    WitnessSystem cs(r1cs, one);
    other.synthesize(cs);
    cs.finish();
  };
  EXPECT_DEATH(synthesize({1, 4, 10, 3, 1}), "no more variables than its shape has");
  EXPECT_DEATH(synthesize({1, 4, 11, 2, 1}), "no more variables than its shape has");
  EXPECT_DEATH(synthesize({1, 4, 10, 2, 2}), "no more variables than its shape has");
  EXPECT_DEATH(synthesize({1, 4, 9, 2, 1}), "allocates the variables of its shape");
  EXPECT_DEATH(synthesize({2, 4, 10, 2, 1}), "these repetitions at this place");
  EXPECT_DEATH(synthesize({1, 5, 10, 2, 1}), "these repetitions at this place");
}

TEST(BitWriter, NeighboursShareWords) {
  std::mt19937_64 random(4);
  std::vector<bool> plain(5000);
  for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = random() % 2 == 1;
  // Ranges of 0 to 200 bits, written from the last to the first.
  std::vector<std::size_t> begins{0};
  while (begins.back() < plain.size())
    begins.push_back(std::min(plain.size(), begins.back() + random() % 200));
  std::vector<std::uint64_t> words((plain.size() + 63) / 64);
  for (std::size_t range = begins.size() - 1; range-- > 0;) {
    BitWriter writer(words.data(), begins[range]);
    while (writer.position() < begins[range + 1]) {
      const auto count = std::min<std::size_t>(random() % 65, begins[range + 1] - writer.position());
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < count; ++i) bits |= std::uint64_t{plain[writer.position() + i]} << i;
      writer.append(bits, static_cast<unsigned>(count));
    }
    writer.finish();
  }
  for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_EQ((words[i / 64] >> (i % 64)) & 1, plain[i]) << i;
}

// Sizes on both sides of the one from which memory comes in huge pages.
TEST(LargeVector, BehavesAsAVector) {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{1} << 20, (std::size_t{1} << 20) + 1, std::size_t{3} << 20}) {
    LargeVector<std::uint64_t> vector;
    vector.resize(size, 7);
    vector.push_back(8);
    LargeVector<std::uint64_t> copy = vector;
    EXPECT_EQ(copy, vector);
    EXPECT_EQ(copy.front(), 7u);
    EXPECT_EQ(copy[size - 1], 7u);
    EXPECT_EQ(copy.back(), 8u);
    const LargeVector<std::uint64_t> moved = std::move(copy);
    EXPECT_EQ(moved, vector);
  }
}

}  // namespace
}  // namespace cuzk
