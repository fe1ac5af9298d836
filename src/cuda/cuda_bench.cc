// Times the device's transforms and multi-scalar multiplications at real sizes, checking every result, and prints one JSON
// object a line. usage: cuda_bench [largest log2 of the size, 27]
//
// Points are sums A_h + B_l of two small sets of known points, so the sum over 2^27 points is checked by two small sums
// on the host.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cuda/msm/device_msm.h"
#include "cuda/msm/ones.h"
#include "cuda/ntt/ntt.h"
#include "cuda/runtime/device_info.h"
#include "cuda/testing/random_data.h"
#include "cuda/testing/test_kernels.h"
#include "msm/msm.h"

namespace cuzk::cuda {
namespace {

constexpr int kRuns = 5;

struct Times {
  std::vector<double> ms;
  double median() {
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
  }
};

template <class Work>
Times time_runs(cudaStream_t stream, Work work) {
  Times times;
  EventTimer timer;
  for (int i = 0; i <= kRuns; ++i) {
    timer.start(stream);
    work();
    timer.stop(stream);
    const double ms = timer.ms();
    if (i > 0) times.ms.push_back(ms);  // the first warms up
  }
  return times;
}

void report(const char* what, const char* extra, unsigned log_n, Times times, bool ok) {
  std::sort(times.ms.begin(), times.ms.end());
  std::printf(
      "{\"bench\": \"%s\", \"log_n\": %u, \"ms\": %.3f, \"min\": %.3f, \"max\": %.3f, \"runs\": %zu%s, "
      "\"ok\": %s}\n",
      what, log_n, times.median(), times.ms.front(), times.ms.back(), times.ms.size(), extra,
      ok ? "true" : "false");
  std::fflush(stdout);
}

class Bench {
 public:
  explicit Bench(const DeviceInfo& device) : device_(device), arena_(std::size_t{48} << 30) {}

  void products() {
    const unsigned blocks = static_cast<unsigned>(device_.num_sms), rounds = 20000;
    const std::vector<Fr> fr = random_.scalars(2);
    const DeviceBuffer<Fr> d_fr{std::span<const Fr>(fr)};
    const std::vector<Fp> fp = {random_.element<Fp>(), random_.element<Fp>()};
    const DeviceBuffer<Fp> d_fp{std::span<const Fp>(fp)};
    DeviceBuffer<Fp> d_out(std::size_t{blocks} * kChainThreads);
    const double products = double{rounds} * blocks * kChainThreads;
    const auto line = [&](const char* what, Times times) {
      char extra[64];
      std::snprintf(extra, sizeof extra, ", \"products_per_s\": %.4g", products / times.median() * 1e3);
      report(what, extra, 0, times, true);
    };
    auto* d_fr_out = reinterpret_cast<Fr*>(d_out.data());
    line("fr_mul",
         time_runs(s(), [&] { chain_products(false, d_fr.data(), d_fr_out, blocks, rounds, s()); }));
    line("fr_mul_karatsuba",
         time_runs(s(), [&] { chain_products(true, d_fr.data(), d_fr_out, blocks, rounds, s()); }));
    line("fp_mul", time_runs(s(), [&] { chain_products(d_fp.data(), d_out.data(), blocks, rounds, s()); }));
  }

  void transforms(unsigned log_n) {
    const Arena::Scope scope(arena_);
    const DeviceDomain domain(log_n, s());
    const std::size_t n = domain.size();
    Fr *a = arena_.alloc<Fr>(n), *b = arena_.alloc<Fr>(n), *c = arena_.alloc<Fr>(n),
       *scratch = arena_.alloc<Fr>(n);
    fill_random(a, n, 1, s());
    std::vector<Fr> before(64), after(64);
    const auto sample = [&](std::vector<Fr>& out) {
      CUZK_CUDA_TRY(cudaMemcpyAsync(out.data(), a + n - 64, sizeof(Fr) * 64, cudaMemcpyDeviceToHost, s()));
      CUZK_CUDA_TRY(cudaStreamSynchronize(s()));
    };
    sample(before);
    Times forward = time_runs(s(), [&] { domain.ntt(a, scratch, s()); });
    Times inverse = time_runs(s(), [&] { domain.intt(a, scratch, s()); });
    sample(after);
    const bool ok = before == after;
    report("ntt", "", log_n, forward, ok);
    report("intt", "", log_n, inverse, ok);
    fill_random(b, n, 2, s());
    fill_random(c, n, 3, s());
    report("quotient", "", log_n, time_runs(s(), [&] { domain.quotient(a, b, c, scratch, s()); }), ok);
  }

