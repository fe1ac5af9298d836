// Makes the vanilla proofs of a WindowPoSt or WinningPoSt over sectors that do not exist, at any sector size.
// Source: docs/formats/public-inputs.md, PoSt.
//
// The challenges of a PoSt depend on nothing inside a sector, so it is enough that the challenged leaves of
// TreeRLast are arbitrary nodes and all others zero; comm_c is arbitrary.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "vanilla/post_proof.h"
#include "vanilla/registered_post.h"

namespace cuzk {

// What one call may be asked for; about 1.6 GB. More in several calls, by first_sector_id and
// first_partition.
inline constexpr std::uint64_t kMaxGeneratedSectors = std::uint64_t{1} << 16;

struct PostGenOptions {
  RegisteredPost proof;
  std::optional<Bytes32> randomness = std::nullopt;  // without it one that follows from the seed, below 2^254
  std::uint64_t sectors = 1;
  std::uint64_t first_sector_id = 1;  // the others follow in ascending order
  // Where the first sector stands: at the head of this partition. API versions 1.0.0 and 1.1.0 number the
  // challenges of a WindowPoSt through all sectors. Sectors beyond the partition belong to the next ones.
  unsigned first_partition = 0;
  std::uint64_t seed = 0;
};

struct GeneratedPost {
  Bytes32 randomness;
  std::vector<PostSectorProof> sectors;
};

// Equal options give equal proofs. invalid_argument for no sector, for more than one in a WinningPoSt or
// kMaxGeneratedSectors in a WindowPoSt, and for sector ids beyond 64 bits. About 25 KB a sector; runs on the
// global thread pool.
Result<GeneratedPost> gen_post(const PostGenOptions& options);

}  // namespace cuzk
