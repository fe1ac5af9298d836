// Makes the vanilla proofs of a sector update over sectors that do not exist, at any sector size. Source:
// docs/formats/public-inputs.md, Sector update.
//
// The challenges follow from the new replica as a whole, so the encoding must hold at every node. Old replica
// and new data are 1024 runs of equal nodes each (every node its own up to 32 KiB); the key of a node depends
// on its highest bits alone, ten at most, so the new replica has the same runs: new = old + data * rho.
// comm_c is arbitrary.
#pragma once

#include <cstdint>
#include <vector>

#include "vanilla/update_proof.h"
#include "vanilla/update_shape.h"

namespace cuzk {

struct UpdateGenOptions {
  const SectorShape* shape;
  UpdateVariant variant = UpdateVariant::sha256;
  std::uint64_t seed = 0;
};

struct GeneratedUpdate {
  Fr comm_r_old;
  Fr comm_d_new;
  Fr comm_r_new;
  std::vector<UpdatePartitionProof> partitions;
};

// Equal options give equal proofs. Runs on the global thread pool; 32 GiB takes seconds and about 10 MB.
GeneratedUpdate gen_update(const UpdateGenOptions& options);

}  // namespace cuzk
