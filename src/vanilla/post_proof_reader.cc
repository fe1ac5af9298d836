#include "vanilla/post_proof_reader.h"

#include "vanilla/merkle_proof_reader.h"
#include "vanilla/small_file.h"

namespace cuzk {
namespace {

using Scope = FieldPath::Scope;

class PostReader {
 public:
  PostReader(std::span<const std::uint8_t> bytes, const SectorShape& shape, PostKind kind)
      : reader_(bytes), tree_(shape.tree), challenges_(post_challenge_count(kind)) {}

  Result<PostSectorProof> read() {
    CUZK_TRY(read_field(reader_, "sector_id", [&] { return reader_.read_u64(proof_.sector_id); }));
    {
      const Scope scope(reader_.path(), "sector", proof_.sector_id);
      CUZK_TRY(read_sector());
    }
    CUZK_TRY(reader_.finish());
    return std::move(proof_);
  }

 private:
  Status read_sector() {
    const std::size_t proof_bytes = tree_r_proof_bytes(tree_);
    CUZK_TRY(read_field(reader_, "comm_r", [&] { return reader_.read_fr(proof_.comm_r); }));
    CUZK_TRY(read_field(reader_, "sectors", [&] { return reader_.read_length(1, proof_bytes); }));
    CUZK_TRY(read_field(reader_, "inclusion_proofs",
                        [&] { return reader_.read_length(challenges_, proof_bytes); }));
    proof_.inclusion_proofs.resize(challenges_);
    for (std::size_t i = 0; i < challenges_; ++i) {
      const Scope challenge(reader_.path(), "challenge", i);
      const Scope name(reader_.path(), "inclusion_proof");
      CUZK_TRY(read_tree_r_proof(reader_, tree_, proof_.inclusion_proofs[i]));
    }
    CUZK_TRY(read_field(reader_, "comm_c", [&] { return reader_.read_fr(proof_.comm_c); }));
    return read_field(reader_, "comm_r_last", [&] { return reader_.read_fr(proof_.comm_r_last); });
  }

  BincodeReader reader_;
  const TreeShape& tree_;
  std::size_t challenges_;
  PostSectorProof proof_{};
};

}  // namespace

Result<PostSectorProof> parse_post_proof(std::span<const std::uint8_t> bytes, const SectorShape& shape,
                                         PostKind kind) {
  return PostReader(bytes, shape, kind).read();
}

Result<PostSectorProof> read_post_proof_file(const std::string& path, const SectorShape& shape,
                                             PostKind kind) {
  CUZK_ASSIGN(const auto bytes, read_small_file(path, post_proof_bytes(shape, kind)));
  Result<PostSectorProof> proof = parse_post_proof(bytes, shape, kind);
  if (!proof.is_ok()) return proof.status().with_context(path);
  return proof;
}

std::size_t post_proof_bytes(const SectorShape& shape, PostKind kind) noexcept {
  constexpr std::size_t kHead = 8 + Fr::kBytes + 8 + 8;
  constexpr std::size_t kTail = 2 * Fr::kBytes;
  return kHead + post_challenge_count(kind) * tree_r_proof_bytes(shape.tree) + kTail;
}

}  // namespace cuzk
