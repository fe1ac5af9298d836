#include "circuit/proof_input.h"

#include <algorithm>

#include "base/check.h"
#include "circuit/porep/porep.h"
#include "circuit/post/post.h"
#include "circuit/update/update.h"
#include "vanilla/c1_validate.h"
#include "vanilla/post_validate.h"
#include "vanilla/registered_update.h"
#include "vanilla/update_validate.h"

namespace cuzk {
namespace {

Status check_partition(std::optional<std::uint64_t> partition, std::uint64_t count) {
  if (!partition.has_value() || *partition < count) return Status::ok();
  return invalid_argument("partition " + std::to_string(*partition) + " does not exist: there are " +
                          std::to_string(count));
}

const CircuitParameters& circuit_of(ProofKind kind, const SectorShape& shape) {
  const auto found = find_circuit_parameters(kind, shape);
  CUZK_CHECK(found.is_ok(), "every kind but update-poseidon exists at every size");
  return *found.value();
}

class PorepInput final : public ProofInput {
 public:
  PorepInput(C1 c1, std::optional<std::uint64_t> miner_id, std::optional<std::uint64_t> partition)
      : c1_(std::move(c1)),
        miner_id_(miner_id),
        first_(partition.value_or(0)),
        count_(partition.has_value() ? 1 : c1_.partitions.size()),
        circuit_(circuit_of(ProofKind::porep, *c1_.registered_proof.shape)) {}

  const CircuitParameters& circuit() const noexcept override { return circuit_; }
  std::string registered_proof() const override { return c1_.registered_proof.name(); }
  std::size_t num_proofs() const noexcept override { return count_; }
  std::uint64_t partition_of(std::size_t i) const noexcept override { return first_ + i; }

  std::vector<InputFinding> validate(bool stop_at_first) const override {
    std::vector<InputFinding> findings;
    for (const C1Finding& finding : validate_c1(c1_, {miner_id_, stop_at_first})) {
      findings.push_back({c1_.sector_num, finding.partition, finding.challenge, finding.field,
                          finding.expected, finding.found, finding.to_string()});
    }
    return findings;
  }
  Witness witness(std::size_t i, const R1cs& r1cs) const override {
    return porep_witness(porep_partition(c1_, first_ + i), r1cs);
  }
  std::vector<Fr> public_inputs(std::size_t i) const override {
    return porep_public_inputs(c1_.statement(), static_cast<unsigned>(first_ + i));
  }

 private:
  C1 c1_;
  std::optional<std::uint64_t> miner_id_;
  std::size_t first_;
  std::size_t count_;
  const CircuitParameters& circuit_;
};

class PostInput final : public ProofInput {
 public:
  PostInput(const RegisteredPost& proof, const Bytes32& randomness, std::vector<PostSectorProof> sectors,
            std::optional<std::uint64_t> partition)
      : proof_(proof),
        randomness_(randomness),
        sectors_(std::move(sectors)),
        first_(partition.value_or(0)),
        circuit_(circuit_of(is_winning() ? ProofKind::winning : ProofKind::window, *proof.shape)),
        circuit_shape_(is_winning() ? PostCircuitShape::winning(*proof.shape)
                                    : PostCircuitShape::window(*proof.shape)) {}

  const CircuitParameters& circuit() const noexcept override { return circuit_; }
  std::string registered_proof() const override { return proof_.name(); }
  std::size_t num_proofs() const noexcept override {
    return (sectors_.size() + proof_.max_sectors() - 1) / proof_.max_sectors();
  }
  std::uint64_t partition_of(std::size_t i) const noexcept override { return first_ + i; }

  std::vector<InputFinding> validate(bool stop_at_first) const override {
    std::vector<InputFinding> findings;
    for (std::size_t i = 0; i < num_proofs(); ++i) {
      for (const PostFinding& finding : validate_post(statement(i), part(i), stop_at_first)) {
        findings.push_back({finding.sector_id, partition_of(i), finding.challenge, finding.field,
                            finding.expected, finding.found,
                            "partition " + std::to_string(partition_of(i)) + ", " + finding.to_string()});
        if (stop_at_first) return findings;
      }
    }
    return findings;
  }
  Witness witness(std::size_t i, const R1cs& r1cs) const override {
    const auto slots = is_winning() ? winning_post_slots(circuit_shape_, sectors_.front())
                                    : window_post_slots(circuit_shape_, part(i));
    return post_witness(slots, r1cs);
  }
  std::vector<Fr> public_inputs(std::size_t i) const override {
    std::vector<PostSectorPublic> sectors;
    for (const PostSectorProof& sector : part(i)) sectors.push_back({sector.sector_id, sector.comm_r});
    return is_winning() ? winning_post_public_inputs(statement(i), sectors.front())
                        : window_post_public_inputs(statement(i), sectors);
  }

 private:
  bool is_winning() const noexcept { return proof_.kind == PostKind::winning; }
  PostPublic statement(std::size_t i) const {
    return {proof_, randomness_, static_cast<unsigned>(partition_of(i))};
  }
  std::span<const PostSectorProof> part(std::size_t i) const {
    const std::size_t begin = i * proof_.max_sectors();
    return std::span(sectors_).subspan(begin,
                                       std::min<std::size_t>(proof_.max_sectors(), sectors_.size() - begin));
  }

