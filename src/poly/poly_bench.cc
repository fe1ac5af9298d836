// Transforms and the quotient, all threads. The counter ns_per_butterfly is processor time of all threads
// over the number of butterflies (log_n n / 2 per transform, six transforms for the quotient), so it hardly
// depends on other load.
#include <benchmark/benchmark.h>

#include <ctime>
#include <random>
#include <vector>

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

// Runs `body` for each iteration, and sets the counter.
template <typename Body>
void run(benchmark::State& state, const Domain& domain, double transforms, const Body& body) {
  const std::clock_t begin = std::clock();
  for (auto _ : state) body();
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const double butterflies = transforms * domain.log_n() * static_cast<double>(domain.size()) / 2;
  state.counters["ns_per_butterfly"] = seconds * 1e9 / butterflies / static_cast<double>(state.iterations());
}

Domain domain_of(const benchmark::State& state) {
  return Domain(static_cast<unsigned>(state.range(0)), {.allow_ifma = state.range(1) != 0});
}

void ntt(benchmark::State& state, Order to) {
  const Domain domain = domain_of(state);
  std::vector<Fr> values = random_values(domain.size(), 1);
  run(state, domain, 1, [&] { domain.ntt(values, Order::natural, to); });
}

void ntt_from_bit_reversed(benchmark::State& state) {
  const Domain domain = domain_of(state);
  std::vector<Fr> values = random_values(domain.size(), 1);
  run(state, domain, 1, [&] { domain.ntt(values, Order::bit_reversed, Order::natural); });
}

void permutation(benchmark::State& state) {
  std::vector<Fr> values = random_values(std::size_t{1} << state.range(0), 1);
  for (auto _ : state) bit_reverse(values);
}

void whole_quotient(benchmark::State& state) {
  const Domain domain = domain_of(state);
  std::vector<Fr> a = random_values(domain.size(), 1), b = random_values(domain.size(), 2),
                  c = random_values(domain.size(), 3);
  run(state, domain, 6, [&] { quotient(domain, a, b, c); });
}

void make_domain(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(domain_of(state));
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"log_n", "ifma"})->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
  for (const int log_n : {10, 16, 20, 22}) bench->Args({log_n, 1});
  bench->Args({16, 0});
}

BENCHMARK_CAPTURE(ntt, to_natural, Order::natural)->Apply(sizes);
BENCHMARK_CAPTURE(ntt, to_bit_reversed, Order::bit_reversed)->Apply(sizes);
BENCHMARK(ntt_from_bit_reversed)->Name("ntt/from_bit_reversed")->Apply(sizes);
BENCHMARK(permutation)
    ->Name("bit_reverse")
    ->Arg(22)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(whole_quotient)->Name("quotient")->Apply(sizes);
BENCHMARK(make_domain)->Apply(sizes);

}  // namespace
}  // namespace cuzk

BENCHMARK_MAIN();
