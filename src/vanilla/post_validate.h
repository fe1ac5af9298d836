// Whether the vanilla proofs of a WinningPoSt or WindowPoSt partition belong together and to the request: challenges,
// Merkle paths, roots and commitments. What passes here satisfies the circuit; what fails is named in milliseconds
// instead of minutes. Source: docs/formats/public-inputs.md, PoSt.
//
// The reference checks only the first of the 66 challenges of a WinningPoSt before proving; all are checked here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vanilla/post_proof.h"
#include "vanilla/post_public.h"

namespace cuzk {

struct PostFinding {
  std::optional<std::size_t> position;     // of the sector in the partition; none: the request as a whole
  std::optional<std::uint64_t> sector_id;  // its number
  std::optional<unsigned> challenge;       // position in the sector
  std::string field;                       // as in the errors of parse_post_proof: "inclusion_proof.root"
  std::string expected;                    // 32-byte values as hexadecimal in byte order, numbers as decimal
  std::string found;

  // "sector 5 (position 0), challenge 3, inclusion_proof.root: expected 1a.., found 2b.."
  std::string to_string() const;
};

// All that is wrong, in order of sector and challenge, request first; nothing if all relations hold. With stop_at_first
// only the first of these. The sectors stand in the order of the partition: 1 to max_sectors() of a window, one of a
// winning PoSt; another number is a finding, and so is a sector that occurs twice. Each must come from parse_post_proof
// with the size and kind of the statement, or have that shape. A proof that answers other challenges than the ones
// derived (other randomness, sector number, position or API version), but is right in itself, has field "challenge".
// Work is spread over the global thread pool.
std::vector<PostFinding> validate_post(const PostPublic& statement, std::span<const PostSectorProof> sectors,
                                       bool stop_at_first = false);

}  // namespace cuzk
