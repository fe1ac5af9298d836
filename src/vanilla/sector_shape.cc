#include "vanilla/sector_shape.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace cuzk {
namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = kKiB * kKiB;
constexpr std::uint64_t kGiB = kMiB * kKiB;

// name, bytes, log2 nodes, tree, layers, partitions, challenges, NI partitions, window sectors, registered
constexpr std::array<SectorShape, 10> kShapes = {{
    {"2KiB", 2 * kKiB, 6, {2, 0, 0}, 2, 1, 2, 13, 2, true},
    {"4KiB", 4 * kKiB, 7, {2, 2, 0}, 2, 1, 2, 13, 2, false},
    {"16KiB", 16 * kKiB, 9, {2, 8, 0}, 2, 1, 2, 13, 2, false},
    {"32KiB", 32 * kKiB, 10, {2, 8, 2}, 2, 1, 2, 13, 2, false},
    {"8MiB", 8 * kMiB, 18, {6, 0, 0}, 2, 1, 2, 13, 2, true},
    {"16MiB", 16 * kMiB, 19, {6, 2, 0}, 2, 1, 2, 13, 2, false},
    {"512MiB", 512 * kMiB, 24, {8, 0, 0}, 2, 1, 2, 13, 2, true},
    {"1GiB", kGiB, 25, {8, 2, 0}, 2, 1, 2, 13, 2, false},
    {"32GiB", 32 * kGiB, 30, {9, 8, 0}, 11, 10, 18, 126, 2349, true},
    {"64GiB", 64 * kGiB, 31, {9, 8, 2}, 11, 10, 18, 126, 2300, true},
}};

}  // namespace

std::string TreeShape::name() const {
  return std::to_string(kBaseArity) + "-" + std::to_string(sub_arity) + "-" + std::to_string(top_arity);
}

std::span<const SectorShape> all_sector_shapes() noexcept {
  return kShapes;
}

std::optional<unsigned> registered_size_index(const SectorShape& shape) noexcept {
  if (!shape.registered) return std::nullopt;
  unsigned index = 0;
  for (const SectorShape& other : kShapes) {
    if (other.size_bytes == shape.size_bytes) break;
    if (other.registered) ++index;
  }
  return index;
}

const SectorShape& registered_size(unsigned index) noexcept {
  const auto is_wanted = [&](const SectorShape& shape) { return registered_size_index(shape) == index; };
  const auto found = std::find_if(kShapes.begin(), kShapes.end(), is_wanted);
  CUZK_CHECK(found != kShapes.end(), "the index of a registered size");
  return *found;
}

Result<const SectorShape*> find_sector_shape(std::uint64_t size_bytes) {
  for (const SectorShape& shape : kShapes) {
    if (shape.size_bytes == size_bytes) return &shape;
  }
  return invalid_argument("no sector has " + std::to_string(size_bytes) + " bytes");
}

Result<const SectorShape*> find_sector_shape(std::string_view name) {
  for (const SectorShape& shape : kShapes) {
    if (name == shape.name) return &shape;
  }
  return invalid_argument("no sector size is named \"" + std::string(name.substr(0, 40)) + "\"");
}

}  // namespace cuzk
