// The inner object is written into a buffer; each time the buffer is full, its base64 goes to the sink.
// Buffers hold a multiple of three bytes, so that the pieces of base64 join without padding.
#include "gen/c1_writer.h"

#include <array>
#include <span>

namespace cuzk {
namespace {

// The text of an array of 32 numbers is made of these: "0," to "255,".
struct ByteText {
  std::array<char, 4> text;
  std::uint8_t length;
};

constexpr std::array<ByteText, 256> make_byte_texts() {
  std::array<ByteText, 256> texts{};
  for (unsigned value = 0; value < 256; ++value) {
    ByteText& out = texts[value];
    if (value >= 100) out.text[out.length++] = static_cast<char>('0' + value / 100);
    if (value >= 10) out.text[out.length++] = static_cast<char>('0' + value / 10 % 10);
    out.text[out.length++] = static_cast<char>('0' + value % 10);
    out.text[out.length++] = ',';
  }
  return texts;
}

constexpr std::array<ByteText, 256> kByteTexts = make_byte_texts();

// The base64 of what is written, in pieces.
class Base64Writer {
 public:
  explicit Base64Writer(const TextSink& sink) : sink_(sink) { buffer_.reserve(kCapacity + 256); }

  void text(std::string_view text) {
    buffer_ += text;
    flush_full();
  }
  void number(std::uint64_t value) { text(std::to_string(value)); }
  void bytes(const Bytes32& bytes) {
    buffer_ += '[';
    for (const std::uint8_t byte : bytes) {
      const ByteText& piece = kByteTexts[byte];
      buffer_.append(piece.text.data(), piece.length);
    }
    buffer_.back() = ']';
    flush_full();
  }
  void fr(const Fr& value) { bytes(value.to_bytes_le()); }

  // Writes the rest and its padding; the first failure of the sink.
  Status finish() {
    if (!buffer_.empty()) flush(buffer_.size());
    return status_;
  }

 private:
  static constexpr std::size_t kCapacity = std::size_t{3} << 14;

  void flush_full() {
    while (buffer_.size() >= kCapacity) flush(kCapacity);
  }

  void flush(std::size_t length) {
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    encoded_.clear();
    for (std::size_t i = 0; i < length; i += 3) {
      std::uint32_t group = 0;
      for (std::size_t j = 0; j < 3; ++j)
        group = (group << 8) | (i + j < length ? static_cast<std::uint8_t>(buffer_[i + j]) : 0u);
      for (int shift = 18; shift >= 0; shift -= 6) encoded_ += kAlphabet[(group >> shift) & 63];
    }
    if (const std::size_t rest = length % 3; rest != 0)
      encoded_.replace(encoded_.size() - (3 - rest), 3 - rest, 3 - rest, '=');
    buffer_.erase(0, length);
    if (status_.is_ok()) status_ = sink_(encoded_);
  }

  const TextSink& sink_;
  std::string buffer_;
  std::string encoded_;
  Status status_;
};

class C1Writer {
 public:
  C1Writer(const SectorShape& shape, const TextSink& sink) : shape_(shape), out_(sink) {}

  Status write(const C1& c1) {
    out_.text(R"({"registered_proof":")" + c1.registered_proof.name() + R"(","vanilla_proofs":{")" +
              c1.registered_proof.shape_name() + R"(":[)");
    write_list(c1.partitions, [&](const auto& partition) {
      out_.text("[");
      write_list(partition, [&](const PorepChallengeProof& proof) { write_challenge(proof); });
      out_.text("]");
    });
    out_.text(R"(]},"comm_r":)");
    out_.fr(c1.comm_r);
    out_.text(R"(,"comm_d":)");
    out_.fr(c1.comm_d);
    out_.text(R"(,"replica_id":)");
    out_.fr(c1.replica_id);
    out_.text(R"(,"seed":)");
    out_.bytes(c1.seed);
    out_.text(R"(,"ticket":)");
    out_.bytes(c1.ticket);
    out_.text("}");
    return out_.finish();
  }

 private:
  template <class Range, class Write>
  void write_list(const Range& range, Write write) {
    bool first = true;
    for (const auto& element : range) {
      if (!first) out_.text(",");
      first = false;
      write(element);
    }
  }

