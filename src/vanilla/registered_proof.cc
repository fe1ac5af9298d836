#include "vanilla/registered_proof.h"

#include <array>

namespace cuzk {
namespace {

constexpr std::string_view kPrefix = "StackedDrg";

struct Variant {
  std::string_view suffix;
  std::string_view go_suffix;
  ApiVersion api_version;
  PorepFeature feature;
};
// In order of the numbers, one group of five sizes each.
constexpr std::array<Variant, 4> kVariants = {{
    {"V1", "V1", ApiVersion::v1_0_0, PorepFeature::interactive},
    {"V1_1", "V1_1", ApiVersion::v1_1_0, PorepFeature::interactive},
    {"V1_1_Feat_SyntheticPoRep", "V1_1_Feat_SyntheticPoRep", ApiVersion::v1_2_0, PorepFeature::synthetic},
    {"V1_2_Feat_NonInteractivePoRep", "V1_2_Feat_NiPoRep", ApiVersion::v1_2_0, PorepFeature::non_interactive},
}};
constexpr unsigned kUnregisteredVariant = 1;

SealProof make(const SectorShape& shape, unsigned variant) {
  const unsigned size_index = registered_size_index(shape).value_or(0);
  return {&shape, variant * kRegisteredSizes + size_index, kVariants[variant].api_version,
          kVariants[variant].feature};
}

}  // namespace

const char* api_version_name(ApiVersion version) noexcept {
  switch (version) {
    case ApiVersion::v1_0_0:
      return "1.0.0";
    case ApiVersion::v1_1_0:
      return "1.1.0";
    case ApiVersion::v1_2_0:
      return "1.2.0";
  }
  return "unknown";
}

std::string SealProof::name() const {
  return std::string(kPrefix) + shape->name + std::string(kVariants[number / kRegisteredSizes].suffix);
}

std::string SealProof::go_name() const {
  return std::string(kPrefix) + shape->name + std::string(kVariants[number / kRegisteredSizes].go_suffix);
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
  if (number >= kVariants.size() * kRegisteredSizes) {
    return invalid_argument("no seal proof has number " + std::to_string(number) + " (0 to 19 exist)");
  }
  return make(registered_size(static_cast<unsigned>(number % kRegisteredSizes)),
              static_cast<unsigned>(number / kRegisteredSizes));
}

}  // namespace cuzk
