// Products, sums, inversions: scalar fields and FieldX8. The x8 rows process eight elements an iteration;
// their items per second count elements.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>

#include "base/cpu_features.h"
#include "field/x8.h"

namespace cuzk {
namespace {

constexpr std::size_t kBatch = 128;  // elements: independent products, all in L1

template <typename Field>
struct Operands {
  Field a[kBatch], b[kBatch];
  Operands() {
    std::mt19937_64 random(1);
    for (Field* array : {a, b}) {
      for (std::size_t i = 0; i < kBatch; ++i) {
        typename Field::Repr repr;
        for (auto& limb : repr) limb = random();
        array[i] = Field::from_repr_unchecked(repr);
      }
    }
  }
};

template <typename Params, auto kMul>
void product(benchmark::State& state) {
  Operands<PrimeField<Params>> operands;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kBatch; ++i) {
      Limbs<Params::kLimbs> out;
      kMul(out, operands.a[i].montgomery(), operands.b[i].montgomery());
      operands.a[i] = PrimeField<Params>::from_montgomery(out);
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kBatch));
}

template <typename Field>
void inverse(benchmark::State& state) {
  Field x = Operands<Field>().a[0];
  for (auto _ : state) x = x.inverse() + Field::one();
  benchmark::DoNotOptimize(x);
}

template <typename Field>
void square_root(benchmark::State& state) {
  const Field x = Operands<Field>().a[0].squared();
  for (auto _ : state) benchmark::DoNotOptimize(x.sqrt());
}

enum class Op { mul, sqr, mul_add, add, load_store };

CUZK_IFMA_BEGIN

template <class Params, Op op>
void run_x8(PrimeField<Params>* a, std::uint64_t* x, const std::uint64_t* y) {
  using X8 = FieldX8<Params>;
  constexpr std::size_t kRow = 8 * X8::L;
  for (std::size_t i = 0; i < kBatch / 8; ++i) {
    if constexpr (op == Op::mul) {
      X8::store52(x + kRow * i, X8::mul(X8::load52(x + kRow * i), X8::load52(y + kRow * i)));
    } else if constexpr (op == Op::sqr) {
      X8::store52(x + kRow * i, X8::sqr(X8::load52(x + kRow * i)));
    } else if constexpr (op == Op::mul_add) {
      const X8 u = X8::load52(x + kRow * i), v = X8::load52(y + kRow * i);
      X8::store52(x + kRow * i, X8::mul_add(u, v, v, v));
    } else if constexpr (op == Op::add) {
      X8::store52(x + kRow * i, X8::add(X8::load52(x + kRow * i), X8::load52(y + kRow * i)));
    } else {
      X8::store(a + 8 * i, X8::load(a + 8 * i));
    }
  }
}

CUZK_IFMA_END

template <typename Params, Op op>
void x8(benchmark::State& state) {
  if (!cpu_features().avx512_ifma) return state.SkipWithError("no AVX-512 IFMA");
  Operands<PrimeField<Params>> operands;
  constexpr std::size_t kWords = kBatch * kLimbs52<Params>;
  struct alignas(64) Rows {
    std::uint64_t word[kWords];
  };
  const auto rows = std::make_unique<Rows[]>(2);
  for (int k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < kBatch; ++i) {
      const Limbs52<Params> limbs = split52<Params>((k == 0 ? operands.a : operands.b)[i].montgomery());
      for (std::size_t j = 0; j < limbs.size(); ++j)
        rows[k].word[i / 8 * 8 * limbs.size() + 8 * j + i % 8] = limbs[j];
    }
  }
  for (auto _ : state) {
    run_x8<Params, op>(operands.a, rows[0].word, rows[1].word);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kBatch));
}

void adx_guard(benchmark::State& state, void (*bench)(benchmark::State&)) {
  if (!cpu_features().adx) return state.SkipWithError("no BMI2 and ADX");
  bench(state);
}

BENCHMARK(product<FpParams, fp_mul_portable>)->Name("fp_mul/portable");
BENCHMARK_CAPTURE(adx_guard, fp_mul, product<FpParams, fp_mul_adx>)->Name("fp_mul/adx");
BENCHMARK(x8<FpParams, Op::mul>)->Name("fp_mul/x8");
BENCHMARK(x8<FpParams, Op::sqr>)->Name("fp_sqr/x8");
BENCHMARK(x8<FpParams, Op::mul_add>)->Name("fp_mul_add/x8");
BENCHMARK(x8<FpParams, Op::add>)->Name("fp_add/x8");
BENCHMARK(x8<FpParams, Op::load_store>)->Name("fp_load_store/x8");
BENCHMARK(product<FrParams, fr_mul_portable>)->Name("fr_mul/portable");
BENCHMARK_CAPTURE(adx_guard, fr_mul, product<FrParams, fr_mul_adx>)->Name("fr_mul/adx");
BENCHMARK(x8<FrParams, Op::mul>)->Name("fr_mul/x8");
BENCHMARK(x8<FrParams, Op::sqr>)->Name("fr_sqr/x8");
BENCHMARK(x8<FrParams, Op::mul_add>)->Name("fr_mul_add/x8");
BENCHMARK(x8<FrParams, Op::add>)->Name("fr_add/x8");
BENCHMARK(x8<FrParams, Op::load_store>)->Name("fr_load_store/x8");
BENCHMARK(inverse<Fp>)->Name("fp_inverse");
BENCHMARK(inverse<Fr>)->Name("fr_inverse");
BENCHMARK(square_root<Fp>)->Name("fp_sqrt");
BENCHMARK(square_root<Fr>)->Name("fr_sqrt");

}  // namespace
}  // namespace cuzk

BENCHMARK_MAIN();
