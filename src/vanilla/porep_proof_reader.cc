#include "vanilla/porep_proof_reader.h"

#include <limits>

namespace cuzk {
namespace {

using Scope = FieldPath::Scope;

// A run of levels under one key: all of TreeD, or the base, sub or top part of a Poseidon tree.
struct PathPart {
  std::uint32_t arity;
  std::size_t num_levels;
};

class ProofReader {
 public:
  ProofReader(JsonReader& reader, const SectorShape& shape) : reader_(reader), shape_(shape) {}

  Status read(JsonValue value, PorepChallengeProof& out) {
    return reader_.read_object(
        value, {{"comm_d_proofs", [&](JsonValue v) { return read_tree_d(v, out.comm_d_proof); }},
                {"comm_r_last_proof", [&](JsonValue v) { return read_tree_r(v, out.comm_r_last_proof); }},
                {"replica_column_proofs", [&](JsonValue v) { return read_columns(v, out); }, false},
                {"labeling_proofs", [&](JsonValue v) { return read_labelings(v, out.labeling_proofs); }},
                {"encoding_proof", [&](JsonValue v) { return read_labeling(v, out.encoding_proof); }}});
  }

 private:
  std::uint64_t last_node() const { return shape_.nodes() - 1; }

  Status read_columns(JsonValue value, PorepChallengeProof& out) {
    return reader_.read_object(
        value, {{"c_x", [&](JsonValue v) { return read_column_proof(v, out.c_x); }},
                {"drg_parents", [&](JsonValue v) { return read_column_proofs(v, out.drg_parents); }},
                {"exp_parents", [&](JsonValue v) { return read_column_proofs(v, out.exp_parents); }}});
  }

  Status read_column_proofs(JsonValue value, std::span<ColumnProof> out) {
    return reader_.read_array(value, out.size(), out.size(), [&](std::size_t i, JsonValue element) {
      const Scope scope(reader_.path(), i);
      return read_column_proof(element, out[i]);
    });
  }

  Status read_column_proof(JsonValue value, ColumnProof& out) {
    return reader_.read_object(
        value, {{"column", [&](JsonValue v) { return read_column(v, out); }},
                {"inclusion_proof", [&](JsonValue v) { return read_tree_r(v, out.inclusion_proof); }}});
  }

  Status read_column(JsonValue value, ColumnProof& out) {
    const auto last = static_cast<std::uint32_t>(last_node());
    return reader_.read_object(value,
                               {{"index", [&](JsonValue v) { return reader_.read_u32(v, last, out.index); }},
                                {"rows", [&](JsonValue v) { return read_rows(v, out.rows); }}});
  }

  Status read_rows(JsonValue value, std::vector<Fr>& out) {
    out.resize(shape_.layers);
    return reader_.read_array(value, out.size(), out.size(), [&](std::size_t i, JsonValue element) {
      const Scope scope(reader_.path(), i);
      return reader_.read_fr(element, out[i]);
    });
  }

  Status read_labelings(JsonValue value, std::vector<LabelingProof>& out) {
    out.resize(shape_.layers);
    return reader_.read_array(value, out.size(), out.size(), [&](std::size_t i, JsonValue element) {
      const Scope scope(reader_.path(), i);
      return read_labeling(element, out[i]);
    });
  }

  Status read_labeling(JsonValue value, LabelingProof& out) {
    constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();
    const auto read_parents = [&](JsonValue v) {
      return reader_.read_array(v, kLabelParents, kLabelParents, [&](std::size_t i, JsonValue element) {
        const Scope scope(reader_.path(), i);
        return reader_.read_bytes32(element, out.parents[i]);
      });
    };
    return reader_.read_object(
        value, {{"parents", read_parents},
                {"layer_index", [&](JsonValue v) { return reader_.read_u32(v, kAny, out.layer_index); }},
                {"node", [&](JsonValue v) { return reader_.read_u64(v, last_node(), out.node); }}});
  }

  Status read_tree_d(JsonValue value, MerkleProof& out) {
    return read_merkle_proof(value, "Single", out, [&](JsonValue content) {
      return read_single(content, {2, shape_.log2_nodes}, out);
    });
  }

  // The variant, and with it the keys, follows from the tree shape.
  Status read_tree_r(JsonValue value, MerkleProof& out) {
    const TreeShape& tree = shape_.tree;
    const PathPart base = {TreeShape::kBaseArity, tree.base_levels};
    if (tree.sub_arity == 0) {
      return read_merkle_proof(value, "Single", out,
                               [&](JsonValue content) { return read_single(content, base, out); });
    }
    const std::string_view variant = tree.top_arity == 0 ? "Sub" : "Top";
    return read_merkle_proof(value, variant, out,
                             [&](JsonValue content) { return read_compound(content, base, out); });
  }

