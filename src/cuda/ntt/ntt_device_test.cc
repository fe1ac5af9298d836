// The device's transforms and quotient against the host's.
#include "cuda/ntt/ntt.h"

#include "cuda/testing/gpu_test.h"
#include "cuda/testing/test_kernels.h"
#include "poly/domain.h"
#include "poly/quotient.h"

namespace cuzk::cuda {
namespace {

class NttDeviceTest : public GpuTest {
 protected:
  using DeviceTransform = void (DeviceDomain::*)(Fr*, Fr*, cudaStream_t) const;

  std::vector<Fr> transform(const DeviceDomain& domain, DeviceTransform f, const std::vector<Fr>& values) {
    DeviceBuffer<Fr> d_values{std::span<const Fr>(values)}, d_scratch(values.size());
    (domain.*f)(d_values.data(), d_scratch.data(), stream());
    std::vector<Fr> out(values.size());
    d_values.download(out, stream());
    return out;
  }

  std::vector<Fr> device_quotient(const DeviceDomain& domain, const std::vector<Fr>& a,
                                  const std::vector<Fr>& b, const std::vector<Fr>& c) {
    DeviceBuffer<Fr> d_a{std::span<const Fr>(a)}, d_b{std::span<const Fr>(b)}, d_c{std::span<const Fr>(c)},
        d_scratch(a.size());
    domain.quotient(d_a.data(), d_b.data(), d_c.data(), d_scratch.data(), stream());
    std::vector<Fr> h(a.size());
    d_a.download(h, stream());
    return h;
  }
};

TEST_F(NttDeviceTest, EqualsTheHost) {
  RandomData random(21);
  for (unsigned log_n = 0; log_n <= 20; ++log_n) {
    const DeviceDomain device(log_n, stream());
    const Domain host(log_n);
    const std::vector<Fr> values = random.scalars(host.size());
    std::vector<Fr> want = values;
    host.ntt(want);
    EXPECT_TRUE(transform(device, &DeviceDomain::ntt, values) == want) << "ntt " << log_n;
    want = values;
    host.intt(want);
    EXPECT_TRUE(transform(device, &DeviceDomain::intt, values) == want) << "intt " << log_n;
  }
}

TEST_F(NttDeviceTest, ExtremeValues) {
  const DeviceDomain device(11, stream());
  const Domain host(11);
  for (const Fr& value : {Fr::zero(), Fr::one(), -Fr::one()}) {
    std::vector<Fr> values(host.size(), value), want = values;
    host.ntt(want);
    EXPECT_TRUE(transform(device, &DeviceDomain::ntt, values) == want);
  }
}

TEST_F(NttDeviceTest, QuotientEqualsTheHost) {
  RandomData random(22);
  for (unsigned log_n = 1; log_n <= 20; ++log_n) {
    const DeviceDomain device(log_n, stream());
    const Domain host(log_n);
    std::vector<Fr> a = random.scalars(host.size()), b = random.scalars(host.size()), c(host.size());
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] * b[i];
    const std::vector<Fr> h = device_quotient(device, a, b, c);
    quotient(host, a, b, c);
    EXPECT_TRUE(h == a) << log_n;
    EXPECT_TRUE(h.back().is_zero());
  }
}

// Also where a b != c and the result is no quotient; and at the largest values.
TEST_F(NttDeviceTest, QuotientOfAnyValuesEqualsTheHost) {
  RandomData random(24);
  for (const unsigned log_n : {1U, 8U, 9U, 10U, 11U, 18U, 19U}) {
    const DeviceDomain device(log_n, stream());
    const Domain host(log_n);
    for (const bool extreme : {false, true}) {
      const auto values = [&] {
        return extreme ? std::vector<Fr>(host.size(), -Fr::one()) : random.scalars(host.size());
      };
      std::vector<Fr> a = values(), b = values(), c = values();
      const std::vector<Fr> h = device_quotient(device, a, b, c);
      quotient(host, a, b, c);
      EXPECT_TRUE(h == a) << log_n;
    }
  }
}

// Sizes beyond the host's comfort: forward and back, and one value of the transform by its definition.
TEST_F(NttDeviceTest, LargeSizesInvert) {
  for (const unsigned log_n : {24U, 27U, 28U}) {
    const DeviceDomain domain(log_n, stream());
    DeviceBuffer<Fr> d_values(domain.size()), d_scratch(domain.size());
    std::vector<Fr> first(1000), back(1000), at_one(1);
    fill_random(d_values.data(), domain.size(), log_n, stream());
    const auto sample = [&](std::vector<Fr>& out) {
      CUZK_CUDA_TRY(cudaMemcpyAsync(out.data(), d_values.data() + domain.size() - out.size(),
                                    out.size() * sizeof(Fr), cudaMemcpyDeviceToHost, stream()));
      CUZK_CUDA_TRY(cudaStreamSynchronize(stream()));
    };
    DeviceBuffer<Fr> d_rows(std::size_t{1} << (log_n - 12)), d_columns(std::size_t{1} << 12);
    sum_matrix(d_values.data(), log_n - 12, 12, d_rows.data(), d_columns.data(), stream());
    std::vector<Fr> columns(d_columns.size());
    d_columns.download(columns, stream());
    Fr sum;
    for (const Fr& x : columns) sum += x;
    sample(first);
    domain.ntt(d_values.data(), d_scratch.data(), stream());
    CUZK_CUDA_TRY(
        cudaMemcpyAsync(at_one.data(), d_values.data(), sizeof(Fr), cudaMemcpyDeviceToHost, stream()));
    domain.intt(d_values.data(), d_scratch.data(), stream());
    sample(back);
    EXPECT_TRUE(at_one[0] == sum) << log_n;
    EXPECT_TRUE(first == back) << log_n;
  }
}

// Back to back on two streams, large and small in turn, without waiting.
TEST_F(NttDeviceTest, RepeatsAreEqual) {
  RandomData random(23);
  const Stream other;
  const DeviceDomain large(17, stream()), small(6, stream());
  const std::vector<Fr> large_values = random.scalars(large.size()),
                        small_values = random.scalars(small.size());
  const std::vector<Fr> large_want = transform(large, &DeviceDomain::intt, large_values);
  const std::vector<Fr> small_want = transform(small, &DeviceDomain::ntt, small_values);
  DeviceBuffer<Fr> d_large{std::span<const Fr>(large_values)}, d_small{std::span<const Fr>(small_values)};
  std::vector<DeviceBuffer<Fr>> d_copies;
  std::vector<DeviceBuffer<Fr>> d_scratch;
  for (int i = 0; i < 2; ++i) d_scratch.emplace_back(large.size());
  for (int i = 0; i < 100; ++i) {
    const bool is_large = i % 2 == 0;
    const DeviceBuffer<Fr>& from = is_large ? d_large : d_small;
    const int turn = i / 2 % 2;
    const cudaStream_t on = turn == 0 ? stream() : other.get();
    d_copies.emplace_back(from.size());
    Fr* d_copy = d_copies.back().data();
    CUZK_CUDA_TRY(cudaMemcpyAsync(d_copy, from.data(), from.size_bytes(), cudaMemcpyDeviceToDevice, on));
    if (is_large) {
      large.intt(d_copy, d_scratch[static_cast<std::size_t>(turn)].data(), on);
    } else {
      small.ntt(d_copy, d_scratch[static_cast<std::size_t>(turn)].data(), on);
    }
  }
  other.synchronize();
  for (std::size_t i = 0; i < d_copies.size(); ++i) {
    std::vector<Fr> out(d_copies[i].size());
    d_copies[i].download(out, stream());
    ASSERT_TRUE(out == (i % 2 == 0 ? large_want : small_want)) << i;
  }
}

}  // namespace
}  // namespace cuzk::cuda
