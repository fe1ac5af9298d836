#include "vanilla/registered_update.h"

#include "vanilla/registered_proof.h"

namespace cuzk {

std::string RegisteredUpdate::name() const {
  return std::string("StackedDrg") + shape->name + "V1";
}

RegisteredUpdate registered_update(const SectorShape& shape) {
  return {&shape, registered_size_index(shape)};
}

Result<RegisteredUpdate> registered_update_from_number(std::uint64_t number) {
  if (number >= kRegisteredSizes) {
    return invalid_argument("no update proof has number " + std::to_string(number) + " (0 to 4 exist)");
  }
  return registered_update(registered_size(static_cast<unsigned>(number)));
}

Result<RegisteredUpdate> registered_update_from_name(std::string_view name) {
  for (const SectorShape& shape : all_sector_shapes()) {
    const RegisteredUpdate update = registered_update(shape);
    if (update.name() == name) return update;
  }
  return invalid_argument("unknown update proof \"" + std::string(name.substr(0, 80)) + "\"");
}

}  // namespace cuzk
