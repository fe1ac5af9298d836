// The device's multi-scalar multiplications against the host's, at the sizes where kernels split, with scalars and points
// of every kind, by both methods of summing lists.
#include "cuda/msm/device_msm.h"

#include "cuda/msm/ones.h"
#include "cuda/msm/points.h"
#include "cuda/testing/gpu_test.h"
#include "msm/msm.h"

namespace cuzk::cuda {
namespace {

constexpr std::size_t kArenaBytes = std::size_t{6} << 30;

template <class Affine>
using ProjectiveOf = ProjectivePoint<typename Affine::Field>;

class MsmDeviceTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (!IsSkipped()) arena_.emplace(kArenaBytes);
  }

  template <class Affine>
  ProjectiveOf<Affine> dense(const DeviceBuffer<Affine>& d_points, const std::vector<Fr>& scalars,
                             std::optional<ListMethod> method = {}) {
    const Arena::Scope scope(*arena_);
    DeviceMsm<Affine> msm(*arena_, MsmShape::dense(scalars.size()));
    if (method) msm.force_method(*method);
    const DeviceBuffer<Fr> d_scalars{std::span<const Fr>(scalars)};
    return msm.run(d_points.data(), {d_scalars.data(), nullptr, nullptr, scalars.size()}, 0, stream());
  }
  template <class Affine>
  DeviceBuffer<Affine> upload(const std::vector<Affine>& points) {
    DeviceBuffer<Affine> d_points{std::span<const Affine>(points)};
    mark_infinities(d_points.data(), points.size(), stream());
    return d_points;
  }
  // Device (by each method) and host agree on the first scalars.size() points.
  template <class Affine>
  void expect_equal(const DeviceBuffer<Affine>& d_points, const Bases<typename Affine::Field>& bases,
                    const std::vector<Fr>& scalars, const char* what) {
    const auto want = msm(bases, std::span<const Fr>(scalars));
    EXPECT_TRUE(dense(d_points, scalars) == want) << what << " " << scalars.size();
    if constexpr (std::is_same_v<Affine, G1Affine>) {
      for (const ListMethod method : {ListMethod::batch_affine, ListMethod::xyzz}) {
        EXPECT_TRUE(dense(d_points, scalars, method) == want)
            << what << " " << scalars.size() << " method " << static_cast<int>(method);
      }
    }
  }
  template <class Affine>
  void check_sizes(const std::vector<std::size_t>& sizes) {
    RandomData random(31);
    const auto points = random.points<Affine>(sizes.back());
    const auto bases = Bases<typename Affine::Field>::from_affine(points);
    const auto d_points = upload(points);
    for (const std::size_t n : sizes) expect_equal(d_points, bases, random.scalars(n), "random");
  }
  template <class Affine>
  void check_scalars(std::size_t n) {
    RandomData random(32);
    const auto points = random.points<Affine>(n);
    const auto bases = Bases<typename Affine::Field>::from_affine(points);
    const auto d_points = upload(points);
    const std::vector<Fr> few = random.scalars(3);
    std::vector<Fr> scalars(n);
    expect_equal(d_points, bases, scalars, "zero");
    const auto fill = [&](auto make) {
      for (std::size_t i = 0; i < n; ++i) scalars[i] = make(i);
    };
    fill([](std::size_t) { return Fr::one(); });
    expect_equal(d_points, bases, scalars, "one");
    fill([](std::size_t) { return -Fr::one(); });
    expect_equal(d_points, bases, scalars, "minus one");
    fill([&](std::size_t i) { return few[i % 3]; });
    expect_equal(d_points, bases, scalars, "few values");
    fill([&](std::size_t i) { return i % 97 == 0 ? random.element<Fr>() : Fr::zero(); });
    expect_equal(d_points, bases, scalars, "sparse");
    fill([&](std::size_t i) { return i % 5 == 0 ? Fr::from_u64(random.word() >> 32) : Fr::from_u64(i & 1); });
    expect_equal(d_points, bases, scalars, "bits and words");
    fill([&](std::size_t i) { return Fr::from_repr_unchecked({0, 0, 0, std::uint64_t{1} << (i % 62)}); });
    expect_equal(d_points, bases, scalars, "powers of two");
  }
  template <class Affine>
  void check_points(std::size_t n) {
    RandomData random(33);
    auto points = random.points<Affine>(n);
    std::vector<Fr> scalars = random.scalars(n);
    for (std::size_t i = 0; i < n / 8; ++i) {
      points[n / 8 + i] = points[i];    // equal, by chance in one bucket
      points[n / 4 + i] = -points[i];   // opposite
      scalars[n / 4 + i] = scalars[i];  // P and -P in the same bucket
      points[n / 2 + i] = points[0];
      if (i % 3 == 0) points[n / 2 + n / 4 + i] = Affine::infinity();
    }
    auto d_points = upload(points);
    expect_equal(d_points, Bases<typename Affine::Field>::from_affine(points), scalars,
                 "equal and opposite points");
    for (Fr& k : scalars) k = scalars[0];
    expect_equal(d_points, Bases<typename Affine::Field>::from_affine(points), scalars, "and equal scalars");
    points.assign(n, points[1]);
    d_points = upload(points);
    expect_equal(d_points, Bases<typename Affine::Field>::from_affine(points), scalars, "all equal");
    points.assign(n, Affine::infinity());
    d_points = upload(points);
    expect_equal(d_points, Bases<typename Affine::Field>::from_affine(points), scalars, "all infinity");
  }
  // A witness of n variables, of which every fourth word of bits has no points: ones by bits, others by value.
  template <class Affine>
  void check_witness(std::size_t n, bool masked) {
    RandomData random(34);
    const std::size_t words = (n + 63) / 64;
    std::vector<std::uint64_t> bits(words), mask(words, ~std::uint64_t{0});
    std::vector<std::uint32_t> rank(words);
    if (n % 64 != 0) mask.back() = (std::uint64_t{1} << (n % 64)) - 1;
    for (std::size_t i = 0; i < words; ++i) {
      if (masked) mask[i] &= i % 4 == 3 ? 0 : random.word() | random.word();
      bits[i] = random.word();
      if (i + 1 == words && n % 64 != 0) bits[i] &= (std::uint64_t{1} << (n % 64)) - 1;
      if (i > 0) rank[i] = rank[i - 1] + static_cast<std::uint32_t>(std::popcount(mask[i - 1]));
    }
    constexpr std::uint32_t kFirst = 3;
    WitnessScalars host;
    std::vector<std::uint32_t> tail_points;
    std::vector<Fr> tail_values;
    host.n = kFirst + rank.back() + static_cast<std::size_t>(std::popcount(mask.back()));
    host.ones.resize((host.n + 63) / 64);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << (i % 64);
      if (i % 50 == 0) bits[i / 64] &= ~bit;
      if ((mask[i / 64] & bit) == 0) continue;
      const auto point = static_cast<std::uint32_t>(kFirst + rank[i / 64]) +
                         static_cast<std::uint32_t>(std::popcount(mask[i / 64] & (bit - 1)));
      if ((bits[i / 64] & bit) != 0) host.ones[point / 64] |= std::uint64_t{1} << (point % 64);
      if (i % 50 == 0) tail_points.push_back(point), tail_values.push_back(random.element<Fr>());
    }
    host.indices = tail_points;
    host.values = tail_values;
    const auto points = random.points<Affine>(host.n);
    const auto want = msm(Bases<typename Affine::Field>::from_affine(points), host);

