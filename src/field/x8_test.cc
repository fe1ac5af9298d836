// FieldX8 against the scalar fields, lane by lane: random and extreme values, canonical and at the top of the
// lazy bounds. The kernels work on arrays, so that the tests themselves need no AVX-512.
#include "field/x8.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/cpu_features.h"

namespace cuzk {
namespace {

constexpr std::size_t kLanes = 8;

// Limb-major values of eight lanes, as FieldX8::load52 wants them.
template <class Params>
struct alignas(64) Rows {
  std::uint64_t word[kLimbs52<Params> * kLanes];
};

enum class Op { mul, sqr, mul_add, add, sub, neg, dbl, to_and_from, loose };

CUZK_IFMA_BEGIN

// out = op(a, b) reduced to [0, p). Bounds: a, b < 35 p with op's own limits; sub and neg take b < 4p.
template <class Params>
void apply(Op op, const Rows<Params>& a_rows, const Rows<Params>& b_rows, PrimeField<Params>* out) {
  using X8 = FieldX8<Params>;
  const X8 a = X8::load52(a_rows.word), b = X8::load52(b_rows.word);
  switch (op) {
    case Op::mul:
      return X8::store(out, X8::reduce(X8::mul(a, b)));
    case Op::sqr:
      return X8::store(out, X8::reduce(X8::sqr(a)));
    case Op::mul_add:
      return X8::store(out, X8::reduce(X8::mul_add(a, b, b, b)));
    case Op::add:
      return X8::store(out, X8::template reduce<32>(X8::add(a, b)));
    case Op::sub:
      return X8::store(out, X8::template reduce<32>(X8::template sub<4>(a, b)));
    case Op::neg:
      return X8::store(out, X8::template reduce<5>(X8::template neg<4>(b)));
    case Op::dbl:
      return X8::store(out, X8::template reduce<32>(X8::dbl(a)));
    case Op::to_and_from:
      return X8::store(out, X8::reduce(X8::to_scalar_form(X8::from_scalar_form(a))));
    case Op::loose: {  // a - b - b + a
      const X8 sum = X8::add_loose(X8::template sub_loose<4>(X8::template sub_loose<4>(a, b), b), a);
      return X8::store(out, X8::template reduce<32>(X8::tighten_signed(sum)));
    }
  }
}

template <class Params>
void copy(const PrimeField<Params>* from, PrimeField<Params>* to, std::size_t from_stride,
          std::size_t to_stride) {
  using X8 = FieldX8<Params>;
  X8::store(to, X8::load(from, from_stride), to_stride);
}

template <class Params>
void permute(const PrimeField<Params>* from, const std::uint32_t* index, PrimeField<Params>* to) {
  using X8 = FieldX8<Params>;
  PrimeField<Params> gathered[kLanes];
  X8::store(gathered, X8::gather(from, index));
  const PrimeField<Params>* pointers[kLanes];
  PrimeField<Params>* targets[kLanes];
  for (std::size_t k = 0; k < kLanes; ++k) pointers[k] = gathered + k;
  for (std::size_t k = 0; k < kLanes; ++k) targets[k] = to + 8 + k;
  X8::scatter(to, index, X8::gather(pointers));
  X8::scatter(targets, X8::gather(from, index));
}

template <class Params>
void masks(const Rows<Params>& a_rows, const Rows<Params>& b_rows, unsigned* zero, unsigned* same,
           PrimeField<Params>* chosen) {
  using X8 = FieldX8<Params>;
  const X8 a = X8::load52(a_rows.word), b = X8::load52(b_rows.word);
  *zero = X8::template is_zero<8>(a);
  *same = X8::same_integer(a, b);
  X8::store(chosen, X8::template reduce<8>(X8::select(0x5a, a, b)));
}

template <class Params, std::uint64_t K>
void reduce(const Rows<Params>& a, PrimeField<Params>* out) {
  FieldX8<Params>::store(out, FieldX8<Params>::template reduce<K>(FieldX8<Params>::load52(a.word)));
}

template <class Params>
void multiply_by_constant(const PrimeField<Params>* a, const PrimeField<Params>& constant,
                          PrimeField<Params>* out) {
  using X8 = FieldX8<Params>;
  const X8 product = X8::mul(X8::load(a), X8::broadcast(radix52_form(constant)));
  X8::store(out, X8::reduce(X8::mul(X8::one(), product)));
}

CUZK_IFMA_END

// value + k p in 52-bit limbs.
template <class Params>
Limbs52<Params> lazy(const PrimeField<Params>& value, std::uint64_t k) {
  Limbs52<Params> out = multiple_of_modulus52<Params>(k);
  const Limbs52<Params> addend = split52<Params>(value.montgomery());
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t sum = out[i] + addend[i] + carry;
    out[i] = sum & kMask52;
    carry = sum >> 52;
  }
  EXPECT_EQ(carry, 0u);
  return out;
}

template <class Params>
class X8Test : public testing::Test {
 protected:
  using Element = PrimeField<Params>;

