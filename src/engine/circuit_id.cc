#include "engine/circuit_id.h"

#include "base/check.h"

namespace cuzk {
namespace {

constexpr std::uint64_t kKiB = 1024;

const char* prefix_of(ProofKind kind) noexcept {
  switch (kind) {
    case ProofKind::porep:
      return "porep";
    case ProofKind::winning:
      return "winning";
    case ProofKind::window:
      return "wpost";
    case ProofKind::update:
      return "snap";
    case ProofKind::update_poseidon:
      return "snap-poseidon";
  }
  CUZK_CHECK(false, "a kind of proof");
}

// 2048 -> "2k", 34359738368 -> "32g".
std::string short_size(std::uint64_t bytes) {
  const char* unit = "k";
  std::uint64_t value = bytes / kKiB;
  for (const char* larger : {"m", "g"}) {
    if (value < kKiB) break;
    value /= kKiB;
    unit = larger;
  }
  return std::to_string(value) + unit;
}

}  // namespace

std::string circuit_id(const CircuitParameters& circuit) {
  return std::string(prefix_of(circuit.kind)) + "-" + short_size(circuit.shape->size_bytes);
}

Result<const CircuitParameters*> find_circuit(std::string_view id) {
  std::string known;
  for (const CircuitParameters& circuit : all_circuit_parameters()) {
    const std::string candidate = circuit_id(circuit);
    if (candidate == id) return &circuit;
    if (circuit.is_published()) known += (known.empty() ? "" : ", ") + candidate;
  }
  return Status(StatusCode::not_found,
                "no circuit is called \"" + std::string(id.substr(0, 64)) + "\"; known are " + known);
}

}  // namespace cuzk