    const Arena::Scope scope(*arena_);
    // Values in reverse order behind an index, as the full elements of a witness are.
    std::vector<std::uint32_t> index(tail_values.size());
    for (std::size_t i = 0; i < index.size(); ++i)
      index[i] = static_cast<std::uint32_t>(index.size() - 1 - i);
    std::reverse(tail_values.begin(), tail_values.end());
    const auto d_points = upload(points);
    const DeviceBuffer<std::uint64_t> d_bits{std::span<const std::uint64_t>(bits)},
        d_mask{std::span<const std::uint64_t>(mask)};
    const DeviceBuffer<std::uint32_t> d_rank{std::span<const std::uint32_t>(rank)},
        d_index{std::span<const std::uint32_t>(index)}, d_tail{std::span<const std::uint32_t>(tail_points)};
    const DeviceBuffer<Fr> d_values{std::span<const Fr>(tail_values)};
    OnesList ones(*arena_, words);
    DeviceMsm<Affine> device(*arena_, MsmShape::sparse(host.n, index.size()));
    const PointMask point_mask{masked ? d_mask.data() : nullptr, masked ? d_rank.data() : nullptr, kFirst};
    const std::size_t num_ones = ones.list(d_bits.data(), words, point_mask, device.ones(), stream());
    std::size_t want_ones = 0;
    for (const std::uint64_t word : host.ones) want_ones += static_cast<std::size_t>(std::popcount(word));
    EXPECT_EQ(num_ones, want_ones);
    EXPECT_TRUE(device.run(d_points.data(), {d_values.data(), d_index.data(), d_tail.data(), index.size()},
                           num_ones, stream()) == want)
        << n;
  }

  // Ones whose points are equal, opposite or infinity, in lists of several pieces, beside fewer scalars than planned for.
  template <class Affine>
  void check_ones(std::size_t num_ones) {
    constexpr std::size_t kPoints = 4096;
    RandomData random(37);
    auto points = random.points<Affine>(kPoints);
    for (std::size_t i = 0; i < kPoints; i += 4) points[i + 1] = -points[i];
    for (std::size_t i = 0; i < kPoints; i += 64) points[i] = Affine::infinity();
    std::vector<std::uint32_t> list(num_ones);
    XyzzPoint<typename Affine::Field> ones;
    for (std::size_t i = 0; i < num_ones; ++i) {
      const auto any = static_cast<std::uint32_t>(random.word() % kPoints);
      list[i] = i % 2 == 1 && any % 4 == 0 ? list[i - 1] ^ (any / 4 % 2) : any;
      ones.add(points[list[i]]);
    }
    const auto bases = Bases<typename Affine::Field>::from_affine(points);
    const auto d_points = upload(points);
    const std::vector<Fr> scalars = random.scalars(1000);
    const DeviceBuffer<Fr> d_scalars{std::span<const Fr>(scalars)};
    const Arena::Scope scope(*arena_);
    DeviceMsm<Affine> device(*arena_, MsmShape::sparse(num_ones, 5 * scalars.size()));
    CUZK_CUDA_TRY(
        cudaMemcpyAsync(device.ones(), list.data(), list.size() * 4, cudaMemcpyHostToDevice, stream()));
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{33}, scalars.size()}) {
      const auto want = msm(bases, std::span<const Fr>(scalars).first(n)) + ones.to_projective();
      EXPECT_TRUE(device.run(d_points.data(), {d_scalars.data(), nullptr, nullptr, n}, num_ones, stream()) ==
                  want)
          << n;
    }
  }

  std::optional<Arena> arena_;
};

