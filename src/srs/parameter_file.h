// ParameterFile: a .params file, mapped and checked; and the .vk file (docs/formats/params.md).
//
// open() reads the verifying key and the five counts, so it takes milliseconds whatever the size. The points of the
// queries are checked by the backend that loads them (range, flags, curve equation, not infinity; as everywhere, not
// the subgroup: the files come from a ceremony and are known by their digests).
#pragma once

#include <filesystem>
#include <optional>

#include "base/status.h"
#include "groth16/srs_view.h"
#include "groth16/verifying_key.h"
#include "srs/mapped_file.h"

namespace cuzk {

// All failures below are unavailable and name the path.

class ParameterFile {
 public:
  // Refused: what MappedFile refuses; a verifying key that VerifyingKey::decode refuses; a file shorter or longer than
  // its counts say (offset, found and wanted); counts that no circuit has (h not 2^k - 1, b_g1 and b_g2 different);
  // and, if `expected` is given, counts or a length other than those (naming the query).
  static Result<ParameterFile> open(const std::filesystem::path& path,
                                    const std::optional<SrsCounts>& expected = std::nullopt);

  const VerifyingKey& vk() const noexcept { return vk_; }
  const SrsCounts& counts() const noexcept { return counts_; }
  std::uint64_t size_bytes() const noexcept { return file_.bytes().size(); }
  // The whole file, for a digest.
  std::span<const std::uint8_t> bytes() const noexcept { return file_.bytes(); }
  // Valid while this object lives and stays where it is. Releasing a query drops its pages from memory.
  SrsView view() const;

 private:
  explicit ParameterFile(MappedFile file) : file_(std::move(file)) {}
  Status parse(const std::optional<SrsCounts>& expected);
  Status parse_queries(std::size_t offset, const std::optional<SrsCounts>& expected);

  MappedFile file_;
  VerifyingKey vk_;
  SrsCounts counts_;
  std::array<std::span<const std::uint8_t>, kQueries.size()> queries_;
};

// Reads a .vk file, which must be exactly one key.
Result<VerifyingKey> read_verifying_key(const std::filesystem::path& path);

}  // namespace cuzk