  template <class Read>
  Status read_merkle_proof(JsonValue value, std::string_view variant, MerkleProof& out, Read read) {
    out.levels.clear();
    out.siblings.clear();
    const auto read_data = [&](JsonValue data) {
      return reader_.read_single_key(data, [&](std::string_view name, JsonValue content) {
        if (name != variant) {
          return reader_.error("the proof is of kind \"" + std::string(name.substr(0, 40)) +
                               "\", this tree needs \"" + std::string(variant) + "\"");
        }
        return read(content);
      });
    };
    return reader_.read_object(value, {{"data", read_data, false}});
  }

  Status read_single(JsonValue value, const PathPart& part, MerkleProof& out) {
    return reader_.read_object(value,
                               {{"root", [&](JsonValue v) { return reader_.read_fr(v, out.root); }},
                                {"leaf", [&](JsonValue v) { return reader_.read_fr(v, out.leaf); }},
                                {"path", [&](JsonValue v) { return read_path(v, part, out); }, false}});
  }

  // Sub and Top. Levels are kept from the leaf upwards whatever the order of the keys, so each part is read
  // by itself.
  Status read_compound(JsonValue value, const PathPart& base, MerkleProof& out) {
    const TreeShape& tree = shape_.tree;
    MerkleProof sub;
    MerkleProof top;
    const auto read_root = [&](JsonValue v) { return reader_.read_fr(v, out.root); };
    const auto read_leaf = [&](JsonValue v) { return reader_.read_fr(v, out.leaf); };
    const auto read_base = [&](JsonValue v) { return read_path(v, base, out); };
    const auto read_sub = [&](JsonValue v) { return read_path(v, {tree.sub_arity, 1}, sub); };
    const auto read_top = [&](JsonValue v) { return read_path(v, {tree.top_arity, 1}, top); };
    if (tree.top_arity == 0) {
      CUZK_TRY(reader_.read_object(
          value,
          {{"base_proof", read_base}, {"sub_proof", read_sub}, {"root", read_root}, {"leaf", read_leaf}}));
    } else {
      CUZK_TRY(reader_.read_object(value, {{"base_proof", read_base},
                                           {"sub_proof", read_sub},
                                           {"top_proof", read_top},
                                           {"root", read_root},
                                           {"leaf", read_leaf}}));
    }
    append(out, sub);
    append(out, top);
    return Status::ok();
  }

  static void append(MerkleProof& out, const MerkleProof& part) {
    for (std::size_t i = 0; i < part.levels.size(); ++i) {
      out.push_level(part.levels[i].arity, part.levels[i].index);
      const auto siblings = part.siblings_of(i);
      out.siblings.insert(out.siblings.end(), siblings.begin(), siblings.end());
    }
  }

  Status read_path(JsonValue value, const PathPart& part, MerkleProof& out) {
    out.siblings.reserve(part.num_levels * (part.arity - 1));
    const auto read_elements = [&](JsonValue v) {
      return reader_.read_array(v, part.num_levels, part.num_levels, [&](std::size_t i, JsonValue element) {
        const Scope scope(reader_.path(), i);
        return read_path_element(element, part.arity, out);
      });
    };
    return reader_.read_object(value, {{"path", read_elements}});
  }

  Status read_path_element(JsonValue value, std::uint32_t arity, MerkleProof& out) {
    std::uint32_t index = 0;
    out.push_level(arity, 0);
    const auto read_hashes = [&](JsonValue v) {
      return reader_.read_array(v, arity - 1, arity - 1, [&](std::size_t i, JsonValue element) {
        const Scope scope(reader_.path(), i);
        return reader_.read_fr(element, out.siblings.emplace_back());
      });
    };
    CUZK_TRY(reader_.read_object(
        value, {{"hashes", read_hashes},
                {"index", [&](JsonValue v) { return reader_.read_u32(v, arity - 1, index); }}}));
    out.levels.back().index = index;
    return Status::ok();
  }

  JsonReader& reader_;
  const SectorShape& shape_;
};

}  // namespace

Status read_porep_challenge_proof(JsonReader& reader, JsonValue value, const SectorShape& shape,
                                  PorepChallengeProof& out) {
  return ProofReader(reader, shape).read(value, out);
}

}  // namespace cuzk
