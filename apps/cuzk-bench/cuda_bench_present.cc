// The primitives on the first GPU, timed by events of its stream.
//
// Points too many to be made on the host are the sums A_h + B_l of two short progressions (known_points.h), made on the device; the sum
// over 2^27 of them is checked by the sums of the scalars' rows and columns, and so by one product with the generator.
#include <algorithm>
#include <cstdio>
#include <type_traits>

#include "bench_command.h"
#include "cuda/msm/device_msm.h"
#include "cuda/msm/ones.h"
#include "cuda/ntt/ntt.h"
#include "cuda/runtime/device_info.h"
#include "cuda/testing/test_kernels.h"
#include "gpu_query.h"
#include "known_points.h"
#include "micro_bench.h"
#include "samples.h"

namespace cuzk {
namespace {

using namespace cuda;  // NOLINT

template <class Work>
Samples time_on(cudaStream_t stream, int runs, Work work) {
  Samples samples;
  EventTimer timer;
  for (int i = 0; i <= runs; ++i) {
    timer.start(stream);
    work();
    timer.stop(stream);
    const double ms = timer.ms();
    if (i > 0) samples.add(ms);
  }
  return samples;
}

Report line(Report report, const Samples& samples, double items, bool ok) {
  report.update(samples.summary());
  report["per_second"] = items / samples.median() * 1e3;
  report["ok"] = ok;
  return report;
}

Result<DeviceInfo> first_device() {
  CUZK_ASSIGN(const std::vector<DeviceInfo> devices, list_devices());
  const DeviceInfo& device = devices.front();
  if (!device.usable()) return unavailable("GPU 0 (" + device.name + "): " + device.unusable_because);
  return device;
}

// 2^log_n points on the device with known multiples of the generator.
template <class Affine>
class KnownTable {
 public:
  KnownTable(unsigned log_n, cudaStream_t stream)
      : log_low_(std::min(13U, log_n / 2)), log_high_(log_n - log_low_), d_points_(std::size_t{1} << log_n) {
    const auto high = high_.points<Affine>(std::size_t{1} << log_high_);
    const auto low = low_.points<Affine>(std::size_t{1} << log_low_);
    const DeviceBuffer<Affine> d_high{std::span<const Affine>(high)}, d_low{std::span<const Affine>(low)};
    make_sum_table(d_high.data(), d_low.data(), log_high_, log_low_, d_points_.data(), stream);
    CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
  }

  const Affine* data() const noexcept { return d_points_.data(); }

  ProjectivePoint<typename Affine::Field> sum(const Fr* d_scalars, cudaStream_t stream) const {
    DeviceBuffer<Fr> d_rows(std::size_t{1} << log_high_), d_columns(std::size_t{1} << log_low_);
    sum_matrix(d_scalars, log_high_, log_low_, d_rows.data(), d_columns.data(), stream);
    std::vector<Fr> rows(d_rows.size()), columns(d_columns.size());
    d_rows.download(rows, stream);
    d_columns.download(columns, stream);
    return ProjectivePoint<typename Affine::Field>::generator().mul(high_.weighted_sum(rows) +
                                                                    low_.weighted_sum(columns));
  }

 private:
  const Progression high_{11}, low_{12};
  unsigned log_low_, log_high_;
  DeviceBuffer<Affine> d_points_;
};

// The scalars of a witness: half are 1, one in a hundred is of full width.
struct SparseScalars {
  explicit SparseScalars(std::size_t n) : bits((n + 63) / 64), all(n) {
    std::mt19937_64 random(3);
    for (auto& word : bits) word = random();
    if (n % 64 != 0) bits.back() &= (std::uint64_t{1} << (n % 64)) - 1;
    for (std::size_t i = 0; i < n; ++i) {
      all[i] = (bits[i / 64] >> (i % 64) & 1) != 0 ? Fr::one() : Fr::zero();
    }
    for (std::size_t at = 7; at < n; at += 100) {
      bits[at / 64] &= ~(std::uint64_t{1} << (at % 64));
      points.push_back(static_cast<std::uint32_t>(at));
      values.push_back(random_scalar(random));
      all[at] = values.back();
    }
  }

  std::vector<std::uint64_t> bits;
  std::vector<std::uint32_t> points;  // of full width
  std::vector<Fr> values;
  std::vector<Fr> all;
};

class CudaMicroBench final : public MicroBench {
 public:
  explicit CudaMicroBench(DeviceInfo device)
      : device_(std::move(device)), arena_(std::min(std::size_t{48} << 30, device_.free_bytes / 20 * 11)) {}

  Report device() override { return gpu_facts(); }

