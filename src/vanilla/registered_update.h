// Registered sector updates (SnapDeals): one per registered sector size, API version 1.1.0. Source:
// docs/formats/vanilla-proofs.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vanilla/sector_shape.h"
#include "vanilla/update_shape.h"

namespace cuzk {

struct RegisteredUpdate {
  const SectorShape* shape;
  std::optional<unsigned> number;  // 0..4; none for sizes that exist in tests only

  // "StackedDrg32GiBV1"
  std::string name() const;
  UpdateShape update_shape() const { return UpdateShape::of(*shape); }
};

// Any size of the table.
RegisteredUpdate registered_update(const SectorShape& shape);
// 0..4, else invalid_argument.
Result<RegisteredUpdate> registered_update_from_number(std::uint64_t number);
// invalid_argument for anything that is not exactly such a name.
Result<RegisteredUpdate> registered_update_from_name(std::string_view name);

}  // namespace cuzk
