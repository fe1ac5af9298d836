// Transforms and the quotient, all threads. The counter ns_per_butterfly is core time: wall time * threads / butterflies
// (log_n n / 2 per transform, seven transforms for the quotient).
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "base/thread_pool.h"
#include "poly/bit_reversal.h"
#include "poly/domain.h"
#include "poly/quotient.h"

namespace cuzk {
namespace {

std::vector<Fr> random_values(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Fr> values(n);
  for (Fr& value : values) value = Fr::from_montgomery({random(), random(), random(), random() >> 2});
  return values;
}

void count_butterflies(benchmark::State& state, const Domain& domain, double transforms) {
  const double butterflies = transforms * domain.log_n() * static_cast<double>(domain.size()) / 2;
  const double threads = static_cast<double>(ThreadPool::global().num_threads());
  state.counters["ns_per_butterfly"] =
      benchmark::Counter(butterflies / threads * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

Domain domain_of(const benchmark::State& state) {
  return Domain(static_cast<unsigned>(state.range(0)), {.allow_ifma = state.range(1) != 0});
}

void ntt(benchmark::State& state, Order to) {
  const Domain domain = domain_of(state);
  std::vector<Fr> values = random_values(domain.size(), 1);
  for (auto _ : state) domain.ntt(values, Order::natural, to);
  count_butterflies(state, domain, 1);
}

void ntt_from_bit_reversed(benchmark::State& state) {
  const Domain domain = domain_of(state);
  std::vector<Fr> values = random_values(domain.size(), 1);
  for (auto _ : state) domain.ntt(values, Order::bit_reversed, Order::natural);
  count_butterflies(state, domain, 1);
}

void permutation(benchmark::State& state) {
  std::vector<Fr> values = random_values(std::size_t{1} << state.range(0), 1);
  for (auto _ : state) bit_reverse(values);
}

void whole_quotient(benchmark::State& state) {
  const Domain domain = domain_of(state);
  std::vector<Fr> a = random_values(domain.size(), 1), b = random_values(domain.size(), 2),
                  c = random_values(domain.size(), 3);
  for (auto _ : state) quotient(domain, a, b, c);
  count_butterflies(state, domain, 7);
}

void make_domain(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(domain_of(state));
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"log_n", "ifma"})->Unit(benchmark::kMillisecond)->UseRealTime();
  for (const int log_n : {10, 16, 20, 22}) bench->Args({log_n, 1});
  bench->Args({16, 0});
}

BENCHMARK_CAPTURE(ntt, to_natural, Order::natural)->Apply(sizes);
BENCHMARK_CAPTURE(ntt, to_bit_reversed, Order::bit_reversed)->Apply(sizes);
BENCHMARK(ntt_from_bit_reversed)->Name("ntt/from_bit_reversed")->Apply(sizes);
BENCHMARK(permutation)->Name("bit_reverse")->Arg(22)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(whole_quotient)->Name("quotient")->Apply(sizes);
BENCHMARK(make_domain)->Apply(sizes);

}  // namespace
}  // namespace cuzk

BENCHMARK_MAIN();