  Report products(int runs) override {
    return guarded([&] {
      constexpr unsigned kRounds = 20000;
      const auto blocks = static_cast<unsigned>(device_.num_sms);
      std::mt19937_64 random(99);
      const std::vector<Fr> fr = {random_scalar(random), random_scalar(random)};
      const std::vector<Fp> fp = {Fp::from_u64(random()).inverse(), Fp::from_u64(random()).inverse()};
      const DeviceBuffer<Fr> d_fr{std::span<const Fr>(fr)};
      const DeviceBuffer<Fp> d_fp{std::span<const Fp>(fp)};
      DeviceBuffer<Fp> d_out(std::size_t{blocks} * kChainThreads);
      auto* d_fr_out = reinterpret_cast<Fr*>(d_out.data());
      const double products = double{kRounds} * blocks * kChainThreads;
      const Samples fr_times =
          time_on(s(), runs, [&] { chain_products(false, d_fr.data(), d_fr_out, blocks, kRounds, s()); });
      const Samples fp_times =
          time_on(s(), runs, [&] { chain_products(d_fp.data(), d_out.data(), blocks, kRounds, s()); });
      return Report{{"fr_products_per_second", products / fr_times.median() * 1e3},
                    {"fp_products_per_second", products / fp_times.median() * 1e3}};
    });
  }

  Report ntt(unsigned log_n, int runs) override {
    return guarded([&] {
      const Arena::Scope scope(arena_);
      const DeviceDomain domain(log_n, s());
      const std::size_t n = domain.size();
      Fr *a = arena_.alloc<Fr>(n), *b = arena_.alloc<Fr>(n), *c = arena_.alloc<Fr>(n),
         *scratch = arena_.alloc<Fr>(n);
      fill_random(a, n, log_n, s());
      const std::vector<Fr> before = sample(a, n);
      const Samples forward = time_on(s(), runs, [&] { domain.ntt(a, scratch, s()); });
      const std::vector<Fr> between = sample(a, n);
      const Samples inverse = time_on(s(), runs, [&] { domain.intt(a, scratch, s()); });
      const bool ok = sample(a, n) == before && between != before;
      const double items = static_cast<double>(n);
      Report report = Report::array();
      report.push_back(line({{"transform", "ntt"}, {"log_n", log_n}}, forward, items, ok));
      report.push_back(line({{"transform", "intt"}, {"log_n", log_n}}, inverse, items, ok));
      report.push_back(quotient(domain, a, b, c, scratch, runs));
      return report;
    });
  }

  Report msm(const MsmCase& msm_case, int runs) override {
    return guarded(
        [&] { return msm_case.g2 ? run_msm<G2Affine>(msm_case, runs) : run_msm<G1Affine>(msm_case, runs); });
  }

 private:
  cudaStream_t s() const { return stream_.get(); }

  // What CUDA throws becomes a BenchFailure.
  template <class Body>
  static Report guarded(Body body) {
    try {
      return body();
    } catch (const CudaOutOfMemory& error) {
      throw BenchFailure(resource_exhausted(std::string("GPU memory: ") + error.what()));
    } catch (const CudaError& error) {
      throw BenchFailure(internal_error(std::string("GPU: ") + error.what()));
    }
  }

  // The first and the last elements.
  std::vector<Fr> sample(const Fr* d_values, std::size_t n) {
    const std::size_t count = std::min<std::size_t>(n, 64);
    std::vector<Fr> out(2 * count);
    const auto copy = [&](Fr* to, const Fr* from) {
      CUZK_CUDA_TRY(cudaMemcpyAsync(to, from, sizeof(Fr) * count, cudaMemcpyDeviceToHost, s()));
    };
    copy(out.data(), d_values);
    copy(out.data() + count, d_values + n - count);
    CUZK_CUDA_TRY(cudaStreamSynchronize(s()));
    return out;
  }

  // Of a, b and c = a b on the domain: a satisfied system, so the last coefficient is zero. The times are of the transforms alone.
  Report quotient(const DeviceDomain& domain, Fr* a, Fr* b, Fr* c, Fr* scratch, int runs) {
    const std::size_t n = domain.size();
    Samples samples;
    EventTimer timer;
    bool ok = true;
    for (int i = 0; i <= runs; ++i) {
      fill_random(a, n, 1, s());
      fill_random(b, n, 2, s());
      test_field(FieldOp::multiply, a, b, c, n, s());
      timer.start(s());
      domain.quotient(a, b, c, scratch, s());
      timer.stop(s());
      if (i > 0) samples.add(timer.ms());
      const std::vector<Fr> ends = sample(a, n);
      ok = ok && ends.back().is_zero() && (n < 4 || !ends.front().is_zero());
    }
    return line({{"transform", "quotient"}, {"log_n", domain.log_n()}}, samples, static_cast<double>(n), ok);
  }

  template <class Affine>
  Report run_msm(const MsmCase& msm_case, int runs) {
    const Arena::Scope scope(arena_);
    const KnownTable<Affine> table(msm_case.log_n, s());
    const std::size_t n = std::size_t{1} << msm_case.log_n;
    const std::size_t before = arena_.used();
    MsmTimings timings;
    bool ok = true;
    const Samples samples = msm_case.witness ? sparse<Affine>(table, n, runs, timings, ok)
                                             : dense<Affine>(table, n, runs, timings, ok);
    Report report = line({{"group", msm_case.g2 ? "g2" : "g1"},
                          {"scalars", msm_case.witness ? "witness" : "uniform"},
                          {"log_n", msm_case.log_n}},
                         samples, static_cast<double>(n), ok);
    report["last_run_ms"] = {{"digits", timings.digits},
                             {"lists", timings.lists},
                             {"buckets", timings.buckets},
                             {"reduce", timings.reduce}};
    report["work_bytes"] = arena_.peak() - before;
    return report;
  }

