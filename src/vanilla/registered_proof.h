// Registered seal proofs: the number that names a PoRep by sector size, API version and feature, and that is
// its porep id. Source: docs/formats/c1.md.
//
// Sizes without a number appear in test data only, under the name of variant V1_1 and with the porep id of 2
// KiB V1_1.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "vanilla/sector_shape.h"

namespace cuzk {

enum class ApiVersion { v1_0_0, v1_1_0, v1_2_0 };
// "1.0.0"
const char* api_version_name(ApiVersion version) noexcept;

// How the challenges of a PoRep are chosen.
enum class PorepFeature { interactive, synthetic, non_interactive };

struct SealProof {
  const SectorShape* shape;
  unsigned number;  // 0..19; of an unregistered size the number whose porep id it borrows
  ApiVersion api_version;
  PorepFeature feature;

  // "StackedDrg32GiBV1_1", as in the C1 object.
  std::string name() const;
  // As Go's abi package names it: the non-interactive ones end in "V1_2_Feat_NiPoRep", the others are the same.
  std::string go_name() const;
  // The tag of `vanilla_proofs`: always the plain V1 name, "StackedDrg32GiBV1".
  std::string shape_name() const;
  // le64(number), then zeros.
  Bytes32 porep_id() const noexcept;
  unsigned partitions() const noexcept {
    return feature == PorepFeature::non_interactive ? shape->ni_partitions : shape->porep_partitions;
  }
  unsigned challenges_per_partition() const noexcept { return shape->challenges_per_partition; }
};

// invalid_argument for anything that is not exactly such a name.
Result<SealProof> seal_proof_from_name(std::string_view name);
// 0..19, else invalid_argument.
Result<SealProof> seal_proof_from_number(std::uint64_t number);

}  // namespace cuzk
