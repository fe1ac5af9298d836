#include "cached_circuit.h"

#include <cstdio>

#include "circuit/circuit_cache.h"

namespace cuzk {

R1cs cached_circuit(const CircuitParameters& circuit, bool quiet) {
  CachedCircuit found = CircuitCache(CircuitCache::default_directory()).get(circuit);
  if (!found.note.empty() && !quiet) {
    std::fprintf(stderr, "cuzk: circuit cache: %s\n", found.note.c_str());
  }
  return std::move(found.r1cs);
}

}  // namespace cuzk
