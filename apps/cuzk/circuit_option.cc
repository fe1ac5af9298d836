#include "circuit_option.h"

#include "base/check.h"
#include "circuit/porep/porep.h"
#include "vanilla/parameter_names.h"

namespace cuzk {

void CircuitOption::add_to(CLI::App& command) {
  command.add_option("--circuit", circuit, "the circuit")->required()->check(CLI::IsMember({"porep"}));
  std::string sizes;
  for (const SectorShape& shape : all_sector_shapes())
    sizes += (sizes.empty() ? "" : ", ") + std::string(shape.name);
  command.add_option("--sector-size", sector_size, "one of " + sizes)->required()->type_name("SIZE");
}

Result<const SectorShape*> CircuitOption::shape() const {
  return find_sector_shape(std::string_view(sector_size));
}

R1cs record_circuit(const std::string& circuit, const SectorShape& shape) {
  CUZK_CHECK(circuit == "porep", "the flags let known circuits through only");
  return porep_r1cs(PorepCircuitShape::of(shape));
}

std::string circuit_cache_id(const std::string& circuit, const SectorShape& shape) {
  CUZK_CHECK(circuit == "porep", "the flags let known circuits through only");
  return porep_cache_id(shape);
}

}  // namespace cuzk
