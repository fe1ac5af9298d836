// FileLock: one process at a time for whatever a lock file stands for. The kernel drops the lock when the process ends, however
// it ends, so nothing needs cleaning up after a kill.
#pragma once

#include <filesystem>
#include <utility>

#include "base/status.h"

namespace cuzk {

class FileLock {
 public:
  // Creates the file (mode 0600) if need be and writes this process's id into it. unavailable if another holder has it (naming
  // its pid, also if that is this process) or the file cannot be opened. The file stays when the lock is released.
  static Result<FileLock> acquire(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) noexcept : fd_(fd) {}

  int fd_;  // -1: moved from
};

}  // namespace cuzk
