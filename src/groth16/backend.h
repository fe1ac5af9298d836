// Backend: the seam between the protocol and the machine that computes a proof. It is coarse on purpose: large
// buffers never cross it, only a compact witness in and a proof out.
//
// Life cycle: load() turns the parameters and constraints of one circuit into whatever the backend proves from (a
// ResidentCircuit); prove() may then be called any number of times. Destroying the ResidentCircuit frees everything.
// All backends must give the same bytes for the same witness and blinding (tests/contract).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "groth16/blinding.h"
#include "groth16/proof.h"
#include "groth16/prove_timings.h"
#include "groth16/srs_view.h"
#include "r1cs/r1cs.h"
#include "r1cs/witness.h"

namespace cuzk {

// The numbers of a circuit on which the memory of a backend depends.
struct CircuitShape {
  std::size_t num_inputs = 0;  // with ONE
  std::size_t num_aux = 0;
  std::size_t num_full = 0;
  std::size_t num_constraints = 0;
  unsigned log_domain = 0;
  std::size_t r1cs_bytes = 0;
  SrsCounts srs;

  static CircuitShape of(const R1cs& r1cs);
};

// Bytes, not counting the constraints themselves, which the caller owns and shares.
struct MemoryPlan {
  std::uint64_t resident_host = 0;    // held while the circuit is loaded, work space included
  std::uint64_t resident_device = 0;  // the same on the accelerator
  // The part of resident_device that is work space. All circuits of a backend share one, as large as the largest of
  // theirs: of those that are loaded together only the largest counts.
  std::uint64_t shared_device = 0;
  std::uint64_t load_host = 0;    // on top, while load() runs
  std::uint64_t load_device = 0;  // the same on the accelerator
  std::uint64_t prove_host = 0;   // on top, while prove() runs
};

// The device of a backend as its driver sees it at this moment. For the processor all is empty and zero.
struct DeviceStatus {
  std::string name;  // "NVIDIA H200"
  std::string uuid;
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;  // of all its users
  bool usable = true;
  std::string unusable_because;
};

// One loaded circuit; opaque but for what it was loaded from. Belongs to the backend that made it and must not
// outlive it.
class ResidentCircuit {
 public:
  virtual ~ResidentCircuit() = default;
  virtual const R1cs& r1cs() const noexcept = 0;
  virtual const VerifyingKey& vk() const noexcept = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;

  // "cpu", "cuda", ...: stable, lower case.
  virtual std::string_view name() const noexcept = 0;

  virtual MemoryPlan plan(const CircuitShape& shape) const = 0;
  // Thread-safe, and does not wait for a proof in progress.
  virtual DeviceStatus device_status() const { return {}; }

  // invalid_argument when the counts of the parameters are not those of the circuit (naming the query and both
  // numbers) or a point is bad (naming query and index). resource_exhausted when there is too little memory (needed and
  // free); nothing stays taken then, and a later call may succeed. `progress` may be null. Uses all threads.
  virtual Result<std::unique_ptr<ResidentCircuit>> load(const SrsView& srs, std::shared_ptr<const R1cs> r1cs,
                                                        ProgressObserver* progress = nullptr) = 0;

  // The proof is not verified here; whoever hands it out does that (verify.h). `timings` is overwritten.
  //   invalid_argument  the witness has not the circuit's dimensions, or `circuit` is of another backend
  //   not_satisfied     the witness does not satisfy the circuit; names the first constraint that fails
  //   prover_fault      a point of the proof is infinity
  //   cancelled         the observer of `timings` wanted the proof to be given up; asked between phases
  //   resource_exhausted  too little memory at this moment (needed and free)
  //   unavailable       the device is lost: every later call will say the same
  // Thread-safe; proofs of one circuit run one after the other.
  virtual Result<Proof> prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                              ProveTimings& timings) = 0;
};

}  // namespace cuzk