TEST_F(MsmDeviceTest, SizesOfG1) {
  check_sizes<G1Affine>(
      {0, 1, 2, 31, 32, 33, 237, 511, 512, 513, 1023, 1024, 1025, 4097, 65535, 65536, 65537});
}
TEST_F(MsmDeviceTest, SizesOfG2) {
  check_sizes<G2Affine>({0, 1, 2, 31, 32, 33, 237, 511, 512, 513, 1023, 4097, 16385});
}
TEST_F(MsmDeviceTest, ScalarsOfG1) {
  check_scalars<G1Affine>(5000);
}
TEST_F(MsmDeviceTest, ScalarsOfG2) {
  check_scalars<G2Affine>(2000);
}
TEST_F(MsmDeviceTest, PointsOfG1) {
  check_points<G1Affine>(4096);
}
TEST_F(MsmDeviceTest, PointsOfG2) {
  check_points<G2Affine>(1024);
}
TEST_F(MsmDeviceTest, WitnessesOfG1) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{64}, std::size_t{1000}, std::size_t{100'003}}) {
    check_witness<G1Affine>(n, false);
    check_witness<G1Affine>(n, true);
  }
}
TEST_F(MsmDeviceTest, WitnessesOfG2) {
  check_witness<G2Affine>(10'001, false);
  check_witness<G2Affine>(10'001, true);
}

TEST_F(MsmDeviceTest, OnesOfEveryKind) {
  check_ones<G1Affine>(100'003);
  check_ones<G2Affine>(100'003);
}

// One work space, sizes in turn, results equal every time.
TEST_F(MsmDeviceTest, RepeatsAreEqual) {
  RandomData random(35);
  const auto points = random.points<G1Affine>(20'000);
  const auto d_points = upload(points);
  const std::vector<Fr> scalars = random.scalars(points.size());
  const DeviceBuffer<Fr> d_scalars{std::span<const Fr>(scalars)};
  DeviceMsm<G1Affine> device(*arena_, MsmShape::dense(scalars.size()));
  const auto run = [&](std::size_t n) {
    return device.run(d_points.data(), {d_scalars.data(), nullptr, nullptr, n}, 0, stream()).to_affine();
  };
  const G1Affine large = run(scalars.size()), small = run(33);
  const G1Bases bases = G1Bases::from_affine(points);
  EXPECT_EQ(large, msm(bases, std::span<const Fr>(scalars)).to_affine());
  EXPECT_EQ(small, msm(bases, std::span<const Fr>(scalars).first(33)).to_affine());
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(run(i % 2 == 0 ? scalars.size() : 33), i % 2 == 0 ? large : small) << i;
}

// Small enough for the race checker, with every kernel of the G1 path.
TEST_F(MsmDeviceTest, BatchAffineOnFewPoints) {
  RandomData random(36);
  const auto points = random.points<G1Affine>(200);
  const std::vector<Fr> scalars = random.scalars(points.size());
  EXPECT_TRUE(dense(upload(points), scalars, ListMethod::batch_affine) ==
              msm(G1Bases::from_affine(points), std::span<const Fr>(scalars)));
}

TEST_F(MsmDeviceTest, ArenaTooSmallIsOutOfMemory) {
  Arena tiny(1000);
  EXPECT_THROW(DeviceMsm<G1Affine>(tiny, MsmShape::dense(1000)), CudaOutOfMemory);
  Arena dry = Arena::dry();
  const DeviceMsm<G1Affine> planned(dry, MsmShape::dense(1000));
  Arena exact(dry.peak());
  EXPECT_NO_THROW(DeviceMsm<G1Affine>(exact, MsmShape::dense(1000)));
  EXPECT_EQ(exact.used(), dry.peak());
  EXPECT_THROW(DeviceBuffer<std::uint8_t>(std::size_t{1} << 50), CudaOutOfMemory);
}

}  // namespace
}  // namespace cuzk::cuda
