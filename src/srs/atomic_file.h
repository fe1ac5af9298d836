// AtomicFile: a file that appears under its name complete and synced, or not at all.
//
// It is written under a temporary name in the same folder and renamed by commit(). Without commit(), or when that
// fails, the temporary file is removed; only a kill can leave one behind (NAME.<pid>-<n>.partial), and no reader
// takes it for a parameter file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "base/status.h"

namespace cuzk {

// Errors of all methods name the path: resource_exhausted when the disk or quota is full or the file too large,
// unavailable for anything else.
class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::filesystem::path& path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  // Claims disk space for `bytes` in all, so that a full disk shows before the work is done. Does nothing on file
  // systems that cannot; the final length must then be exactly `bytes`.
  Status reserve(std::uint64_t bytes);
  // Appends. Many megabytes at once are written by all threads.
  Status write(std::span<const std::uint8_t> bytes);
  // Syncs, closes and renames; an existing file of the name is replaced.
  Status commit();

 private:
  AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int fd) noexcept
      : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd) {}
  // Returns errno's value, or 0.
  int write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes) const noexcept;
  Status failure(const char* operation, int error) const;
  void discard() noexcept;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int fd_;  // -1: nothing is open
  std::uint64_t length_ = 0;
};

}  // namespace cuzk