  RegisteredPost proof_;
  Bytes32 randomness_;
  std::vector<PostSectorProof> sectors_;
  std::uint64_t first_;
  const CircuitParameters& circuit_;
  PostCircuitShape circuit_shape_;
};

class UpdateInput final : public ProofInput {
 public:
  UpdateInput(const SectorShape& sector, const UpdatePublic& statement,
              std::vector<UpdatePartitionProof> proofs, std::optional<std::uint64_t> partition)
      : sector_(sector),
        statement_(statement),
        proofs_(std::move(proofs)),
        first_(partition.value_or(0)),
        circuit_(circuit_of(ProofKind::update, sector)) {}

  const CircuitParameters& circuit() const noexcept override { return circuit_; }
  std::string registered_proof() const override { return registered_update(sector_).name(); }
  std::size_t num_proofs() const noexcept override { return proofs_.size(); }
  std::uint64_t partition_of(std::size_t i) const noexcept override { return first_ + i; }

  std::vector<InputFinding> validate(bool stop_at_first) const override {
    std::vector<InputFinding> findings;
    for (std::size_t i = 0; i < proofs_.size(); ++i) {
      const auto k = static_cast<unsigned>(partition_of(i));
      for (const UpdateFinding& finding :
           validate_update_partition(statement_, proofs_[i], k, stop_at_first)) {
        findings.push_back({std::nullopt, finding.partition, finding.challenge, finding.field,
                            finding.expected, finding.found, finding.to_string()});
        if (stop_at_first) return findings;
      }
    }
    return findings;
  }
  Witness witness(std::size_t i, const R1cs& r1cs) const override {
    const UpdatePartition partition{static_cast<unsigned>(partition_of(i)), statement_.comm_r_old,
                                    statement_.comm_d_new, statement_.comm_r_new, &proofs_[i]};
    return update_witness(statement_.shape, partition, r1cs);
  }
  std::vector<Fr> public_inputs(std::size_t i) const override {
    return update_public_inputs(statement_, static_cast<unsigned>(partition_of(i)));
  }

 private:
  const SectorShape& sector_;
  UpdatePublic statement_;
  std::vector<UpdatePartitionProof> proofs_;
  std::uint64_t first_;
  const CircuitParameters& circuit_;
};

Status check_post_sectors(const RegisteredPost& proof, std::size_t sectors, bool one_partition) {
  if (sectors == 0) return invalid_argument("no sector is given; a PoSt proves at least one");
  const bool limited = one_partition || proof.kind == PostKind::winning;
  if (!limited || sectors <= proof.max_sectors()) return Status::ok();
  return invalid_argument(std::to_string(sectors) + " sectors are given, a partition of " + proof.name() +
                          " has " + std::to_string(proof.max_sectors()));
}

}  // namespace

Result<std::unique_ptr<ProofInput>> make_porep_input(C1 c1, std::optional<std::uint64_t> miner_id,
                                                     std::optional<std::uint64_t> partition) {
  CUZK_TRY(check_partition(partition, c1.partitions.size()));
  return std::unique_ptr<ProofInput>(std::make_unique<PorepInput>(std::move(c1), miner_id, partition));
}

Result<std::unique_ptr<ProofInput>> make_post_input(const RegisteredPost& proof, const Bytes32& randomness,
                                                    std::vector<PostSectorProof> sectors,
                                                    std::optional<std::uint64_t> partition) {
  CUZK_TRY(check_post_sectors(proof, sectors.size(), partition.has_value()));
  if (proof.kind == PostKind::winning) CUZK_TRY(check_partition(partition, 1));
  if (!Fr::from_bytes_le(randomness).has_value()) {
    return invalid_argument("randomness " + to_hex(randomness) +
                            " is not below the field modulus: clear the two highest bits of its last byte");
  }
  return std::unique_ptr<ProofInput>(
      std::make_unique<PostInput>(proof, randomness, std::move(sectors), partition));
}

Result<std::unique_ptr<ProofInput>> make_update_input(const SectorShape& sector,
                                                      const UpdatePublic& statement,
                                                      std::vector<UpdatePartitionProof> proofs,
                                                      std::optional<std::uint64_t> partition) {
  CUZK_TRY(check_partition(partition, statement.shape.partitions()));
  const std::size_t wanted = partition.has_value() ? 1 : statement.shape.partitions();
  if (proofs.size() != wanted) {
    return invalid_argument(std::to_string(proofs.size()) + " partition proofs are given, " +
                            std::to_string(wanted) + " wanted");
  }
  return std::unique_ptr<ProofInput>(
      std::make_unique<UpdateInput>(sector, statement, std::move(proofs), partition));
}

R1cs record_circuit(const CircuitParameters& circuit) {
  const SectorShape& shape = *circuit.shape;
  switch (circuit.kind) {
    case ProofKind::porep:
      return porep_r1cs(PorepCircuitShape::of(shape));
    case ProofKind::winning:
      return post_r1cs(PostCircuitShape::winning(shape));
    case ProofKind::window:
      return post_r1cs(PostCircuitShape::window(shape));
    case ProofKind::update:
      return update_r1cs(UpdateShape::of(shape));
    case ProofKind::update_poseidon:
      return update_r1cs(UpdateShape::of(shape, UpdateVariant::poseidon));
  }
  CUZK_CHECK(false, "a kind of proof");
}

}  // namespace cuzk