  template <class Affine>
  void make_points(unsigned log_n, DeviceBuffer<Affine>& d_points) {
    log_low_ = std::min(13U, log_n / 2);
    log_high_ = log_n - log_low_;
    const auto high = random_.points<Affine>(std::size_t{1} << log_high_),
               low = random_.points<Affine>(std::size_t{1} << log_low_);
    const DeviceBuffer<Affine> d_high{std::span<const Affine>(high)}, d_low{std::span<const Affine>(low)};
    make_sum_table(d_high.data(), d_low.data(), log_high_, log_low_, d_points.data(), s());
    CUZK_CUDA_TRY(cudaStreamSynchronize(s()));
    high_bases<Affine>() = Bases<typename Affine::Field>::from_affine(high);
    low_bases<Affine>() = Bases<typename Affine::Field>::from_affine(low);
  }
  // The sum over the first 2^log_n points of scalars times points.
  template <class Affine>
  auto expected(const Fr* d_scalars, unsigned log_n) {
    const unsigned log_high = log_n - log_low_;
    DeviceBuffer<Fr> d_rows(std::size_t{1} << log_high), d_columns(std::size_t{1} << log_low_);
    sum_matrix(d_scalars, log_high, log_low_, d_rows.data(), d_columns.data(), s());
    std::vector<Fr> rows(d_rows.size()), columns(d_columns.size());
    d_rows.download(rows, s());
    d_columns.download(columns, s());
    return msm(high_bases<Affine>(), std::span<const Fr>(rows)) +
           msm(low_bases<Affine>(), std::span<const Fr>(columns));
  }

  template <class Affine>
  void dense(const char* what, const Affine* d_points, unsigned log_n) {
    const Arena::Scope scope(arena_);
    const std::size_t n = std::size_t{1} << log_n;
    Fr* d_scalars = arena_.alloc<Fr>(n);
    fill_random(d_scalars, n, log_n, s());
    const auto want = expected<Affine>(d_scalars, log_n);
    const std::size_t before = arena_.used();
    DeviceMsm<Affine> device(arena_, MsmShape::dense(n));
    bool ok = true;
    Times times = time_runs(s(), [&] {
      ok = ok && device.run(d_points, {d_scalars, nullptr, nullptr, n}, 0, s()) == want;
    });
    report_msm(what, log_n, times, device.timings(), arena_.used() - before, ok);
  }

  // Half of the points have scalar 1; one in 100 has a scalar of full width.
  template <class Affine>
  void witness(const char* what, const Affine* d_points, unsigned log_n) {
    const Arena::Scope scope(arena_);
    const std::size_t n = std::size_t{1} << log_n, words = n / 64, tail = n / 100;
    std::vector<std::uint64_t> bits(words);
    for (auto& word : bits) word = random_.word();
    std::vector<std::uint32_t> tail_points(tail);
    std::vector<Fr> scalars(n);
    for (std::size_t i = 0; i < n; ++i)
      scalars[i] = (bits[i / 64] >> (i % 64) & 1) != 0 ? Fr::one() : Fr::zero();
    std::vector<Fr> values = random_.scalars(tail);
    for (std::size_t i = 0; i < tail; ++i) {
      const std::size_t at = i * 100 + 7;
      bits[at / 64] &= ~(std::uint64_t{1} << (at % 64));
      tail_points[i] = static_cast<std::uint32_t>(at);
      scalars[at] = values[i];
    }
    const DeviceBuffer<std::uint64_t> d_bits{std::span<const std::uint64_t>(bits)};
    const DeviceBuffer<std::uint32_t> d_tail{std::span<const std::uint32_t>(tail_points)};
    const DeviceBuffer<Fr> d_values{std::span<const Fr>(values)};
    const auto want = [&] {
      const DeviceBuffer<Fr> d_scalars{std::span<const Fr>(scalars)};
      return expected<Affine>(d_scalars.data(), log_n);
    }();
    const std::size_t before = arena_.used();
    OnesList ones(arena_, words);
    DeviceMsm<Affine> device(arena_, MsmShape::sparse(n, tail));
    bool ok = true;
    Times times = time_runs(s(), [&] {
      const std::size_t num_ones = ones.list(d_bits.data(), words, {nullptr, nullptr, 0}, device.ones(), s());
      ok = ok && device.run(d_points, {d_values.data(), nullptr, d_tail.data(), tail}, num_ones, s()) == want;
    });
    report_msm(what, log_n, times, device.timings(), arena_.used() - before, ok);
  }

