#include "vanilla/update_proof_reader.h"

#include "vanilla/merkle_proof_reader.h"
#include "vanilla/small_file.h"

namespace cuzk {
namespace {

using Scope = FieldPath::Scope;

bool has_apex(const UpdateShape& shape) noexcept {
  return shape.variant == UpdateVariant::sha256;
}
std::size_t tree_d_bytes(const UpdateShape& shape) noexcept {
  return has_apex(shape) ? tree_d_proof_bytes(shape.log2_nodes) : tree_r_proof_bytes(shape.tree);
}
std::size_t challenge_bytes(const UpdateShape& shape) noexcept {
  return 2 * tree_r_proof_bytes(shape.tree) + tree_d_bytes(shape);
}

class UpdateReader {
 public:
  UpdateReader(std::span<const std::uint8_t> bytes, const UpdateShape& shape)
      : reader_(bytes), shape_(shape) {}

  Result<UpdatePartitionProof> read() {
    CUZK_TRY(read_field(reader_, "comm_c", [&] { return reader_.read_fr(proof_.comm_c); }));
    if (has_apex(shape_)) CUZK_TRY(read_field(reader_, "apex_leaves", [&] { return read_apex_leaves(); }));
    CUZK_TRY(read_field(reader_, "challenge_proofs",
                        [&] { return reader_.read_length(shape_.challenges, challenge_bytes(shape_)); }));
    proof_.challenges.resize(shape_.challenges);
    for (std::size_t i = 0; i < proof_.challenges.size(); ++i) {
      const Scope scope(reader_.path(), "challenge", i);
      CUZK_TRY(read_challenge(proof_.challenges[i]));
    }
    CUZK_TRY(reader_.finish());
    return std::move(proof_);
  }

 private:
  Status read_apex_leaves() {
    const std::size_t count = std::size_t{1} << shape_.log2_apex_leaves;
    CUZK_TRY(reader_.read_length(count, Fr::kBytes));
    proof_.apex_leaves.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Scope scope(reader_.path(), i);
      CUZK_TRY(reader_.read_fr(proof_.apex_leaves[i]));
    }
    return Status::ok();
  }

  Status read_challenge(UpdateChallengeProof& out) {
    const auto read_tree_r = [&](MerkleProof& proof) {
      return read_tree_r_proof(reader_, shape_.tree, proof);
    };
    CUZK_TRY(read_field(reader_, "proof_r_old", [&] { return read_tree_r(out.proof_r_old); }));
    CUZK_TRY(read_field(reader_, "proof_d_new", [&] {
      return has_apex(shape_) ? read_tree_d_proof(reader_, shape_.log2_nodes, out.proof_d_new)
                              : read_tree_r(out.proof_d_new);
    }));
    return read_field(reader_, "proof_r_new", [&] { return read_tree_r(out.proof_r_new); });
  }

  BincodeReader reader_;
  const UpdateShape& shape_;
  UpdatePartitionProof proof_{};
};

}  // namespace

Result<UpdatePartitionProof> parse_update_proof(std::span<const std::uint8_t> bytes,
                                                const UpdateShape& shape) {
  return UpdateReader(bytes, shape).read();
}

Result<UpdatePartitionProof> read_update_proof_file(const std::string& path, const UpdateShape& shape) {
  CUZK_ASSIGN(const auto bytes, read_small_file(path, update_proof_bytes(shape)));
  Result<UpdatePartitionProof> proof = parse_update_proof(bytes, shape);
  if (!proof.is_ok()) return proof.status().with_context(path);
  return proof;
}

std::size_t update_proof_bytes(const UpdateShape& shape) noexcept {
  const std::size_t apex = has_apex(shape) ? 8 + (std::size_t{1} << shape.log2_apex_leaves) * Fr::kBytes : 0;
  return Fr::kBytes + apex + 8 + shape.challenges * challenge_bytes(shape);
}

}  // namespace cuzk
