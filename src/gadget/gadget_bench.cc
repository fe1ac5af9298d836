// Synthesis speed of the hash gadgets: one SHA-256 compression of a variable block and state, and one Poseidon
// by arity, in the system that makes witnesses and in the classical one that evaluates constraints.
#include <benchmark/benchmark.h>

#include "gadget/node_hash.h"
#include "r1cs/proving_system.h"
#include "r1cs/witness_system.h"

namespace cuzk {
namespace {

// Each iteration fills a new system with this many hashes, so that growing it counts as it does in a circuit.
constexpr std::size_t kHashes = 32;

template <ConstraintSystem CS>
AllocatedNum sample_num(CS& cs, std::uint64_t seed) {
  return AllocatedNum::alloc(cs, Fr::from_u64(seed + 3).inverse());
}

template <ConstraintSystem CS>
void sha256_compression(benchmark::State& state) {
  for (auto _ : state) {
    CS cs;
    std::array<UInt32<CS>, 16> block;
    const Words256<CS> low = to_message_words(cs, sample_num(cs, 1));
    const Words256<CS> high = to_message_words(cs, sample_num(cs, 2));
    std::copy(low.begin(), low.end(), block.begin());
    std::copy(high.begin(), high.end(), block.begin() + 8);
    Words256<CS> chain = to_message_words(cs, sample_num(cs, 3));
    for (std::size_t i = 0; i < kHashes; ++i) chain = sha256_compression<CS>(cs, block, chain);
    benchmark::DoNotOptimize(chain);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kHashes));
}
BENCHMARK(sha256_compression<WitnessSystem>)->Unit(benchmark::kMicrosecond);
BENCHMARK(sha256_compression<ProvingSystem>)->Unit(benchmark::kMicrosecond);

template <ConstraintSystem CS>
void sha256_tree_node(benchmark::State& state) {
  for (auto _ : state) {
    CS cs;
    AllocatedNum node = sample_num(cs, 1);
    for (std::size_t i = 0; i < kHashes; ++i) node = sha256_node(cs, node, node);
    benchmark::DoNotOptimize(node);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kHashes));
}
BENCHMARK(sha256_tree_node<WitnessSystem>)->Unit(benchmark::kMicrosecond);

template <ConstraintSystem CS>
void poseidon(benchmark::State& state) {
  for (auto _ : state) {
    CS cs;
    std::vector<AllocatedNum> preimage;
    for (std::int64_t i = 0; i < state.range(0); ++i)
      preimage.push_back(sample_num(cs, static_cast<std::uint64_t>(i)));
    for (std::size_t i = 0; i < kHashes; ++i) preimage[0] = cuzk::poseidon(cs, preimage);
    benchmark::DoNotOptimize(preimage[0]);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kHashes));
}
BENCHMARK(poseidon<WitnessSystem>)->Arg(2)->Arg(8)->Arg(11)->Unit(benchmark::kMicrosecond);
BENCHMARK(poseidon<ProvingSystem>)->Arg(2)->Arg(8)->Arg(11)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cuzk

BENCHMARK_MAIN();
