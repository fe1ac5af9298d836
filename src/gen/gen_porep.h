// Makes the C1 object of a sector that was never sealed: valid for validate_c1 and for the circuit, at any
// sector size. Source: docs/formats/public-inputs.md, PoRep.
//
// The order resolves what depends on what: data and comm_d, replica_id, challenges, labels of the challenged
// nodes and their parents layer by layer, TreeC and comm_c, the encoding and TreeRLast, comm_r. Every node
// that no challenge looks at is zero in TreeC and TreeRLast; the data are 1024 runs of equal nodes.
//
// Synthetic and non-interactive challenges follow from comm_r, hence from every label of the sector: one that
// is challenged and was not derived could never be repaired. There the whole sector is labelled honestly,
// which is possible only up to kMaxWholeSectorBytes.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "vanilla/c1.h"

namespace cuzk {

inline constexpr std::uint64_t kMaxWholeSectorBytes = std::uint64_t{16} << 20;

struct PorepGenOptions {
  SealProof proof;
  std::uint64_t miner_id = 1000;
  std::uint64_t sector_number = 1;
  std::uint64_t seed = 0;  // of everything arbitrary: data, ticket, interactive seed, labels
};

// Equal options give equal objects. invalid_argument for a synthetic or non-interactive proof of a sector
// above kMaxWholeSectorBytes. Runs on the global thread pool; 32 GiB takes seconds and tens of megabytes.
Result<C1> gen_porep(const PorepGenOptions& options);

}  // namespace cuzk
