// The device's field and point arithmetic against the host's, element by element, bit for bit.
#include <functional>

#include "cuda/msm/points.h"
#include "cuda/runtime/buffer.h"
#include "cuda/testing/gpu_test.h"
#include "cuda/testing/test_kernels.h"
#include "curve/xyzz.h"

namespace cuzk::cuda {
namespace {

template <class Field>
std::vector<Field> edge_cases() {
  typename Field::Repr one{}, low_ones{};
  one[0] = 1;
  low_ones.fill(~std::uint64_t{0});
  low_ones.back() = Field::modulus().back() - 1;
  return {Field::zero(),
          Field::one(),
          -Field::one(),
          Field::from_montgomery(one),
          -Field::from_montgomery(one),
          Field::from_montgomery(low_ones),
          Field::one().doubled()};
}

class FieldDeviceTest : public GpuTest {
 protected:
  template <class F>
  void expect_equal(FieldOp op, const std::vector<F>& a, const std::vector<F>& b,
                    const std::function<F(const F&, const F&, const F&)>& host) {
    DeviceBuffer<F> d_a{std::span<const F>(a)}, d_b{std::span<const F>(b)}, d_out(a.size());
    test_field(op, d_a.data(), d_b.data(), d_out.data(), a.size(), stream());
    std::vector<F> out(a.size());
    d_out.download(out, stream());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      wrong += out[i] == host(a[i], b[i], a[a.size() - 1 - i]) ? 0 : 1;
    EXPECT_EQ(wrong, 0U) << "operation " << static_cast<int>(op);
  }

  template <class F, class MakeRandom>
  void check_common(std::vector<F> edges, MakeRandom make_random) {
    std::vector<F> a, b;
    for (const F& x : edges) {
      for (const F& y : edges) a.push_back(x), b.push_back(y);
    }
    for (int i = 0; i < 20000; ++i) a.push_back(make_random()), b.push_back(make_random());
    expect_equal<F>(FieldOp::add, a, b, [](const F& x, const F& y, const F&) { return x + y; });
    expect_equal<F>(FieldOp::subtract, a, b, [](const F& x, const F& y, const F&) { return x - y; });
    expect_equal<F>(FieldOp::multiply, a, b, [](const F& x, const F& y, const F&) { return x * y; });
    expect_equal<F>(FieldOp::square, a, b, [](const F& x, const F&, const F&) { return x.squared(); });
    expect_equal<F>(FieldOp::negate, a, b, [](const F& x, const F&, const F&) { return -x; });
    if constexpr (std::is_same_v<F, Fr>) {
      expect_equal<F>(FieldOp::multiply_karatsuba, a, b,
                      [](const F& x, const F& y, const F&) { return x * y; });
    } else {
      for (F& x : a) {
        if (x.is_zero()) x = F::one();
      }
      a.resize(2000), b.resize(2000);
      expect_equal<F>(FieldOp::invert, a, b, [](const F& x, const F&, const F&) { return x.inverse(); });
    }
    if constexpr (std::is_same_v<F, Fp>) {
      expect_equal<F>(FieldOp::multiply_subtract, a, b,
                      [](const F& x, const F& y, const F& z) { return x * y - y * z; });
    }
  }

  template <class Affine>
  void check_points() {
    RandomData random(7);
    using Xyzz = XyzzPoint<typename Affine::Field>;
    std::vector<Affine> a = random.points<Affine>(300), b = random.points<Affine>(300);
    for (std::size_t i = 0; i < 50; ++i) b[i] = a[i], b[50 + i] = -a[50 + i];
    a[200] = b[201] = a[202] = b[202] = Affine::infinity();
    DeviceBuffer<Affine> d_a{std::span<const Affine>(a)}, d_b{std::span<const Affine>(b)}, d_out(a.size());
    mark_infinities(d_a.data(), a.size(), stream());
    mark_infinities(d_b.data(), b.size(), stream());
    test_points(d_a.data(), d_b.data(), d_out.data(), a.size(), stream());
    std::vector<Affine> out(a.size());
    d_out.download(out, stream());
    for (std::size_t i = 0; i < a.size(); ++i) {
      Xyzz sum = a[i];
      sum.add(b[i]);
      const Affine want = sum.doubled().to_affine();
      if (want.is_infinity()) {
        EXPECT_TRUE(out[i].y.is_zero() && !out[i].x.is_zero()) << i;  // marked
      } else {
        EXPECT_EQ(out[i], want) << i;
      }
    }
  }
};

TEST_F(FieldDeviceTest, Fr) {
  RandomData random(1);
  check_common<Fr>(edge_cases<Fr>(), [&] { return random.element<Fr>(); });
}
TEST_F(FieldDeviceTest, Fp) {
  RandomData random(2);
  check_common<Fp>(edge_cases<Fp>(), [&] { return random.element<Fp>(); });
}
TEST_F(FieldDeviceTest, Fp2) {
  RandomData random(3);
  std::vector<Fp2> edges;
  for (const Fp& x : edge_cases<Fp>()) {
    for (const Fp& y : edge_cases<Fp>()) edges.push_back({x, y});
  }
  check_common<Fp2>(edges, [&] { return random.fp2(); });
}
TEST_F(FieldDeviceTest, PointsOfG1) {
  check_points<G1Affine>();
}
TEST_F(FieldDeviceTest, PointsOfG2) {
  check_points<G2Affine>();
}

}  // namespace
}  // namespace cuzk::cuda
