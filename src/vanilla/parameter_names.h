// Names of Groth16 parameter files: a prefix for circuit and tree shape, and the SHA-256 of a string that
// spells out what the circuit depends on. Source: docs/formats/params.md.
#pragma once

#include <string>

#include "vanilla/sector_shape.h"

namespace cuzk {

// Cache ids, for example "proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-<64 hex digits>". All
// PoRep versions and features of one size share one id.
std::string porep_cache_id(const SectorShape& shape);
std::string window_post_cache_id(const SectorShape& shape);
std::string winning_post_cache_id(const SectorShape& shape);
std::string update_cache_id(const SectorShape& shape);
std::string update_poseidon_cache_id(const SectorShape& shape);

// "v28-<cache id>.params" and "v28-<cache id>.vk".
std::string params_file_name(const std::string& cache_id);
std::string vk_file_name(const std::string& cache_id);

}  // namespace cuzk
