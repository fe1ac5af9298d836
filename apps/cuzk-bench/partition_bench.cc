// One partition with stand-in parameters (proof_bench.h).
#include <algorithm>
#include <array>
#include <cstring>

#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "bench_command.h"
#include "cached_circuit.h"
#include "curve/encoding.h"
#include "generated_input.h"
#include "known_points.h"
#include "micro_bench.h"
#include "phase_table.h"
#include "progress_observers.h"
#include "proof_bench.h"

namespace cuzk {
namespace {

// n encoded points: the same few over and over.
template <class Affine>
std::vector<std::uint8_t> encoded_points(std::size_t n, std::uint64_t seed) {
  constexpr std::size_t kDistinct = std::size_t{1} << 16, kBytes = kUncompressedBytes<Affine>;
  const std::vector<Affine> points = Progression(seed).points<Affine>(std::min(n, kDistinct));
  std::vector<std::uint8_t> out(n * kBytes);
  parallel_for(n, 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto bytes = encode_uncompressed(points[i % kDistinct]);
      std::memcpy(out.data() + i * kBytes, bytes.data(), kBytes);
    }
  });
  return out;
}

class StandInParameters {
 public:
  explicit StandInParameters(const SrsCounts& counts)
      : g1_(encoded_points<G1Affine>(
            std::max({counts[Query::h], counts[Query::l], counts[Query::a], counts[Query::b_g1]}), 5)),
        g2_(encoded_points<G2Affine>(counts[Query::b_g2], 6)) {
    view_.vk.alpha_g1 = view_.vk.beta_g1 = view_.vk.delta_g1 = G1Affine::generator();
    view_.vk.beta_g2 = view_.vk.gamma_g2 = view_.vk.delta_g2 = G2Affine::generator();
    view_.vk.ic.assign(counts.ic, G1Affine::generator());
    for (const Query query : kQueries) {
      const std::span<const std::uint8_t> all = query == Query::b_g2 ? g2_ : g1_;
      view_.queries[static_cast<std::size_t>(query)] = all.first(query_point_bytes(query) * counts[query]);
    }
  }
  const SrsView& view() const noexcept { return view_; }

 private:
  std::vector<std::uint8_t> g1_, g2_;
  SrsView view_;
};

// Two different partitions.
std::array<Witness, 2> two_witnesses(const ProofInput& input, const R1cs& r1cs,
                                     const ProofBenchOptions& options) {
  if (input.num_proofs() > 1) return {input.witness(0, r1cs), input.witness(1, r1cs)};
  const auto other = must(generate_input(options.kind, options.sector_size, options.seed + 1, false));
  return {input.witness(0, r1cs), other->witness(0, r1cs)};
}

struct Repeats {
  Samples wall;
  PhaseTable phases;
  bool ok = true;
};

Repeats prove_repeatedly(Backend& backend, ResidentCircuit& circuit, const std::array<Witness, 2>& witnesses,
                         int repeats) {
  Repeats result;
  const Blinding blinding{Fr::from_u64(7), Fr::from_u64(9)};
  std::array<std::array<std::uint8_t, Proof::kBytes>, 2> first{};
  for (int i = 0; i < 2 * repeats; ++i) {
    const auto which = static_cast<std::size_t>(i % 2);
    ProveTimings timings;
    const Stopwatch watch;
    const Proof proof = must(backend.prove(circuit, witnesses[which], blinding, timings));
    result.wall.add(watch.elapsed_ms());
    result.phases.add(timings);
    if (i < 2) first[which] = proof.encode();
    result.ok = result.ok && proof.encode() == first[which];
  }
  result.ok = result.ok && first[0] != first[1];
  return result;
}

}  // namespace

Report bench_partition(Backend& backend, const ProofBenchOptions& options, int repeats, Progress& progress) {
  Report report = {{"kind", options.kind}, {"sector_size", options.sector_size}, {"backend", backend.name()}};
  report["parameters"] = "stand-ins: 65,536 points repeated; the proofs are not valid and were not verified";
  Stopwatch watch;
  const auto lap = [&](const char* name) {
    report[name] = watch.elapsed_ms();
    watch.restart();
  };
  const auto input = must(generate_input(options.kind, options.sector_size, options.seed, false));
  lap("generate_ms");
  const auto r1cs = std::make_shared<const R1cs>(cached_circuit(input->circuit(), true));
  lap("record_ms");
  const CircuitShape shape = CircuitShape::of(*r1cs);
  const auto witnesses = two_witnesses(*input, *r1cs, options);
  lap("two_witnesses_ms");
  const StandInParameters parameters(shape.srs);
  lap("stand_ins_ms");
  report["constraints"] = shape.num_constraints;
  report["aux"] = shape.num_aux;
  report["full_width_aux"] = shape.num_full;

  const MemoryPlan plan = backend.plan(shape);
  const auto free_before = gpu_free_bytes();
  LoadProgress observer(progress);
  watch.restart();
  const auto circuit = must(backend.load(parameters.view(), r1cs, &observer));
  lap("load_ms");
  progress.finish();
  report["load_gb_per_second"] =
      static_cast<double>(shape.srs.file_bytes()) / report["load_ms"].get<double>() * 1e-6;
  report["memory"] = memory_report(plan, backend.name() == "cuda", free_before, gpu_free_bytes());
  const Repeats made = prove_repeatedly(backend, *circuit, witnesses, repeats);
  report["partition"] = made.wall.summary();
  report["phases"] = made.phases.report();
  report["floors_ms"] = floors_of(options.kind, options.sector_size);
  report["host_peak_bytes"] = peak_memory_bytes();
  report["ok"] = made.ok;
  return report;
}

}  // namespace cuzk
