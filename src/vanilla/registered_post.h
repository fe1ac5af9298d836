// Registered PoSt proofs: the number that names a WinningPoSt or WindowPoSt by sector size and API version.
// Source: docs/formats/vanilla-proofs.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vanilla/registered_proof.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

enum class PostKind { winning, window };

// "winning", "window"
const char* post_kind_name(PostKind kind) noexcept;
// Inclusion proofs in the vanilla proof of a sector: 66 or 10.
unsigned post_challenge_count(PostKind kind) noexcept;

struct RegisteredPost {
  const SectorShape* shape;
  PostKind kind;
  ApiVersion api_version;          // decides how challenges are numbered; winning is always 1.0.0
  std::optional<unsigned> number;  // 0..14; none for sizes that exist in tests only

  // As Go's abi package names it: "StackedDrgWindow32GiBV1_1" for API version 1.2.0.
  std::string go_name() const;
  // As filecoin-proofs-api names it: the same proof is "StackedDrgWindow32GiBV1_2".
  std::string name() const;
  unsigned challenges_per_sector() const noexcept { return post_challenge_count(kind); }
  // How many sectors a partition has room for.
  unsigned max_sectors() const noexcept { return kind == PostKind::winning ? 1 : shape->window_sectors; }
};

// Any size of the table. Winning has API version 1.0.0, window 1.0.0 or 1.2.0; anything else is invalid_argument.
Result<RegisteredPost> registered_post(PostKind kind, const SectorShape& shape, ApiVersion api_version);
// 0..14, else invalid_argument.
Result<RegisteredPost> registered_post_from_number(std::uint64_t number);
// By either name; a name of a size without a number has the form of the others. Both names of one proof are
// accepted: no name means two proofs.
Result<RegisteredPost> registered_post_from_name(std::string_view name);

}  // namespace cuzk
