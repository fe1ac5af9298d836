// ProofInput: everything that one request for proofs is about, whatever its kind: which circuit, which partitions, whether the
// vanilla proofs hold, each partition's witness, and the public inputs against which its proof is verified.
//
// The public inputs are derived from the statement (commitments, randomness, sector numbers), not from the vanilla proofs, so
// verifying against them also catches a proof of something else.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "r1cs/r1cs.h"
#include "r1cs/witness.h"
#include "vanilla/c1.h"
#include "vanilla/post_proof.h"
#include "vanilla/post_public.h"
#include "vanilla/registered_proofs.h"
#include "vanilla/update_proof.h"
#include "vanilla/update_public.h"

namespace cuzk {

// One value of the input that is not what the others make it be.
struct InputFinding {
  std::optional<std::uint64_t> sector_id;
  std::optional<std::uint64_t> partition;
  std::optional<std::uint64_t> challenge;
  std::string field;
  std::string expected;
  std::string found;
  std::string text;  // all of it in one line
};

// Immutable; all methods may be called from several threads.
class ProofInput {
 public:
  virtual ~ProofInput() = default;

  virtual const CircuitParameters& circuit() const noexcept = 0;
  // For example "StackedDrg32GiBV1_1".
  virtual std::string registered_proof() const = 0;
  // How many proofs are asked for, and which partition of the whole the i-th of them is.
  virtual std::size_t num_proofs() const noexcept = 0;
  virtual std::uint64_t partition_of(std::size_t i) const noexcept = 0;
  // All that is wrong, or the first of it; nothing if every relation holds. Uses the global thread pool.
  virtual std::vector<InputFinding> validate(bool stop_at_first) const = 0;
  // The i-th proof's witness and public inputs (without ONE). `r1cs` is record_circuit(circuit()). Uses the global thread
  // pool; the result does not depend on the number of threads.
  virtual Witness witness(std::size_t i, const R1cs& r1cs) const = 0;
  virtual std::vector<Fr> public_inputs(std::size_t i) const = 0;
};

// PoRep: the partitions of a C1 object, or one of them. With a miner id the replica id is checked too. invalid_argument for a
// partition that does not exist.
Result<std::unique_ptr<ProofInput>> make_porep_input(C1 c1, std::optional<std::uint64_t> miner_id,
                                                     std::optional<std::uint64_t> partition = std::nullopt);

// WindowPoSt: the sectors in the order of the proof. Without `partition` they are cut into partitions from 0 on; with it all of
// them are that one partition. WinningPoSt: one sector, no partition but 0. invalid_argument for other numbers of sectors, and
// for randomness that is not below the field modulus.
Result<std::unique_ptr<ProofInput>> make_post_input(const RegisteredPost& proof, const Bytes32& randomness,
                                                    std::vector<PostSectorProof> sectors,
                                                    std::optional<std::uint64_t> partition = std::nullopt);

// Sector update: the proofs of all partitions in order, or of the one named. invalid_argument for another number of proofs.
Result<std::unique_ptr<ProofInput>> make_update_input(const SectorShape& sector,
                                                      const UpdatePublic& statement,
                                                      std::vector<UpdatePartitionProof> proofs,
                                                      std::optional<std::uint64_t> partition = std::nullopt);

// Records a circuit of the table.
R1cs record_circuit(const CircuitParameters& circuit);

}  // namespace cuzk
