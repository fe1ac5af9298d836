// Test parameters of 2 KiB sectors that all test programs share: made by `cuzk setup` in the build folder when first asked for, and kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vanilla/registered_proofs.h"

namespace cuzk {

// The kinds of proof that clients ask for; each has one circuit of 2 KiB sectors.
inline constexpr ProofKind kClientKinds[] = {ProofKind::winning, ProofKind::window, ProofKind::update,
                                             ProofKind::porep};

// "winning-2k", "wpost-2k", "snap-2k", "porep-2k"
std::string small_circuit_id(ProofKind kind);
// The circuit's files, .params, .vk and .meta. Makes them if they are not there; programs that ask at the same time wait for each other. Throws.
std::vector<std::filesystem::path> shared_parameters(ProofKind kind);
// Recorded circuits, written by the first daemon and read by the others.
std::string shared_circuit_cache();
// Links the parameters of these kinds into a folder, which is made.
void link_parameters(const std::filesystem::path& folder, const std::vector<ProofKind>& kinds);
// The .params file of a circuit in a folder.
std::filesystem::path params_path(const std::filesystem::path& folder, ProofKind kind);

}  // namespace cuzk
