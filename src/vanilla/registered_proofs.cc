#include "vanilla/registered_proofs.h"

#include <algorithm>
#include <array>
#include <vector>

#include "vanilla/parameter_names.h"
#include "vanilla/registered_post.h"
#include "vanilla/registered_proof.h"
#include "vanilla/registered_update.h"

namespace cuzk {
namespace {

constexpr std::array<ProofKind, 5> kKinds = {ProofKind::porep, ProofKind::winning, ProofKind::window,
                                             ProofKind::update, ProofKind::update_poseidon};

struct Published {
  std::string_view size;
  ProofKind kind;
  std::string_view params_digest;
  std::string_view vk_digest;
};
constexpr std::array<Published, 22> kPublished = {{
    {"2KiB", ProofKind::update, "311f92a3e75036ced01b1c0025f1fa0c", "eadad9784969890d30f2749708c79771"},
    {"2KiB", ProofKind::window, "7610b9f82bfc88405b7a832b651ce2f6", "0e0958009936b9d5e515ec97b8cb792d"},
    {"2KiB", ProofKind::winning, "82c88066be968bb550a05e30ff6c2413", "ffd79788d614d27919ae5bd2d94eacb6"},
    {"2KiB", ProofKind::porep, "434fb1338ecfaf0f59256f30dde4968f", "dc1ade9929ade1708238f155343044ac"},
    {"8MiB", ProofKind::update, "5aedd2cf3e5c0a15623d56a1b43110ad", "abd80269054d391a734febdac0d2e687"},
    {"8MiB", ProofKind::winning, "700171ecf7334e3199437c930676af82", "79ebb55f56fda427743e35053edad8fc"},
    {"8MiB", ProofKind::window, "c49499bb76a0762884896f9683403f55", "34d4feeacd9abf788d69ef1bb4d8fd00"},
    {"8MiB", ProofKind::porep, "09e612e4eeb7a0eb95679a88404f960c", "b687beb9adbd9dabe265a7e3620813e4"},
    {"512MiB", ProofKind::update, "c3ad7bb549470b82ad52ed070aebb4f4", "994c5b7d450ca9da348c910689f2dc7f"},
    {"512MiB", ProofKind::window, "1a7d4a9c8a502a497ed92a54366af33f", "4dae975de4f011f101f5a2f86d1daaba"},
    {"512MiB", ProofKind::winning, "827359440349fe8f5a016e7598993b79", "bd2cd62f65c1ab84f19ca27e97b7c731"},
    {"512MiB", ProofKind::porep, "6c77597eb91ab936c1cef4cf19eba1b3", "065179da19fbe515507267677f02823e"},
    {"32GiB", ProofKind::update, "1b3cfd761a961543f9eb273e435a06a2", "3a6941983754737fde880d29c7094905"},
    {"32GiB", ProofKind::update_poseidon, "b69983b5d7a97a20f43b3d5ff2a4ed04",
     "1ac05784f304129f74c5184190c1ec78"},
    {"32GiB", ProofKind::window, "2cf49eb26f1fee94c85781a390ddb4c8", "0f8ec542485568fa3468c066e9fed82b"},
    {"32GiB", ProofKind::winning, "d84f79a16fe40e9e25a36e2107bb1ba0", "fc02943678dd119e69e7fab8420e8819"},
    {"32GiB", ProofKind::porep, "6a388072a518cf46ebd661f5cc46900a", "0c7b4aac1c40fdb7eb82bc355b41addf"},
    {"64GiB", ProofKind::update, "1a392e7b759fb18e036c7559b5ece816", "80e366df2f1011953c2d01c7b7c9ee8e"},
    {"64GiB", ProofKind::update_poseidon, "a6d4f96e2b641a6d7a1a8e6dc1155c8a",
     "8e8fb9e2c56eb5d740d0de135305a7b8"},
    {"64GiB", ProofKind::window, "3810b7780ac0e299b22ae70f1f94c9bc", "59d2bf1857adc59a4f08fcf2afaa916b"},
    {"64GiB", ProofKind::winning, "2170a91ad5bae22ea61f2ea766630322", "6d3789148fb6466d07ee1e24d6292fd6"},
    {"64GiB", ProofKind::porep, "1801f8a6e1b00bceb00cc27314bb5ce3", "a89884252c04c298d0b3c81bfd884164"},
}};

std::string cache_id_of(ProofKind kind, const SectorShape& shape) {
  switch (kind) {
    case ProofKind::porep:
      return porep_cache_id(shape);
    case ProofKind::winning:
      return winning_post_cache_id(shape);
    case ProofKind::window:
      return window_post_cache_id(shape);
    case ProofKind::update:
      return update_cache_id(shape);
    case ProofKind::update_poseidon:
      return update_poseidon_cache_id(shape);
  }
  return {};
}

const Published* published(ProofKind kind, const SectorShape& shape) noexcept {
  const auto is_wanted = [&](const Published& row) { return row.kind == kind && row.size == shape.name; };
  const auto found = std::find_if(kPublished.begin(), kPublished.end(), is_wanted);
  return found == kPublished.end() ? nullptr : &*found;
}

std::vector<CircuitParameters> make_parameters() {
  std::vector<CircuitParameters> rows;
  for (const SectorShape& shape : all_sector_shapes()) {
    for (const ProofKind kind : kKinds) {
      const Published* const row = published(kind, shape);
      if (kind == ProofKind::update_poseidon && row == nullptr) continue;
      CircuitParameters parameters = {kind, &shape, cache_id_of(kind, shape), {}, {}};
      if (row != nullptr) {
        parameters.params_digest = row->params_digest;
        parameters.vk_digest = row->vk_digest;
      }
      rows.push_back(std::move(parameters));
    }
  }
  return rows;
}

// Every registered size has parameters of its kind.
const CircuitParameters* parameters_of(ProofKind kind, const SectorShape& shape) {
  return find_circuit_parameters(kind, shape).value();
}

// The last number of a group is where the next does not exist.
std::vector<RegisteredProof> make_proofs() {
  std::vector<RegisteredProof> rows;
  for (unsigned number = 0; seal_proof_from_number(number).is_ok(); ++number) {
    const SealProof seal = seal_proof_from_number(number).value();
    rows.push_back({ProofKind::porep, number, seal.name(), seal.go_name(), seal.shape, seal.partitions(),
                    parameters_of(ProofKind::porep, *seal.shape)});
  }
  for (unsigned number = 0; registered_post_from_number(number).is_ok(); ++number) {
    const RegisteredPost post = registered_post_from_number(number).value();
    const ProofKind kind = post.kind == PostKind::winning ? ProofKind::winning : ProofKind::window;
    rows.push_back(
        {kind, number, post.name(), post.go_name(), post.shape, 1, parameters_of(kind, *post.shape)});
  }
  for (unsigned number = 0; registered_update_from_number(number).is_ok(); ++number) {
    const RegisteredUpdate update = registered_update_from_number(number).value();
    rows.push_back({ProofKind::update, number, update.name(), update.name(), update.shape,
                    update.update_shape().partitions(), parameters_of(ProofKind::update, *update.shape)});
  }
  return rows;
}

bool is_post(ProofKind kind) noexcept {
  return kind == ProofKind::winning || kind == ProofKind::window;
}

// The row that `matches`, among those that share their numbers or names with `kind`.
template <class Matches>
Result<const RegisteredProof*> find_proof(ProofKind kind, const std::string& what, Matches matches) {
  for (const RegisteredProof& row : all_registered_proofs()) {
    const bool same_numbers = row.kind == kind || (is_post(row.kind) && is_post(kind));
    if (!same_numbers || !matches(row)) continue;
    if (row.kind == kind) return &row;
    return invalid_argument(what + " is " + row.name + ", not a proof of kind " + proof_kind_name(kind));
  }
  return invalid_argument("no " + std::string(proof_kind_name(kind)) + " proof is " + what);
}

}  // namespace

const char* proof_kind_name(ProofKind kind) noexcept {
  switch (kind) {
    case ProofKind::porep:
      return "porep";
    case ProofKind::winning:
      return "winning";
    case ProofKind::window:
      return "window";
    case ProofKind::update:
      return "update";
    case ProofKind::update_poseidon:
      return "update-poseidon";
  }
  return "unknown";
}

Result<ProofKind> proof_kind_from_name(std::string_view name) {
  for (const ProofKind kind : kKinds) {
    if (name == proof_kind_name(kind)) return kind;
  }
  return invalid_argument("no kind of proof is named \"" + std::string(name.substr(0, 40)) + "\"");
}

std::string CircuitParameters::params_file() const {
  return params_file_name(cache_id);
}
std::string CircuitParameters::vk_file() const {
  return vk_file_name(cache_id);
}

std::span<const CircuitParameters> all_circuit_parameters() {
  static const std::vector<CircuitParameters> kRows = make_parameters();
  return kRows;
}

Result<const CircuitParameters*> find_circuit_parameters(ProofKind kind, const SectorShape& shape) {
  for (const CircuitParameters& row : all_circuit_parameters()) {
    if (row.kind == kind && row.shape->size_bytes == shape.size_bytes) return &row;
  }
  return invalid_argument(std::string("no ") + proof_kind_name(kind) + " circuit has sectors of " +
                          shape.name);
}

std::span<const RegisteredProof> all_registered_proofs() {
  static const std::vector<RegisteredProof> kRows = make_proofs();
  return kRows;
}

Result<const RegisteredProof*> find_registered_proof(ProofKind kind, std::uint64_t number) {
  return find_proof(kind, "number " + std::to_string(number),
                    [&](const RegisteredProof& row) { return row.number == number; });
}

Result<const RegisteredProof*> find_registered_proof(ProofKind kind, std::string_view name) {
  return find_proof(kind, "\"" + std::string(name.substr(0, 80)) + "\"",
                    [&](const RegisteredProof& row) { return row.name == name || row.go_name == name; });
}

}  // namespace cuzk
