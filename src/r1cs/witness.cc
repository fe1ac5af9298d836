#include "r1cs/witness.h"

#include <string>

namespace cuzk {

Status check_dimensions(const R1cs& r1cs, const Witness& witness) {
  const auto check = [](const char* what, std::size_t found, std::size_t wanted) {
    if (found == wanted) return Status::ok();
    return invalid_argument("the witness has " + std::to_string(found) + " " + what + ", the circuit " +
                            std::to_string(wanted));
  };
  CUZK_TRY(check("inputs", witness.inputs.size(), r1cs.num_inputs()));
  CUZK_TRY(check("aux variables", witness.bits.size(), r1cs.num_aux()));
  return check("full aux variables", witness.fulls.size(), r1cs.num_full());
}

std::vector<Fr> expand_aux(const R1cs& r1cs, const Witness& witness) {
  const BitVector full = r1cs.full_mask();
  std::vector<Fr> values(r1cs.num_aux());
  std::size_t next_full = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (full[i]) {
      values[i] = witness.fulls[next_full++];
    } else if (witness.bits[i]) {
      values[i] = Fr::one();
    }
  }
  return values;
}

}  // namespace cuzk