 private:
  cudaStream_t s() const { return stream_.get(); }
  void report_msm(const char* what, unsigned log_n, Times times, const MsmTimings& t, std::size_t bytes,
                  bool ok) {
    char extra[200];
    std::snprintf(
        extra, sizeof extra,
        ", \"digits\": %.2f, \"lists\": %.2f, \"buckets\": %.2f, \"reduce\": %.2f, \"work_gb\": %.2f",
        t.digits, t.lists, t.buckets, t.reduce, static_cast<double>(bytes) * 1e-9);
    report(what, extra, log_n, times, ok);
  }
  template <class Affine>
  auto& high_bases() {
    if constexpr (std::is_same_v<Affine, G1Affine>)
      return g1_high_;
    else
      return g2_high_;
  }
  template <class Affine>
  auto& low_bases() {
    if constexpr (std::is_same_v<Affine, G1Affine>)
      return g1_low_;
    else
      return g2_low_;
  }

  DeviceInfo device_;
  Stream stream_;
  Arena arena_;
  RandomData random_{99};
  unsigned log_high_ = 0, log_low_ = 0;
  G1Bases g1_high_, g1_low_;
  G2Bases g2_high_, g2_low_;
};

int run(unsigned largest) {
  const auto devices = list_devices();
  if (!devices.is_ok()) {
    std::printf("skipped: %s\n", devices.status().message().c_str());
    return 0;
  }
  const DeviceInfo& device = devices.value().front();
  std::printf("{\"gpu\": \"%s\", \"uuid\": \"%s\", \"sms\": %d, \"free_gb\": %.1f}\n", device.name.c_str(),
              device.uuid.c_str(), device.num_sms, static_cast<double>(device.free_bytes) * 1e-9);
  Bench bench(device);
  bench.products();
  for (const unsigned log_n : {20U, 24U, 26U, 27U}) {
    if (log_n <= largest) bench.transforms(log_n);
  }
  {
    DeviceBuffer<G1Affine> d_points(std::size_t{1} << largest);
    bench.make_points(largest, d_points);
    for (const unsigned log_n : {20U, 22U, 24U, 26U, 27U}) {
      if (log_n <= largest) bench.dense("msm_g1", d_points.data(), log_n);
    }
    for (const unsigned log_n : {24U, 27U}) {
      if (log_n <= largest) bench.witness("witness_g1", d_points.data(), log_n);
    }
  }
  const unsigned log_g2 = std::min(largest, 24U);
  DeviceBuffer<G2Affine> d_points(std::size_t{1} << log_g2);
  bench.make_points(log_g2, d_points);
  bench.dense("msm_g2", d_points.data(), std::min(log_g2, 20U));
  bench.witness("witness_g2", d_points.data(), log_g2);
  return 0;
}

}  // namespace
}  // namespace cuzk::cuda

int main(int argc, char** argv) {
  try {
    return cuzk::cuda::run(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 27);
  } catch (const std::exception& error) {
    std::printf("error: %s\n", error.what());
    return 1;
  }
}
