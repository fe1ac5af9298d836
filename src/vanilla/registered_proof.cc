#include "vanilla/registered_proof.h"

#include <array>

namespace cuzk {
namespace {

constexpr std::string_view kPrefix = "StackedDrg";
constexpr unsigned kSizes = 5;

struct Variant {
  std::string_view suffix;
  ApiVersion api_version;
  PorepFeature feature;
};
// In order of the numbers, one group of five sizes each.
constexpr std::array<Variant, 4> kVariants = {{
    {"V1", ApiVersion::v1_0_0, PorepFeature::interactive},
    {"V1_1", ApiVersion::v1_1_0, PorepFeature::interactive},
    {"V1_1_Feat_SyntheticPoRep", ApiVersion::v1_2_0, PorepFeature::synthetic},
    {"V1_2_Feat_NonInteractivePoRep", ApiVersion::v1_2_0, PorepFeature::non_interactive},
}};
constexpr unsigned kUnregisteredVariant = 1;

// The position of a size within each group of five; the table is ascending, and so are the numbers.
unsigned registered_index(const SectorShape& shape) {
  unsigned index = 0;
  for (const SectorShape& other : all_sector_shapes()) {
    if (other.size_bytes == shape.size_bytes) break;
    if (other.registered) ++index;
  }
  return index;
}

SealProof make(const SectorShape& shape, unsigned variant) {
  const unsigned size_index = shape.registered ? registered_index(shape) : 0;
  return {&shape, variant * kSizes + size_index, kVariants[variant].api_version, kVariants[variant].feature};
}

}  // namespace

std::string SealProof::name() const {
  return std::string(kPrefix) + shape->name + std::string(kVariants[number / kSizes].suffix);
}

std::string SealProof::shape_name() const {
  return std::string(kPrefix) + shape->name + "V1";
}

Bytes32 SealProof::porep_id() const noexcept {
  Bytes32 id{};
  store_le<std::uint64_t>(id.data(), number);
  return id;
}

Result<SealProof> seal_proof_from_name(std::string_view name) {
  for (const SectorShape& shape : all_sector_shapes()) {
    for (unsigned variant = 0; variant < kVariants.size(); ++variant) {
      if (!shape.registered && variant != kUnregisteredVariant) continue;
      const SealProof proof = make(shape, variant);
      if (proof.name() == name) return proof;
    }
  }
  return invalid_argument("unknown seal proof \"" + std::string(name.substr(0, 80)) + "\"");
}

Result<SealProof> seal_proof_from_number(std::uint64_t number) {
  if (number >= kVariants.size() * kSizes) {
    return invalid_argument("no seal proof has number " + std::to_string(number) + " (0 to 19 exist)");
  }
  unsigned skip = static_cast<unsigned>(number % kSizes);
  for (const SectorShape& shape : all_sector_shapes()) {
    if (!shape.registered) continue;
    if (skip-- == 0) return make(shape, static_cast<unsigned>(number / kSizes));
  }
  return internal_error("the table of sector sizes lacks a registered size");
}

}  // namespace cuzk
