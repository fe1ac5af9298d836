// Time per point of every sum of this folder, each answer checked: bases are known multiples of the generator, so the
// result must equal one product with the generator.
//
//     msm_bench [filter [largest log2 of the size]]      runs the lines that contain `filter`
//
// One JSON object a line. `ms` is the best wall time of the repetitions, `cpu_ms` the least processor time of all threads
// together, which also tells something on a machine that is busy with other work.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/cpu_features.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "curve/encoding.h"
#include "msm/fixed_base.h"
#include "msm/msm.h"

namespace cuzk {
namespace {

std::mt19937_64 g_random(20260101);
std::string g_filter;
unsigned g_largest = 22;
bool g_failed = false;

std::vector<Fr> random_scalars(std::size_t n) {
  std::vector<Fr> scalars(n);
  for (Fr& scalar : scalars) {
    const FrRepr repr = {g_random(), g_random(), g_random(), g_random()};
    scalar = Fr::from_repr_unchecked(repr);
  }
  return scalars;
}

bool wanted(const std::string& name) {
  return name.find(g_filter) != std::string::npos;
}

// Whether a name that begins with `prefix` may be wanted.
bool may_want(const std::string& prefix) {
  return wanted(prefix) || g_filter.starts_with(prefix);
}

double processor_ms() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

// Runs `body`, which returns whether its answer is right, and prints a line.
void measure(const std::string& name, std::size_t n, int repetitions, const std::function<bool()>& body) {
  double best_ms = 1e300, best_cpu_ms = 1e300;
  bool good = true;
  for (int i = 0; i < repetitions; ++i) {
    const Stopwatch watch;
    const double cpu_start = processor_ms();
    good = body() && good;
    best_ms = std::min(best_ms, watch.elapsed_ms());
    best_cpu_ms = std::min(best_cpu_ms, processor_ms() - cpu_start);
  }
  g_failed = g_failed || !good;
  std::printf(
      R"({"name": "%s", "n": %zu, "ms": %.2f, "cpu_ms": %.2f, "cpu_ns_per_point": %.1f, "points_per_s": %.0f, "correct": %s})"
      "\n",
      name.c_str(), n, best_ms, best_cpu_ms, best_cpu_ms * 1e6 / static_cast<double>(n),
      static_cast<double>(n) * 1e3 / best_ms, good ? "true" : "false");
  std::fflush(stdout);
}

// Bases k_i G with their k_i.
template <typename F>
struct KnownBases {
  std::vector<Fr> multiples;
  Bases<F> bases;
  std::vector<AffinePoint<F>> points;

  explicit KnownBases(std::size_t n) : multiples(random_scalars(n)), points(n) {
    FixedBase<F>(AffinePoint<F>::generator()).mul(multiples, points);
    bases = Bases<F>::from_affine(points);
  }

  // Whether sum = (sum of scalar(i) k_i) G.
  bool is_right(const ProjectivePoint<F>& sum, const std::function<Fr(std::size_t)>& scalar,
                std::size_t n) const {
    Fr total;
    for (std::size_t i = 0; i < n; ++i) total += scalar(i) * multiples[i];
    return !sum.is_infinity() && sum == ProjectivePoint<F>::generator().mul(total);
  }
};

template <typename F>
void bench_full(const std::string& group, const KnownBases<F>& known, unsigned smallest) {
  for (unsigned log_n = smallest; (std::size_t{1} << log_n) <= known.multiples.size(); ++log_n) {
    const std::string name = group + "/full/2^" + std::to_string(log_n);
    if (!wanted(name)) continue;
    const std::size_t n = std::size_t{1} << log_n;
    const std::vector<Fr> scalars = random_scalars(n);
    ProjectivePoint<F> sum;
    measure(name, n, log_n <= 20 ? 3 : 2, [&] {
      sum = msm(known.bases, scalars);
      return true;
    });
    if (!known.is_right(
            sum, [&](std::size_t i) { return scalars[i]; }, n)) {
      std::printf("wrong answer: %s\n", name.c_str());
      g_failed = true;
    }
  }
}

// Half of the scalars are one, a hundredth of them of full width.
template <typename F>
void bench_witness(const std::string& group, const KnownBases<F>& known, std::size_t n) {
  const std::string name = group + "/witness/" + std::to_string(n);
  if (!wanted(name)) return;
  WitnessScalars scalars{
      .n = n, .ones = std::vector<std::uint64_t>((n + 63) / 64), .indices = {}, .values = {}};
  std::vector<Fr> plain(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (g_random() % 100 == 0) {
      scalars.indices.push_back(static_cast<std::uint32_t>(i));
      scalars.values.push_back(plain[i] = random_scalars(1)[0]);
    } else if (g_random() % 2 == 0) {
      scalars.ones[i / 64] |= std::uint64_t{1} << (i % 64);
      plain[i] = Fr::one();
    }
  }
  ProjectivePoint<F> sum;
  measure(name, n, 5, [&] {
    sum = msm(known.bases, scalars);
    return true;
  });
  if (!known.is_right(
          sum, [&](std::size_t i) { return plain[i]; }, n)) {
    std::printf("wrong answer: %s\n", name.c_str());
    g_failed = true;
  }
}

template <typename F>
void bench_decode(const std::string& group, const KnownBases<F>& known, std::size_t n) {
  const std::string name = group + "/decode/" + std::to_string(n);
  if (!wanted(name)) return;
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < n; ++i) {
    const auto encoded = encode_uncompressed(known.points[i]);
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  measure(name, n, 5, [&] {
    const Result<Bases<F>> bases = Bases<F>::from_encoded(bytes);
    return bases.is_ok() && bases.value().affine(n / 2) == known.points[n / 2];
  });
}

template <typename F>
void bench_fixed_base(const std::string& group, std::size_t n) {
  const std::string name = group + "/fixed_base/" + std::to_string(n);
  if (wanted(name + "/table")) {
    measure(name + "/table", 1, 3,
            [] { return FixedBase<F>(AffinePoint<F>::generator()).table_bytes() > 0; });
  }
  if (!wanted(name)) return;
  const FixedBase<F> base(AffinePoint<F>::generator());
  const std::vector<Fr> scalars = random_scalars(n);
  std::vector<AffinePoint<F>> out(n);
  measure(name, n, 3, [&] {
    base.mul(scalars, out);
    return ProjectivePoint<F>::generator().mul(scalars[n / 3]).to_affine() == out[n / 3];
  });
}

template <typename F>
void bench_group(const std::string& group, unsigned largest) {
  bench_fixed_base<F>(group, std::size_t{1} << 19);
  if (!may_want(group + "/full/") && !may_want(group + "/witness/") && !may_want(group + "/decode/")) return;
  const KnownBases<F> known(std::size_t{1} << largest);
  bench_full<F>(group, known, 10);
  bench_witness<F>(group, known, std::min<std::size_t>(known.multiples.size(), 2'700'000));
  bench_decode<F>(group, known, std::min<std::size_t>(known.multiples.size(), std::size_t{1} << 19));
}

}  // namespace
}  // namespace cuzk

int main(int argc, char** argv) {
  using namespace cuzk;
  if (argc > 1) g_filter = argv[1];
  if (argc > 2) g_largest = static_cast<unsigned>(std::atoi(argv[2]));
  std::printf(R"({"cpu": "%s", "threads": %zu})"
              "\n",
              describe_cpu_features().c_str(), ThreadPool::global().num_threads());
  bench_group<Fp>("g1", g_largest);
  bench_group<Fp2>("g2", std::min(g_largest, 20u));
  return g_failed ? 1 : 0;
}
