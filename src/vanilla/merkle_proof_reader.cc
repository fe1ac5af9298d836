#include "vanilla/merkle_proof_reader.h"

#include <array>

namespace cuzk {
namespace {

using Scope = FieldPath::Scope;

constexpr std::array<std::string_view, 3> kVariants = {"Single", "Sub", "Top"};  // by tag
constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kIndexBytes = 8;
constexpr std::size_t kTagBytes = 4;

constexpr std::size_t level_bytes(std::uint32_t arity) noexcept {
  return kLengthBytes + (arity - 1) * Fr::kBytes + kIndexBytes;
}
// Tag, root and leaf, and the lengths of `num_paths` paths.
constexpr std::size_t frame_bytes(std::size_t num_paths) noexcept {
  return kTagBytes + 2 * Fr::kBytes + num_paths * kLengthBytes;
}

class ProofReader {
 public:
  ProofReader(BincodeReader& reader, MerkleProof& out) : reader_(reader), out_(out) {
    out_.levels.clear();
    out_.siblings.clear();
  }

  Status read_tag(std::uint32_t wanted) {
    std::uint32_t tag = 0;
    CUZK_TRY(reader_.read_u32(tag));
    if (tag == wanted) return Status::ok();
    const std::string found =
        tag < kVariants.size() ? "\"" + std::string(kVariants[tag]) + "\"" : "number " + std::to_string(tag);
    return reader_.error("the proof is of kind " + found + ", this tree needs \"" +
                         std::string(kVariants[wanted]) + "\"");
  }

  Status read_root_and_leaf() {
    CUZK_TRY(read_field(reader_, "root", [&] { return reader_.read_fr(out_.root); }));
    return read_field(reader_, "leaf", [&] { return reader_.read_fr(out_.leaf); });
  }

  Status read_path(std::string_view name, std::uint32_t arity, std::size_t num_levels) {
    const Scope scope(reader_.path(), name);
    CUZK_TRY(reader_.read_length(num_levels, level_bytes(arity)));
    for (std::size_t i = 0; i < num_levels; ++i) {
      const Scope level_scope(reader_.path(), i);
      CUZK_TRY(read_level(arity));
    }
    return Status::ok();
  }

 private:
  Status read_level(std::uint32_t arity) {
    out_.push_level(arity, 0);
    {
      const Scope scope(reader_.path(), "hashes");
      CUZK_TRY(reader_.read_length(arity - 1, Fr::kBytes));
      for (std::size_t i = 0; i + 1 < arity; ++i) {
        const Scope sibling_scope(reader_.path(), i);
        CUZK_TRY(reader_.read_fr(out_.siblings.emplace_back()));
      }
    }
    const Scope scope(reader_.path(), "index");
    std::uint64_t index = 0;
    CUZK_TRY(reader_.read_index(arity - 1, index));
    out_.levels.back().index = static_cast<std::uint32_t>(index);
    return Status::ok();
  }

  BincodeReader& reader_;
  MerkleProof& out_;
};

Status read_single(BincodeReader& reader, std::uint32_t arity, std::size_t num_levels, MerkleProof& out) {
  ProofReader proof(reader, out);
  CUZK_TRY(proof.read_tag(0));
  CUZK_TRY(proof.read_root_and_leaf());
  return proof.read_path("path", arity, num_levels);
}

}  // namespace

Status read_tree_r_proof(BincodeReader& reader, const TreeShape& tree, MerkleProof& out) {
  if (tree.sub_arity == 0) return read_single(reader, TreeShape::kBaseArity, tree.base_levels, out);
  ProofReader proof(reader, out);
  CUZK_TRY(proof.read_tag(tree.top_arity == 0 ? 1 : 2));
  CUZK_TRY(proof.read_path("base_proof", TreeShape::kBaseArity, tree.base_levels));
  CUZK_TRY(proof.read_path("sub_proof", tree.sub_arity, 1));
  if (tree.top_arity > 0) CUZK_TRY(proof.read_path("top_proof", tree.top_arity, 1));
  return proof.read_root_and_leaf();
}

Status read_tree_d_proof(BincodeReader& reader, unsigned log2_nodes, MerkleProof& out) {
  return read_single(reader, 2, log2_nodes, out);
}

std::size_t tree_r_proof_bytes(const TreeShape& tree) noexcept {
  std::size_t bytes = frame_bytes(std::size_t{1} + (tree.sub_arity > 0) + (tree.top_arity > 0));
  for (unsigned level = 0; level < tree.num_levels(); ++level) bytes += level_bytes(tree.arity(level));
  return bytes;
}

std::size_t tree_d_proof_bytes(unsigned log2_nodes) noexcept {
  return frame_bytes(1) + log2_nodes * level_bytes(2);
}

}  // namespace cuzk
