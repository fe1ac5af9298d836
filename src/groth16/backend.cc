#include "groth16/backend.h"

namespace cuzk {

CircuitShape CircuitShape::of(const R1cs& r1cs) {
  CircuitShape shape;
  shape.num_inputs = r1cs.num_inputs();
  shape.num_aux = r1cs.num_aux();
  shape.num_full = r1cs.num_full();
  shape.num_constraints = r1cs.num_constraints();
  shape.log_domain = r1cs.log_domain();
  shape.r1cs_bytes = r1cs.memory_bytes();
  shape.srs = SrsCounts::of(r1cs, r1cs.densities());
  return shape;
}

}  // namespace cuzk