  void SetUp() override {
    if (!cpu_features().avx512_ifma) GTEST_SKIP() << "this processor (or CUZK_CPU) has no AVX-512 IFMA";
  }

  Element random() {
    typename Element::Repr repr;
    for (auto& limb : repr) limb = rng_();
    return Element::from_repr_unchecked(repr);
  }
  // Every edge value meets every other one in some lane.
  std::vector<Element> values() {
    std::vector<Element> out = edges();
    for (int i = 0; i < 40; ++i) out.push_back(random());
    return out;
  }
  std::vector<Element> edges() {
    typename Element::Repr top = Element::modulus();
    top[0] -= 1;
    typename Element::Repr half = Element::modulus();
    for (std::size_t i = 0; i < half.size(); ++i) {
      half[i] = (half[i] >> 1) | (i + 1 < half.size() ? half[i + 1] << 63 : 0);
    }
    return {Element::zero(),
            Element::one(),
            -Element::one(),
            Element::from_montgomery(top),
            Element::from_montgomery({1}),
            Element::from_montgomery(half)};
  }

  // Runs op on (x + ka p, y + kb p) for all pairs of values and compares with expected(x, y), a function of
  // integers in Montgomery form.
  template <class Expected>
  void check(Op op, std::uint64_t ka, std::uint64_t kb, Expected expected) {
    const std::vector<Element> all = values();
    for (std::size_t shift = 0; shift < all.size(); ++shift) {
      Rows<Params> a, b;
      Element out[kLanes];
      for (std::size_t first = 0; first < all.size(); first += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
          set(a, k, lazy(all[(first + k) % all.size()], ka));
          set(b, k, lazy(all[(first + k + shift) % all.size()], kb));
        }
        apply(op, a, b, out);
        for (std::size_t k = 0; k < kLanes; ++k) {
          const Element x = all[(first + k) % all.size()], y = all[(first + k + shift) % all.size()];
          ASSERT_EQ(out[k].montgomery(), expected(x, y).montgomery())
              << "op " << static_cast<int>(op) << " ka " << ka << " kb " << kb << " lane " << k;
        }
      }
    }
  }
  static void set(Rows<Params>& rows, std::size_t lane, const Limbs52<Params>& limbs) {
    for (std::size_t i = 0; i < limbs.size(); ++i) rows.word[8 * i + lane] = limbs[i];
  }
  // a b / 2^(52 L), from the scalar product a b / 2^(64 N).
  static Element montgomery52(const Element& a, const Element& b) { return a * b * inverse_shift(); }
  static Element inverse_shift() {
    static const Element value =
        times_power_of_two(Element::one(), 52 * kLimbs52<Params> - 64 * Params::kLimbs).inverse();
    return value;
  }
  // The largest B with B p below 2^(52 L) that the header allows.
  static constexpr std::uint64_t kBound = Params::kLimbs == 4 ? 35 : std::uint64_t{1} << 35;

  std::mt19937_64 rng_{20240607};
};

using BothFields = testing::Types<FrParams, FpParams>;
TYPED_TEST_SUITE(X8Test, BothFields);

TYPED_TEST(X8Test, ProductsAtTheBounds) {
  using Field = PrimeField<TypeParam>;
  const auto product = [](const Field& x, const Field& y) { return TestFixture::montgomery52(x, y); };
  const std::uint64_t bound = TestFixture::kBound;
  const std::uint64_t root = bound == 35 ? 5 : std::uint64_t{1} << 17;
  this->check(Op::mul, 0, 0, product);
  this->check(Op::mul, 1, 1, product);
  this->check(Op::mul, bound - 1, 0, product);
  this->check(Op::mul, 0, bound - 1, product);
  this->check(Op::mul, root - 1, root + 1, product);
}

TYPED_TEST(X8Test, SquaresAtTheBounds) {
  using Field = PrimeField<TypeParam>;
  const auto square = [](const Field& x, const Field&) { return TestFixture::montgomery52(x, x); };
  const std::uint64_t root = TestFixture::kBound == 35 ? 5 : std::uint64_t{1} << 17;
  for (const std::uint64_t k : {std::uint64_t{0}, std::uint64_t{1}, root - 1})
    this->check(Op::sqr, k, 0, square);
}

TYPED_TEST(X8Test, SumOfTwoProductsWithOneReduction) {
  using Field = PrimeField<TypeParam>;
  const auto expected = [](const Field& x, const Field& y) { return TestFixture::montgomery52(x + y, y); };
  this->check(Op::mul_add, 0, 0, expected);
  this->check(Op::mul_add, 3, 3, expected);
  this->check(Op::mul_add, TestFixture::kBound - 2, 0, expected);
}

