// Time of one hash: Poseidon by arity, the SHA-256 node, BLAKE2b of 16 bytes (the Feistel round of the
// graph).
#include <benchmark/benchmark.h>

#include "hash/blake2b.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

void poseidon(benchmark::State& state) {
  std::vector<Fr> preimage(static_cast<std::size_t>(state.range(0)));
  for (std::size_t i = 0; i < preimage.size(); ++i) preimage[i] = Fr::from_u64(i).inverse();
  for (auto _ : state) preimage[0] = poseidon_hash(preimage);
  benchmark::DoNotOptimize(preimage[0]);
}
BENCHMARK(poseidon)->Arg(2)->Arg(4)->Arg(8)->Arg(11)->Unit(benchmark::kMicrosecond);

void sha256_of_node(benchmark::State& state) {
  Bytes32 node{};
  for (auto _ : state) node = sha256_node(node, node);
  benchmark::DoNotOptimize(node);
}
BENCHMARK(sha256_of_node);

void blake2b_of_16_bytes(benchmark::State& state) {
  std::array<std::uint8_t, 64> digest{};
  for (auto _ : state) digest = blake2b_512(std::span(digest).first(16));
  benchmark::DoNotOptimize(digest);
}
BENCHMARK(blake2b_of_16_bytes);

}  // namespace
}  // namespace cuzk

BENCHMARK_MAIN();
