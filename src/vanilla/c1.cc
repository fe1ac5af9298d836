// The wrapper is read first, since the sector size decides what the proofs must look like; then Phase1Out is
// decoded and its JSON read straight into the typed struct. The wrapper's copy is gone by then.
#include "vanilla/c1.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "vanilla/base64.h"
#include "vanilla/json_reader.h"
#include "vanilla/porep_proof_reader.h"

namespace cuzk {
namespace {

constexpr std::uint64_t kAnyU64 = ~std::uint64_t{0};

// Text followed by the bytes that simdjson may read beyond it.
struct PaddedText {
  std::vector<std::uint8_t> bytes;

  simdjson::padded_string_view view() const {
    return simdjson::padded_string_view(reinterpret_cast<const char*>(bytes.data()),
                                        bytes.size() - simdjson::SIMDJSON_PADDING, bytes.size());
  }
};

struct Wrapper {
  std::uint64_t sector_num = 0;
  std::uint64_t sector_size = 0;
  PaddedText phase1_out;
};

Status decode_phase1_out(JsonReader& reader, JsonValue value, PaddedText& out) {
  // The text between the quotes is base64 as it stands, unless a writer escaped its slashes.
  std::string_view text = value.raw_json_token();
  const std::size_t end = text.rfind('"');
  if (text.empty() || text.front() != '"' || end == 0) return reader.error("expected a string");
  text = text.substr(1, end - 1);
  if (text.find('\\') != std::string_view::npos) CUZK_TRY(reader.read_string(value, text));
  if (text.empty()) return reader.error("empty");
  auto decoded = decode_base64(text, simdjson::SIMDJSON_PADDING);
  if (!decoded.is_ok()) return reader.error(decoded.status().message());
  out.bytes = std::move(decoded).value();
  return Status::ok();
}

Result<Wrapper> parse_wrapper(const PaddedText& text) {
  Wrapper wrapper;
  JsonReader reader;
  CUZK_TRY(reader.read_document(
      text.view(),
      {{"SectorNum", [&](JsonValue v) { return reader.read_u64(v, kAnyU64, wrapper.sector_num); }},
       {"Phase1Out", [&](JsonValue v) { return decode_phase1_out(reader, v, wrapper.phase1_out); }},
       {"SectorSize", [&](JsonValue v) { return reader.read_u64(v, kAnyU64, wrapper.sector_size); }}}));
  return wrapper;
}

class C1Reader {
 public:
  explicit C1Reader(const SectorShape& shape) : shape_(shape) {}

  Result<C1> read(const PaddedText& text) {
    const auto read_vanilla_proofs = [&](JsonValue v) {
      return reader_.read_single_key(
          v, [&](std::string_view tag, JsonValue content) { return read_partitions(tag, content); });
    };
    CUZK_TRY(reader_.read_document(
        text.view(), {{"registered_proof", [&](JsonValue v) { return read_registered_proof(v); }},
                      {"vanilla_proofs", read_vanilla_proofs},
                      {"comm_r", [&](JsonValue v) { return read_commitment(v, c1_.comm_r); }},
                      {"comm_d", [&](JsonValue v) { return read_commitment(v, c1_.comm_d); }},
                      {"replica_id", [&](JsonValue v) { return reader_.read_fr(v, c1_.replica_id); }},
                      {"seed", [&](JsonValue v) { return read_seed(v); }},
                      {"ticket", [&](JsonValue v) { return reader_.read_bytes32(v, c1_.ticket); }}}));
    CUZK_TRY(check_partitions());
    return std::move(c1_);
  }

 private:
  Status read_registered_proof(JsonValue value) {
    std::string_view name;
    CUZK_TRY(reader_.read_string(value, name));
    const Result<SealProof> proof = seal_proof_from_name(name);
    if (!proof.is_ok()) return reader_.error(proof.status().message());
    if (proof.value().shape != &shape_) {
      return reader_.error("\"" + std::string(name) + "\" contradicts SectorSize " +
                           std::to_string(shape_.size_bytes));
    }
    c1_.registered_proof = proof.value();
    return Status::ok();
  }

  Status read_commitment(JsonValue value, Fr& out) {
    CUZK_TRY(reader_.read_fr(value, out));
    return out.is_zero() ? reader_.error("all zero") : Status::ok();
  }

