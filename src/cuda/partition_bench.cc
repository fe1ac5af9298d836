// Times one partition of a 32 GiB PoRep on the GPU, of a generated sector: load, and each phase of the proof.
//
// The points are not parameters of the circuit but some 65,536 points over and over, since those would be 47 GB: times and
// memory are those of a real proof, but the proof is not valid. Prints one JSON object a line.
// usage: cuda_partition_bench [proofs of each of two partitions, 3]
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "circuit/porep/porep.h"
#include "cuda/cuda_backend.h"
#include "cuda/runtime/cuda_error.h"
#include "cuda/testing/random_data.h"
#include "curve/encoding.h"
#include "gen/gen_porep.h"
#include "vanilla/registered_proof.h"

namespace cuzk::cuda {
namespace {

// n encoded points: the same few over and over.
template <class Affine>
std::vector<std::uint8_t> encoded_points(std::size_t n, RandomData& random) {
  constexpr std::size_t kDistinct = std::size_t{1} << 16, kBytes = kUncompressedBytes<Affine>;
  const std::vector<Affine> points = random.points<Affine>(kDistinct);
  std::vector<std::uint8_t> out(n * kBytes);
  parallel_for(n, 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto bytes = encode_uncompressed(points[i % kDistinct]);
      std::memcpy(out.data() + i * kBytes, bytes.data(), kBytes);
    }
  });
  return out;
}

struct Parameters {
  Parameters(const SrsCounts& counts, RandomData& random)
      : g1(encoded_points<G1Affine>(
            std::max({counts[Query::h], counts[Query::l], counts[Query::a], counts[Query::b_g1]}), random)),
        g2(encoded_points<G2Affine>(counts[Query::b_g2], random)) {
    view.vk.alpha_g1 = view.vk.beta_g1 = view.vk.delta_g1 = G1Affine::generator();
    view.vk.beta_g2 = view.vk.gamma_g2 = view.vk.delta_g2 = G2Affine::generator();
    view.vk.ic.assign(counts.ic, G1Affine::generator());
    for (const Query query : kQueries) {
      const std::span<const std::uint8_t> all = query == Query::b_g2 ? g2 : g1;
      view.queries[static_cast<std::size_t>(query)] = all.first(query_point_bytes(query) * counts[query]);
    }
  }

  std::vector<std::uint8_t> g1, g2;
  SrsView view;
};

std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  CUZK_CUDA_TRY(cudaMemGetInfo(&free, &total));
  return free;
}

int run(int proofs) {
  auto created = CudaBackend::create(0);
  if (!created.is_ok()) {
    std::printf("skipped: %s\n", created.status().message().c_str());
    return 0;
  }
  const std::unique_ptr<CudaBackend> backend = std::move(created).value();
  std::printf("{\"gpu\": \"%s\", \"cores\": %zu}\n", backend->device().name.c_str(), usable_cores());
  Stopwatch stopwatch;
  const auto lap = [&] {
    const double seconds = stopwatch.elapsed_ms() / 1000;
    stopwatch = {};
    return seconds;
  };
  const C1 c1 = gen_porep({.proof = seal_proof_from_name("StackedDrg32GiBV1_1").value()}).value();
  const double gen_s = lap();
  const auto r1cs =
      std::make_shared<const R1cs>(porep_r1cs(PorepCircuitShape::of(*c1.registered_proof.shape)));
  const double r1cs_s = lap();
  const CircuitShape shape = CircuitShape::of(*r1cs);
  const double shape_s = lap();
  const Witness witnesses[2] = {porep_witness(porep_partition(c1, 0), *r1cs),
                                porep_witness(porep_partition(c1, 1), *r1cs)};
  std::printf(
      "{\"gen_s\": %.2f, \"r1cs_s\": %.2f, \"shape_s\": %.2f, \"witness_s\": %.2f, \"constraints\": %zu, "
      "\"aux\": %zu, \"full\": %zu}\n",
      gen_s, r1cs_s, shape_s, lap() / 2, shape.num_constraints, shape.num_aux, shape.num_full);
  RandomData random(5);
  const Parameters parameters(shape.srs, random);
  std::printf("{\"points_made_s\": %.2f}\n", lap());
  std::fflush(stdout);

  const std::size_t before = free_bytes();
  const MemoryPlan plan = backend->plan(shape);
  lap();
  const auto circuit = backend->load(parameters.view, r1cs);
  const double load_s = lap();
  if (!circuit.is_ok()) {
    std::printf("{\"error\": \"%s\"}\n", circuit.status().to_string().c_str());
    return 1;
  }
  const double file_gb = static_cast<double>(shape.srs.file_bytes()) * 1e-9;
  std::printf(
      "{\"load_s\": %.2f, \"gb\": %.1f, \"gb_per_s\": %.1f, \"planned_gb\": %.2f, \"taken_gb\": %.2f}\n",
      load_s, file_gb, file_gb / load_s, static_cast<double>(plan.resident_device) * 1e-9,
      static_cast<double>(before - free_bytes()) * 1e-9);
  std::array<std::uint8_t, Proof::kBytes> first[2]{};
  bool equal = true;
  for (int i = 0; i < 2 * proofs; ++i) {
    ProveTimings timings;
    lap();
    const auto proof =
        backend->prove(*circuit.value(), witnesses[i % 2], {Fr::from_u64(7), Fr::from_u64(9)}, timings);
    const double wall_ms = lap() * 1000;
    if (!proof.is_ok()) {
      std::printf("{\"error\": \"%s\"}\n", proof.status().to_string().c_str());
      return 1;
    }
    if (i < 2) first[i] = proof.value().encode();
    equal = equal && proof.value().encode() == first[i % 2];
    std::printf("{\"partition\": %d, \"wall_ms\": %.1f", i % 2, wall_ms);
    for (std::size_t phase = 0; phase < kNumProvePhases; ++phase) {
      const auto p = static_cast<ProvePhase>(phase);
      std::printf(", \"%s\": %.1f", prove_phase_name(p), timings.ms(p));
    }
    std::printf("}\n");
    std::fflush(stdout);
  }
  std::printf("{\"repeats_equal\": %s}\n", equal ? "true" : "false");
  return equal ? 0 : 1;
}

}  // namespace
}  // namespace cuzk::cuda

int main(int argc, char** argv) {
  try {
    return cuzk::cuda::run(argc > 1 ? std::atoi(argv[1]) : 3);
  } catch (const std::exception& error) {
    std::printf("{\"error\": \"%s\"}\n", error.what());
    return 1;
  }
}
