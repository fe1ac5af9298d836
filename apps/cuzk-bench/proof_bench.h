// Whole proofs on one backend, as fast as one process can make them one after the other: the witnesses of the next partitions are
// synthesized while the backend works, and a proof is verified while the next is made.
#pragma once

#include <filesystem>
#include <string>

#include "command.h"
#include "groth16/backend.h"
#include "progress.h"

namespace cuzk {

struct ProofBenchOptions {
  std::string kind = "porep";
  std::string sector_size = "2KiB";
  std::uint64_t seed = 0;
  std::filesystem::path params_dir;
  int proofs = 3;                // after the first, which is cold
  unsigned witnesses_ahead = 2;  // synthesized or being synthesized while the backend works, one thread each
};

// A generated input, proved 1 + `proofs` times with random blinding. Reports the cold start step by step, the steady state, each phase's
// times over all partitions, how busy the backend was, memory planned and taken, and the peak of the host; "ok" if every proof
// verifies against the inputs of the statement. Throws BenchFailure.
Report bench_proofs(Backend& backend, const ProofBenchOptions& options, Progress& progress);

// Two partitions of a generated input, proved `repeats` times each in turn, without parameters: 65,536 points over and over stand in for
// them, so the times and the memory are those of a real proof, and the proofs are not valid. "ok" if the backend accepted the
// witnesses, repeats gave the same bytes and the two partitions other ones. An input with one partition is proved with two seeds.
Report bench_partition(Backend& backend, const ProofBenchOptions& options, int repeats, Progress& progress);

// What a 32 GiB PoRep partition costs at least on an H200, by phase: docs/results/floors-h200.md. Null for other circuits.
Report floors_of(const std::string& kind, const std::string& sector_size);

}  // namespace cuzk
