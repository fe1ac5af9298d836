// Time of a verification and of its part that needs no proof, by the number of public inputs. The proof is made from known
// exponents, so both answers are known: it must be accepted, and refused for another statement.
//
//     verify_bench [repetitions]
//
// All inputs are of full width, which most of a PoSt's are not. One JSON object a line: `commit_ms` for IC(x), `verify_ms` for
// what is left; the least of the repetitions.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "curve/projective.h"
#include "groth16/verify.h"

namespace cuzk {
namespace {

// Of WinningPoSt, PoRep and WindowPoSt at 32 GiB, rounded.
constexpr std::size_t kNumInputs[] = {70, 350, 47'000};

std::mt19937_64 g_random(20260101);

Fr random_scalar() {
  return Fr::from_repr_unchecked({g_random(), g_random(), g_random(), g_random() >> 2});
}

G1Affine g1(const Fr& exponent) {
  return G1Projective::generator().mul(exponent).to_affine();
}
G2Affine g2(const Fr& exponent) {
  return G2Projective::generator().mul(exponent).to_affine();
}

struct Case {
  VerifyingKey vk;
  std::vector<Fr> inputs;
  Proof proof;
};

// a b = alpha beta + IC(x) gamma + c delta, all exponents of the generators.
Case make_case(std::size_t num_inputs) {
  const Fr alpha = random_scalar(), beta = random_scalar(), gamma = random_scalar(), delta = random_scalar();
  const Fr a = random_scalar(), b = random_scalar();
  std::vector<Fr> ic(num_inputs + 1);
  std::generate(ic.begin(), ic.end(), random_scalar);
  Case made;
  made.inputs.resize(num_inputs);
  std::generate(made.inputs.begin(), made.inputs.end(), random_scalar);
  Fr sum = ic.front();
  for (std::size_t i = 0; i < num_inputs; ++i) sum += made.inputs[i] * ic[i + 1];
  const Fr c = (a * b - alpha * beta - sum * gamma) * delta.inverse();
  made.proof = {g1(a), g2(b), g1(c)};
  made.vk.alpha_g1 = g1(alpha);
  made.vk.beta_g2 = g2(beta);
  made.vk.gamma_g2 = g2(gamma);
  made.vk.delta_g2 = g2(delta);
  made.vk.ic.resize(ic.size());
  parallel_for(ic.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) made.vk.ic[i] = g1(ic[i]);
  });
  return made;
}

bool measure(std::size_t num_inputs, int repetitions) {
  Case made = make_case(num_inputs);
  const PreparedVerifyingKey key(std::move(made.vk));
  double commit_ms = 1e9, verify_ms = 1e9;
  bool is_right = true;
  for (int i = 0; i < repetitions; ++i) {
    const Stopwatch commit_watch;
    const Result<InputCommitment> inputs = commit_inputs(key, made.inputs);
    commit_ms = std::min(commit_ms, commit_watch.elapsed_ms());
    const Stopwatch verify_watch;
    is_right = is_right && verify_committed(key, inputs.value(), made.proof).is_ok();
    verify_ms = std::min(verify_ms, verify_watch.elapsed_ms());
  }
  made.inputs.back() += Fr::one();
  is_right = is_right && verify(key, made.inputs, made.proof).code() == StatusCode::not_satisfied;
  std::printf(R"({"public_inputs": %zu, "threads": %zu, "commit_ms": %.2f, "verify_ms": %.2f, "right": %s})"
              "\n",
              num_inputs, ThreadPool::global().num_threads(), commit_ms, verify_ms,
              is_right ? "true" : "false");
  return is_right;
}

}  // namespace
}  // namespace cuzk

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  bool is_right = true;
  for (const std::size_t num_inputs : cuzk::kNumInputs)
    is_right = cuzk::measure(num_inputs, repetitions) && is_right;
  return is_right ? 0 : 1;
}
