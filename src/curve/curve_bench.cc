// Times of one operation each on one core: sums, doubles, products, subgroup checks, decoding, pairings.
#include <benchmark/benchmark.h>

#include "base/check.h"
#include "curve/encoding.h"
#include "curve/pairing.h"
#include "curve/subgroup.h"
#include "curve/xyzz.h"

namespace cuzk {
namespace {

template <typename F>
ProjectivePoint<F> multiple(std::uint64_t k) {
  return ProjectivePoint<F>::generator().mul(Fr::from_u64(k) *
                                             Fr::from_u64(0x9e3779b97f4a7c15).squared().squared());
}

template <typename F>
void xyzz_add_affine(benchmark::State& state) {
  XyzzPoint<F> sum(multiple<F>(3));
  const AffinePoint<F> point = multiple<F>(5).to_affine();
  for (auto _ : state) sum.add(point);
  CUZK_CHECK(sum.to_affine().is_on_curve(), "sum off the curve");
}
template <typename F>
void xyzz_add(benchmark::State& state) {
  XyzzPoint<F> sum(multiple<F>(3));
  const XyzzPoint<F> point(multiple<F>(5));
  for (auto _ : state) sum.add(point);
  CUZK_CHECK(sum.to_affine().is_on_curve(), "sum off the curve");
}
template <typename F>
void projective_double(benchmark::State& state) {
  ProjectivePoint<F> point = multiple<F>(3);
  for (auto _ : state) point = point.doubled();
  CUZK_CHECK(point.to_affine().is_on_curve(), "double off the curve");
}
template <typename F>
void scalar_mul(benchmark::State& state) {
  const ProjectivePoint<F> point = multiple<F>(3);
  const Fr k = Fr::from_u64(77).inverse();
  for (auto _ : state) benchmark::DoNotOptimize(point.mul(k));
  CUZK_CHECK(point.mul(k).mul(Fr::from_u64(77)) == point, "wrong product");
}
template <typename F>
void subgroup_check(benchmark::State& state) {
  const AffinePoint<F> point = multiple<F>(3).to_affine();
  bool all = true;
  for (auto _ : state) all = is_in_subgroup(point) && all;
  CUZK_CHECK(all, "a multiple of the generator is in the subgroup");
}
template <typename F>
void decode_compressed_point(benchmark::State& state) {
  const AffinePoint<F> point = multiple<F>(3).to_affine();
  const auto bytes = encode_compressed(point);
  for (auto _ : state) benchmark::DoNotOptimize(decode_compressed<AffinePoint<F>>(bytes));
  CUZK_CHECK(decode_compressed<AffinePoint<F>>(bytes).value() == point, "wrong point");
}
template <typename F>
void decode_uncompressed_point(benchmark::State& state) {
  const AffinePoint<F> point = multiple<F>(3).to_affine();
  const auto bytes = encode_uncompressed(point);
  for (auto _ : state) benchmark::DoNotOptimize(decode_uncompressed<AffinePoint<F>>(bytes));
  CUZK_CHECK(decode_uncompressed<AffinePoint<F>>(bytes).value() == point, "wrong point");
}
#define CUZK_BENCH_BOTH(name)                      \
  BENCHMARK_TEMPLATE(name, Fp)->Name("g1_" #name); \
  BENCHMARK_TEMPLATE(name, Fp2)->Name("g2_" #name)
CUZK_BENCH_BOTH(xyzz_add_affine);
CUZK_BENCH_BOTH(xyzz_add);
CUZK_BENCH_BOTH(projective_double);
CUZK_BENCH_BOTH(scalar_mul);
CUZK_BENCH_BOTH(subgroup_check);
CUZK_BENCH_BOTH(decode_compressed_point);
CUZK_BENCH_BOTH(decode_uncompressed_point);

void prepare_g2(benchmark::State& state) {
  const G2Affine q = multiple<Fp2>(3).to_affine();
  for (auto _ : state) benchmark::DoNotOptimize(G2Prepared(q));
}
BENCHMARK(prepare_g2);

void one_pairing(benchmark::State& state) {
  const G1Affine p = multiple<Fp>(3).to_affine();
  const G2Affine q = multiple<Fp2>(5).to_affine();
  for (auto _ : state) benchmark::DoNotOptimize(pairing(p, q));
  CUZK_CHECK(pairing(p, q) * pairing(-p, q) == Fp12::one(), "wrong pairing");
}
BENCHMARK(one_pairing);

void one_final_exponentiation(benchmark::State& state) {
  const G2Prepared q(multiple<Fp2>(5).to_affine());
  const PairingTerm term = {G1Affine::generator(), &q};
  const Fp12 f = miller_loop(std::span(&term, 1));
  for (auto _ : state) benchmark::DoNotOptimize(final_exponentiation(f));
}
BENCHMARK(one_final_exponentiation);

// A Groth16 verification: one fresh point of G2, two of the verifying key, and the stored e(alpha, beta).
void verification_of_three_pairings(benchmark::State& state) {
  const Fr a = Fr::from_u64(11), b = Fr::from_u64(13), c = Fr::from_u64(17), i = Fr::from_u64(19);
  const G1Projective g = G1Projective::generator();
  const G2Affine b2 = G2Projective::generator().mul(b).to_affine();
  const G2Prepared gamma(multiple<Fp2>(3).to_affine()), delta(multiple<Fp2>(5).to_affine());
  const G1Affine terms_p[] = {(-g).mul(a).to_affine(), g.mul(i).to_affine(), g.mul(c).to_affine()};
  const auto value = [&] {
    const G2Prepared fresh(b2);
    const PairingTerm terms[] = {{terms_p[0], &fresh}, {terms_p[1], &gamma}, {terms_p[2], &delta}};
    return final_exponentiation(miller_loop(terms));
  };
  const Fp12 wanted = pairing(terms_p[0], b2) * pairing(terms_p[1], multiple<Fp2>(3).to_affine()) *
                      pairing(terms_p[2], multiple<Fp2>(5).to_affine());
  bool all = true;
  for (auto _ : state) all = value() == wanted && all;
  CUZK_CHECK(all, "wrong product of pairings");
}
BENCHMARK(verification_of_three_pairings);

}  // namespace
}  // namespace cuzk

BENCHMARK_MAIN();
