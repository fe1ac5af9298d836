#include <random>

#include "bench_command.h"
#include "known_points.h"
#include "micro_bench.h"
#include "msm/msm.h"
#include "poly/domain.h"
#include "poly/quotient.h"
#include "samples.h"

namespace cuzk {
namespace {

std::vector<Fr> random_scalars(std::size_t n, std::uint64_t seed) {
  std::vector<Fr> scalars(n);
  parallel_for(n, 4096, [&](std::size_t begin, std::size_t end) {
    std::mt19937_64 random(seed * 1'000'003 + begin);
    for (std::size_t i = begin; i < end; ++i) scalars[i] = random_scalar(random);
  });
  return scalars;
}

Report timed(Report report, const Samples& samples, double items, bool ok) {
  report.update(samples.summary());
  report["per_second"] = items / samples.median() * 1e3;
  report["ok"] = ok;
  return report;
}

class CpuMicroBench final : public MicroBench {
 public:
  Report device() override { return {{"backend", "cpu"}}; }
  Report products(int) override { return nullptr; }

  Report ntt(unsigned log_n, int runs) override {
    const Domain domain(log_n);
    const std::vector<Fr> before = random_scalars(domain.size(), log_n);
    std::vector<Fr> values = before;
    const Samples forward = time_runs(runs, [&] { domain.ntt(values); });
    // A transform of all ones has one non-zero element, and that one is known.
    std::vector<Fr> ones(domain.size(), Fr::one());
    domain.ntt(ones);
    bool ok = ones[0] == Fr::from_u64(domain.size());
    for (std::size_t i = 1; i < ones.size(); ++i) ok = ok && ones[i].is_zero();
    const Samples inverse = time_runs(runs, [&] { domain.intt(values); });
    ok = ok && values == before;
    const double n = static_cast<double>(domain.size());
    Report report = Report::array();
    report.push_back(timed({{"transform", "ntt"}, {"log_n", log_n}}, forward, n, ok));
    report.push_back(timed({{"transform", "intt"}, {"log_n", log_n}}, inverse, n, ok));
    if (log_n > 0) report.push_back(quotient_report(domain, runs));
    return report;
  }

  Report msm(const MsmCase& msm_case, int runs) override {
    return msm_case.g2 ? run_msm<Fp2>(msm_case, runs) : run_msm<Fp>(msm_case, runs);
  }

 private:
  // a, b and c = a b on the domain: the quotient of a satisfied system, whose last coefficient is zero.
  static Report quotient_report(const Domain& domain, int runs) {
    const std::size_t n = domain.size();
    const std::vector<Fr> a = random_scalars(n, 1), b = random_scalars(n, 2);
    std::vector<Fr> c(n);
    for (std::size_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
    bool ok = true;
    Samples samples;
    for (int i = 0; i <= runs; ++i) {
      std::vector<Fr> x = a, y = b, z = c;
      const Stopwatch watch;
      quotient(domain, x, y, z);
      if (i > 0) samples.add(watch.elapsed_ms());
      ok = ok && x.back().is_zero() && (n < 4 || !x.front().is_zero());
    }
    return timed({{"transform", "quotient"}, {"log_n", domain.log_n()}}, samples, static_cast<double>(n), ok);
  }

  template <typename F>
  static Report run_msm(const MsmCase& msm_case, int runs) {
    const std::size_t n = std::size_t{1} << msm_case.log_n;
    const Progression progression(7);
    const auto points = progression.points<AffinePoint<F>>(n);
    const auto bases = Bases<F>::from_affine(points);
    std::vector<Fr> scalars = random_scalars(n, msm_case.log_n);
    WitnessScalars sparse;
    if (msm_case.witness) sparse = make_sparse(scalars);
    const auto want = ProjectivePoint<F>::generator().mul(progression.weighted_sum(scalars));
    bool ok = true;
    const Samples samples = time_runs(runs, [&] {
      const auto got =
          msm_case.witness ? cuzk::msm(bases, sparse) : cuzk::msm(bases, std::span<const Fr>(scalars));
      ok = ok && got == want;
    });
    return timed({{"group", msm_case.g2 ? "g2" : "g1"},
                  {"scalars", msm_case.witness ? "witness" : "uniform"},
                  {"log_n", msm_case.log_n}},
                 samples, static_cast<double>(n), ok && !want.is_infinity());
  }

  // Makes the scalars those of a witness, and gives their compact form.
  static WitnessScalars make_sparse(std::vector<Fr>& scalars) {
    WitnessScalars sparse;
    sparse.n = scalars.size();
    sparse.ones.resize((scalars.size() + 63) / 64);
    std::mt19937_64 random(3);
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      if (i % 100 == 7) {
        sparse.indices.push_back(static_cast<std::uint32_t>(i));
        sparse.values.push_back(scalars[i]);
        continue;
      }
      const bool one = (random() & 1) != 0;
      scalars[i] = one ? Fr::one() : Fr::zero();
      if (one) sparse.ones[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    return sparse;
  }
};

}  // namespace

std::unique_ptr<MicroBench> make_cpu_micro_bench() {
  return std::make_unique<CpuMicroBench>();
}

Result<std::unique_ptr<MicroBench>> make_micro_bench(const std::string& backend) {
  if (backend == "cuda") return make_cuda_micro_bench();
  return make_cpu_micro_bench();
}

}  // namespace cuzk
