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
  // Appends, by the calling thread: the kernel lets one thread at a time write to a file, so that more are no faster (ext4,
  // 2 GB from two threads took 1 to 11 s, from one 0.7 to 1.4 s).
  Status write(std::span<const std::uint8_t> bytes);
  // Syncs, closes and renames; an existing file of the name is replaced.
  Status commit();

 private:
  AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int fd) noexcept
      : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd) {}
  Status failure(const char* operation, int error) const;
  void discard() noexcept;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int fd_;  // -1: nothing is open
};

}  // namespace cuzk
