// Writers of .params and .vk files. Both make a file that appears complete or not at all (atomic_file.h).
#pragma once

#include <filesystem>

#include "groth16/setup.h"
#include "srs/atomic_file.h"

namespace cuzk {

// The sink of a setup that writes a .params file as it streams. The space is claimed at begin(). A call out of order, a part
// of a point, or more or fewer points than announced, is internal.
class ParameterWriter final : public SrsSink {
 public:
  // Errors as AtomicFile::create.
  static Result<ParameterWriter> create(const std::filesystem::path& path);

  Status begin(const VerifyingKey& vk, const SrsCounts& counts) override;
  Status append(Query query, std::span<const std::uint8_t> encoded) override;
  // The file has its name on success.
  Status finish() override;

 private:
  explicit ParameterWriter(AtomicFile file) : file_(std::move(file)) {}
  // Completes the queries before number `index` (announcing those in between) and announces it.
  Status advance_to(std::size_t index);

  AtomicFile file_;
  SrsCounts counts_;
  std::size_t next_query_ = 0;   // number of queries announced
  std::size_t points_left_ = 0;  // of the last announced one
};

// Replaces the file at once or not at all.
Status write_verifying_key(const std::filesystem::path& path, const VerifyingKey& vk);

}  // namespace cuzk