  Status read_seed(JsonValue value) {
    CUZK_TRY(reader_.read_bytes32(value, c1_.seed));
    return c1_.seed == Bytes32{} ? reader_.error("all zero") : Status::ok();
  }

  Status read_partitions(std::string_view tag, JsonValue value) {
    const std::string wanted = std::string("StackedDrg") + shape_.name + "V1";
    if (tag != wanted) {
      return reader_.error("the tag \"" + std::string(tag.substr(0, 80)) + "\" contradicts SectorSize " +
                           std::to_string(shape_.size_bytes) + ", which needs \"" + wanted + "\"");
    }
    // Which of the two counts is due depends on registered_proof, which may follow.
    const unsigned most = std::max(shape_.porep_partitions, shape_.ni_partitions);
    return reader_.read_array(value, 1, most, [&](std::size_t k, JsonValue partition) {
      const FieldPath::Scope scope(reader_.path(), "partition", k);
      return read_partition(partition);
    });
  }

  Status read_partition(JsonValue value) {
    auto& proofs = c1_.partitions.emplace_back();
    proofs.reserve(shape_.challenges_per_partition);
    return reader_.read_array(value, shape_.challenges_per_partition, shape_.challenges_per_partition,
                              [&](std::size_t i, JsonValue challenge) {
                                const FieldPath::Scope scope(reader_.path(), "challenge", i);
                                return read_porep_challenge_proof(reader_, challenge, shape_,
                                                                  proofs.emplace_back());
                              });
  }

  Status check_partitions() const {
    const std::size_t wanted = c1_.registered_proof.partitions();
    if (c1_.partitions.size() == wanted) return Status::ok();
    return invalid_argument("vanilla_proofs: " + c1_.registered_proof.name() + " has " +
                            std::to_string(wanted) + " partitions, found " +
                            std::to_string(c1_.partitions.size()));
  }

  const SectorShape& shape_;
  JsonReader reader_;
  C1 c1_{};
};

// Takes the text so as to free it before the inner object is read.
Result<C1> parse_padded(PaddedText text) {
  CUZK_ASSIGN(Wrapper wrapper, parse_wrapper(text));
  text = {};
  const Result<const SectorShape*> shape = find_sector_shape(wrapper.sector_size);
  if (!shape.is_ok()) return shape.status().with_context("SectorSize");
  Result<C1> c1 = C1Reader(*shape.value()).read(wrapper.phase1_out);
  if (!c1.is_ok()) return c1.status().with_context("Phase1Out");
  c1.value().sector_num = wrapper.sector_num;
  return c1;
}

struct FileCloser {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

Result<PaddedText> read_padded(const std::string& path) {
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return unavailable(std::string("cannot be opened: ") + std::strerror(errno));
  constexpr std::size_t kPiece = std::size_t{1} << 22;
  PaddedText text;
  std::size_t length = 0;
  std::size_t got = 0;
  do {
    if (text.bytes.size() - length < kPiece)
      text.bytes.resize(std::max(2 * text.bytes.size(), length + kPiece));
    got = std::fread(text.bytes.data() + length, 1, kPiece, file.get());
    length += got;
    if (length > simdjson::SIMDJSON_MAXSIZE_BYTES) return invalid_argument("larger than 4 GiB");
  } while (got == kPiece);
  if (std::ferror(file.get()) != 0) return unavailable("cannot be read");
  text.bytes.resize(length);
  text.bytes.resize(length + simdjson::SIMDJSON_PADDING);  // zeros
  return text;
}

}  // namespace

Result<C1> parse_c1(std::span<const std::uint8_t> json) {
  PaddedText text;
  text.bytes.reserve(json.size() + simdjson::SIMDJSON_PADDING);
  text.bytes.assign(json.begin(), json.end());
  text.bytes.resize(json.size() + simdjson::SIMDJSON_PADDING);
  return parse_padded(std::move(text));
}

Result<C1> read_c1_file(const std::string& path) {
  Result<PaddedText> text = read_padded(path);
  if (!text.is_ok()) return text.status().with_context(path);
  Result<C1> c1 = parse_padded(std::move(text).value());
  if (!c1.is_ok()) return c1.status().with_context(path);
  return c1;
}

}  // namespace cuzk