  template <class Affine>
  Samples dense(const KnownTable<Affine>& table, std::size_t n, int runs, MsmTimings& timings, bool& ok) {
    Fr* d_scalars = arena_.alloc<Fr>(n);
    fill_random(d_scalars, n, n, s());
    const auto want = table.sum(d_scalars, s());
    DeviceMsm<Affine> device(arena_, MsmShape::dense(n));
    const Samples samples = time_on(s(), runs, [&] {
      ok = ok && device.run(table.data(), {d_scalars, nullptr, nullptr, n}, 0, s()) == want;
    });
    timings = device.timings();
    ok = ok && !want.is_infinity();
    return samples;
  }

  template <class Affine>
  Samples sparse(const KnownTable<Affine>& table, std::size_t n, int runs, MsmTimings& timings, bool& ok) {
    const SparseScalars scalars(n);
    const DeviceBuffer<std::uint64_t> d_bits{std::span<const std::uint64_t>(scalars.bits)};
    const DeviceBuffer<std::uint32_t> d_points{std::span<const std::uint32_t>(scalars.points)};
    const DeviceBuffer<Fr> d_values{std::span<const Fr>(scalars.values)};
    const auto want = [&] {
      const DeviceBuffer<Fr> d_all{std::span<const Fr>(scalars.all)};
      return table.sum(d_all.data(), s());
    }();
    const std::size_t words = scalars.bits.size(), full = scalars.values.size();
    OnesList ones(arena_, words);
    DeviceMsm<Affine> device(arena_, MsmShape::sparse(n, full));
    const Samples samples = time_on(s(), runs, [&] {
      const std::size_t num_ones = ones.list(d_bits.data(), words, {nullptr, nullptr, 0}, device.ones(), s());
      ok = ok &&
           device.run(table.data(), {d_values.data(), nullptr, d_points.data(), full}, num_ones, s()) == want;
    });
    timings = device.timings();
    ok = ok && !want.is_infinity();
    return samples;
  }

  DeviceInfo device_;
  Stream stream_;
  Arena arena_;
};

}  // namespace

Result<std::unique_ptr<MicroBench>> make_cuda_micro_bench() {
  CUZK_ASSIGN(DeviceInfo device, first_device());
  try {
    CUZK_CUDA_TRY(cudaSetDevice(device.index));
    return std::unique_ptr<MicroBench>(std::make_unique<CudaMicroBench>(std::move(device)));
  } catch (const CudaOutOfMemory& error) {
    return resource_exhausted(std::string("GPU memory: ") + error.what());
  } catch (const CudaError& error) {
    return internal_error(std::string("GPU: ") + error.what());
  }
}

std::optional<std::uint64_t> gpu_free_bytes() {
  std::size_t free = 0, total = 0;
  if (!first_device().is_ok() || cudaMemGetInfo(&free, &total) != cudaSuccess) {
    (void)cudaGetLastError();
    return std::nullopt;
  }
  return free;
}

Report gpu_facts() {
  const Result<DeviceInfo> found = first_device();
  if (!found.is_ok()) return {{"gpu", "none: " + found.status().message()}};
  const DeviceInfo& device = found.value();
  int driver = 0, clock_khz = 0, memory_clock_khz = 0;
  (void)cudaDriverGetVersion(&driver);
  (void)cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device.index);
  (void)cudaDeviceGetAttribute(&memory_clock_khz, cudaDevAttrMemoryClockRate, device.index);
  (void)cudaGetLastError();
  Report report = {{"gpu", device.name},
                   {"uuid", device.uuid},
                   {"compute_capability",
                    std::to_string(device.compute_major) + '.' + std::to_string(device.compute_minor)},
                   {"sms", device.num_sms},
                   {"memory_bytes", device.memory_bytes},
                   {"free_bytes", device.free_bytes},
                   {"cuda_driver", std::to_string(driver / 1000) + '.' + std::to_string(driver % 1000 / 10)},
                   {"cuda_runtime", std::to_string(CUDART_VERSION / 1000) + '.' +
                                        std::to_string(CUDART_VERSION % 1000 / 10)}};
  const auto mhz = [](int khz) { return khz > 0 ? Report(khz / 1000) : Report("unknown"); };
  report["max_sm_clock_mhz"] = mhz(clock_khz);
  report["max_memory_clock_mhz"] = mhz(memory_clock_khz);
  report["nvidia_smi"] = query_nvidia_smi(device.uuid);
  return report;
}

}  // namespace cuzk