TYPED_TEST(X8Test, SumsDifferencesNegatives) {
  using Field = PrimeField<TypeParam>;
  for (const std::uint64_t ka : {0, 1, 12, 15}) {
    for (const std::uint64_t kb : {0, 1, 3}) {
      this->check(Op::add, ka, kb, [](const Field& x, const Field& y) { return x + y; });
      this->check(Op::sub, ka, kb, [](const Field& x, const Field& y) { return x - y; });
      this->check(Op::neg, ka, kb, [](const Field&, const Field& y) { return -y; });
      this->check(Op::dbl, ka, kb, [](const Field& x, const Field&) { return x + x; });
      if (ka < 12)
        this->check(Op::loose, ka, kb, [](const Field& x, const Field& y) { return x + x - y - y; });
    }
  }
}

TYPED_TEST(X8Test, ChangeOfForm) {
  using Field = PrimeField<TypeParam>;
  this->check(Op::to_and_from, 0, 0, [](const Field& x, const Field&) { return x; });
  this->check(Op::to_and_from, 1, 0, [](const Field& x, const Field&) { return x; });
  for (const Field& constant : this->values()) {
    Field a[kLanes], out[kLanes];
    for (Field& value : a) value = this->random();
    multiply_by_constant(a, constant, out);
    for (std::size_t k = 0; k < kLanes; ++k) EXPECT_EQ(out[k], a[k] * constant);
  }
}

TYPED_TEST(X8Test, LoadsAndStores) {
  using Field = PrimeField<TypeParam>;
  std::vector<Field> from(64);
  for (Field& value : from) value = this->random();
  for (const std::size_t in : {1u, 2u, 8u}) {
    for (const std::size_t out : {1u, 3u, 8u}) {
      std::vector<Field> to(64);
      copy(from.data(), to.data(), in, out);
      for (std::size_t i = 0; i < to.size(); ++i) {
        const bool written = i % out == 0 && i / out < kLanes;
        EXPECT_EQ(to[i], written ? from[i / out * in] : Field::zero());
      }
    }
  }
  const std::uint32_t index[kLanes] = {7, 0, 3, 2, 5, 4, 1, 6};
  std::vector<Field> to(16);
  permute(from.data(), index, to.data());
  for (std::size_t k = 0; k < kLanes; ++k) {
    EXPECT_EQ(to[k], from[k]);
    EXPECT_EQ(to[8 + k], from[index[k]]);
  }
}

TYPED_TEST(X8Test, MasksAreExact) {
  using Field = PrimeField<TypeParam>;
  Rows<TypeParam> a, b;
  for (std::size_t k = 0; k < kLanes; ++k) {  // lane k: k p, but lane 3 is 3p + 1 and lane 6 is 6p - 1
    TestFixture::set(a, k, lazy(Field::zero(), k));
    TestFixture::set(b, k, lazy(k % 2 == 0 ? Field::zero() : Field::one(), k));
  }
  TestFixture::set(a, 3, lazy(Field::from_montgomery({1}), 3));
  typename Field::Repr top = Field::modulus();
  top[0] -= 1;
  TestFixture::set(a, 6, lazy(Field::from_montgomery(top), 5));
  unsigned zero = 0, same = 0;
  Field chosen[kLanes];
  masks(a, b, &zero, &same, chosen);
  EXPECT_EQ(zero, 0xb7u);
  EXPECT_EQ(same, 0x15u);
  for (std::size_t k = 0; k < kLanes; ++k) {
    const Field in_a = k == 3   ? Field::from_montgomery({1})
                       : k == 6 ? Field::from_montgomery(top)
                                : Field::zero();
    const Field in_b = k % 2 == 0 ? Field::zero() : Field::one();
    EXPECT_EQ(chosen[k], (0x5a >> k & 1) != 0 ? in_a : in_b);
  }
}

TYPED_TEST(X8Test, ReducesFromEveryBound) {
  using Field = PrimeField<TypeParam>;
  for (std::uint64_t multiple = 0; multiple < 32; ++multiple) {
    Rows<TypeParam> a;
    std::vector<Field> lanes = this->edges();
    while (lanes.size() < kLanes) lanes.push_back(this->random());
    for (std::size_t k = 0; k < kLanes; ++k) TestFixture::set(a, k, lazy(lanes[k], multiple));
    Field out[kLanes];
    const auto expect_equal = [&] {
      for (std::size_t k = 0; k < kLanes; ++k) EXPECT_EQ(out[k], lanes[k]) << multiple;
    };
    reduce<TypeParam, 32>(a, out);
    expect_equal();
    if (multiple < 11) reduce<TypeParam, 11>(a, out), expect_equal();
    if (multiple < 5) reduce<TypeParam, 5>(a, out), expect_equal();
    if (multiple < 3) reduce<TypeParam, 3>(a, out), expect_equal();
    if (multiple < 2) reduce<TypeParam, 2>(a, out), expect_equal();
  }
}

}  // namespace
}  // namespace cuzk
