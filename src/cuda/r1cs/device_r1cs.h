// The constraint matrices of a circuit on the device, and their products with a witness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/runtime/arena.h"
#include "r1cs/r1cs.h"

namespace cuzk::cuda {

// A witness (r1cs/witness.h) on the device: values = the inputs, then the full elements; bits by aux index.
struct DeviceWitness {
  const Fr* values;
  const uint64_t* bits;
};

// Rows and coefficients in the form of r1cs.h: repeated blocks stored once.
class DeviceR1cs {
 public:
  // Copies everything to memory of the arena, complete on return. `r1cs` is needed only here.
  DeviceR1cs(Arena& arena, const R1cs& r1cs, cudaStream_t stream);

  // At least the bytes that the constructor takes of an arena.
  static std::size_t bytes(std::size_t r1cs_bytes, std::size_t num_blocks) noexcept {
    return r1cs_bytes + (num_blocks * 10 + 2) * Arena::kAlignment;
  }

  // Writes the values of all constraints into a, b, c, then those of the closing input constraints, then zeros up to
  // `size` elements; size is at least the circuit's num_domain_rows(). Returns the lowest constraint with a * b != c, if
  // any. Waits for the stream.
  std::optional<std::size_t> evaluate(const DeviceWitness& witness, Fr* d_a, Fr* d_b, Fr* d_c,
                                      std::size_t size, cudaStream_t stream) const;

 private:
  struct Rows {
    const uint32_t* row_end;
    const uint32_t* columns;
    const uint16_t* coefficients;
  };
  struct Block {
    uint32_t count, num_inputs, num_aux, num_full, num_constraints;
    uint64_t first_constraint;
    uint32_t num_parameters;
    const uint32_t* parameters;  // columns, num_parameters a repetition
    Rows rows[3];
  };
  friend struct EvaluateKernelArgs;

  std::size_t num_inputs_;
  std::size_t num_constraints_;
  std::vector<Block> blocks_;
  const Fr* d_coefficients_;
  unsigned long long* d_first_failing_;
};

}  // namespace cuzk::cuda