  void write_challenge(const PorepChallengeProof& proof) {
    const auto columns = [&](const auto& range) {
      write_list(range, [&](const ColumnProof& column) { write_column(column); });
    };
    out_.text(R"({"comm_d_proofs":)");
    write_merkle_proof(proof.comm_d_proof, {0, 0, 0});
    out_.text(R"(,"comm_r_last_proof":)");
    write_merkle_proof(proof.comm_r_last_proof, shape_.tree);
    out_.text(R"(,"replica_column_proofs":{"c_x":)");
    write_column(proof.c_x);
    out_.text(R"(,"drg_parents":[)");
    columns(proof.drg_parents);
    out_.text(R"(],"exp_parents":[)");
    columns(proof.exp_parents);
    out_.text(R"(]},"labeling_proofs":[)");
    write_list(proof.labeling_proofs, [&](const LabelingProof& labeling) { write_labeling(labeling); });
    out_.text(R"(],"encoding_proof":)");
    write_labeling(proof.encoding_proof);
    out_.text("}");
  }

  void write_column(const ColumnProof& column) {
    out_.text(R"({"column":{"index":)");
    out_.number(column.index);
    out_.text(R"(,"rows":[)");
    write_list(column.rows, [&](const Fr& row) { out_.fr(row); });
    out_.text(R"(],"_h":null},"inclusion_proof":)");
    write_merkle_proof(column.inclusion_proof, shape_.tree);
    out_.text("}");
  }

  void write_labeling(const LabelingProof& labeling) {
    out_.text(R"({"parents":[)");
    write_list(labeling.parents, [&](const Bytes32& parent) { out_.bytes(parent); });
    out_.text(R"(],"layer_index":)");
    out_.number(labeling.layer_index);
    out_.text(R"(,"node":)");
    out_.number(labeling.node);
    out_.text("}");
  }

  // The tree's sub and top arity choose the variant; TreeD has neither.
  void write_merkle_proof(const MerkleProof& proof, const TreeShape& tree) {
    const auto ends = [&] {
      out_.text(R"("root":)");
      out_.fr(proof.root);
      out_.text(R"(,"leaf":)");
      out_.fr(proof.leaf);
    };
    if (tree.sub_arity == 0) {
      out_.text(R"({"data":{"Single":{)");
      ends();
      out_.text(R"(,"path":)");
      write_path(proof, 0, proof.levels.size());
    } else {
      out_.text(tree.top_arity == 0 ? R"({"data":{"Sub":{"base_proof":)"
                                    : R"({"data":{"Top":{"base_proof":)");
      write_path(proof, 0, tree.base_levels);
      out_.text(R"(,"sub_proof":)");
      write_path(proof, tree.base_levels, 1);
      if (tree.top_arity != 0) {
        out_.text(R"(,"top_proof":)");
        write_path(proof, tree.base_levels + 1, 1);
      }
      out_.text(",");
      ends();
    }
    out_.text("}}}");
  }

  void write_path(const MerkleProof& proof, std::size_t first, std::size_t count) {
    out_.text(R"({"path":[)");
    for (std::size_t level = first; level < first + count; ++level) {
      out_.text(level == first ? R"({"hashes":[)" : R"(,{"hashes":[)");
      write_list(proof.siblings_of(level), [&](const Fr& sibling) { out_.fr(sibling); });
      out_.text(R"(],"index":)");
      out_.number(proof.levels[level].index);
      out_.text("}");
    }
    out_.text("]}");
  }

  const SectorShape& shape_;
  Base64Writer out_;
};

}  // namespace

Status write_c1_json(const C1& c1, const TextSink& sink) {
  CUZK_TRY(sink(R"({"SectorNum":)" + std::to_string(c1.sector_num) + R"(,"Phase1Out":")"));
  CUZK_TRY(C1Writer(*c1.registered_proof.shape, sink).write(c1));
  return sink(R"(","SectorSize":)" + std::to_string(c1.sector_size()) + "}");
}

std::string c1_json(const C1& c1) {
  std::string json;
  const Status status = write_c1_json(c1, [&](std::string_view piece) {
    json += piece;
    return Status::ok();
  });
  CUZK_CHECK(status.is_ok(), "this sink cannot fail");
  return json;
}

}  // namespace cuzk
