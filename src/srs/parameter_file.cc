#include "srs/parameter_file.h"

#include <bit>
#include <string>

#include "base/bytes.h"

namespace cuzk {
namespace {

Status found_and_wanted(std::uint64_t found, const char* relation, std::uint64_t wanted) {
  return unavailable(std::to_string(found) + " bytes found, " + relation + std::to_string(wanted) +
                     " wanted");
}

// The key at the head of `bytes`; `bytes` may go on after it.
Result<VerifyingKey> decode_head(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < VerifyingKey::kHeadBytes)
    return found_and_wanted(bytes.size(), "at least ", VerifyingKey::kHeadBytes);
  const std::size_t size = VerifyingKey::encoded_bytes(bytes);
  if (bytes.size() < size) return found_and_wanted(bytes.size(), "at least ", size);
  return VerifyingKey::decode(bytes.first(size));
}

Status with_path(const Status& status, const std::filesystem::path& path) {
  return unavailable(path.string() + ": " + status.message());
}

Status check_plausible(const SrsCounts& counts) {
  if (!std::has_single_bit(counts[Query::h] + 1))
    return unavailable("h has " + std::to_string(counts[Query::h]) +
                       " points, a power of two less one is wanted");
  if (counts[Query::b_g1] != counts[Query::b_g2]) {
    return unavailable("b_g1 has " + std::to_string(counts[Query::b_g1]) + " points, b_g2 " +
                       std::to_string(counts[Query::b_g2]) + "; equal numbers are wanted");
  }
  return Status::ok();
}

}  // namespace

Result<ParameterFile> ParameterFile::open(const std::filesystem::path& path,
                                          const std::optional<SrsCounts>& expected) {
  CUZK_ASSIGN(MappedFile mapped, MappedFile::open(path));
  ParameterFile file(std::move(mapped));
  const Status status = file.parse(expected);
  if (!status.is_ok()) return with_path(status, path);
  return file;
}

Status ParameterFile::parse(const std::optional<SrsCounts>& expected) {
  CUZK_ASSIGN(vk_, decode_head(bytes()));
  counts_.ic = vk_.ic.size();
  CUZK_TRY(parse_queries(vk_.encoded_bytes(), expected));
  if (expected) CUZK_TRY(counts_.check_equal(*expected));
  return check_plausible(counts_);
}

Status ParameterFile::parse_queries(std::size_t offset, const std::optional<SrsCounts>& expected) {
  const std::size_t size = bytes().size();
  const std::string wanted_in_all =
      expected ? " (the circuit needs a file of " + std::to_string(expected->file_bytes()) + " bytes)" : "";
  for (const Query query : kQueries) {
    const auto needs = [&](std::uint64_t end, const std::string& what) {
      if (size >= end) return Status::ok();
      return found_and_wanted(size, "at least ", end)
          .with_context(what + " of query " + query_name(query) + " at offset " + std::to_string(offset));
    };
    const auto at_end = [&](const Status& status) {
      return status.is_ok() ? status : unavailable(status.message() + wanted_in_all);
    };
    CUZK_TRY(at_end(needs(offset + 4, "the count")));
    const std::size_t count = load_be<std::uint32_t>(bytes().data() + offset);
    offset += 4;
    const std::size_t length = count * query_point_bytes(query);
    CUZK_TRY(at_end(needs(offset + length, "the " + std::to_string(count) + " points")));
    counts_[query] = count;
    queries_[static_cast<std::size_t>(query)] = bytes().subspan(offset, length);
    offset += length;
  }
  if (offset != size) {
    return unavailable(found_and_wanted(size, "", offset).message() +
                       ": the file goes on after its last query");
  }
  return Status::ok();
}

SrsView ParameterFile::view() const {
  return {vk_, queries_,
          [this](Query query) { file_.drop_pages(queries_[static_cast<std::size_t>(query)]); }};
}

Result<VerifyingKey> read_verifying_key(const std::filesystem::path& path) {
  CUZK_ASSIGN(const MappedFile file, MappedFile::open(path));
  Result<VerifyingKey> vk = VerifyingKey::decode(file.bytes());
  if (!vk.is_ok()) return with_path(vk.status(), path);
  return vk;
}

}  // namespace cuzk
