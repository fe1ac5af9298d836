#include "circuit_option.h"

namespace cuzk {

std::string sector_size_names() {
  std::string names;
  for (const SectorShape& shape : all_sector_shapes())
    names += (names.empty() ? "" : ", ") + std::string(shape.name);
  return names;
}

CLI::Option* add_sector_size_option(CLI::App& command, std::string* sector_size, const std::string& help) {
  const auto check = [](const std::string& name) {
    if (find_sector_shape(std::string_view(name)).is_ok()) return std::string();
    return "\"" + name + "\" is none of " + sector_size_names();
  };
  return command.add_option("--sector-size", *sector_size, help)->type_name("SIZE")->check(check);
}

void CircuitOption::add_to(CLI::App& command) {
  command.add_option("--circuit", circuit, "the circuit")
      ->required()
      ->check(CLI::IsMember({"porep", "winning", "window", "update", "update-poseidon"}));
  add_sector_size_option(command, &sector_size, "one of " + sector_size_names())->required();
}

Result<const CircuitParameters*> CircuitOption::find() const {
  CUZK_ASSIGN(const SectorShape* shape, find_sector_shape(std::string_view(sector_size)));
  CUZK_ASSIGN(const ProofKind kind, proof_kind_from_name(circuit));
  return find_circuit_parameters(kind, *shape);
}

}  // namespace cuzk
