#include "srs/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace cuzk {
namespace {

Status file_error(const std::filesystem::path& path, const char* operation, int error) {
  std::string message = path.string() + ": " + operation + ": " + std::strerror(error);
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return full ? resource_exhausted(std::move(message)) : unavailable(std::move(message));
}

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = path;
  name += "." + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".partial";
  return name;
}

// Makes the rename itself survive a power failure.
int sync_directory(const std::filesystem::path& file) noexcept {
  const std::filesystem::path parent = file.parent_path();
  const int fd = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return errno;
  const int error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  return error;
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
  std::filesystem::path temporary = temporary_name(path);
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return file_error(path, "create", errno);
  return AtomicFile(path, std::move(temporary), fd);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      fd_(std::exchange(other.fd_, -1)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(temporary_, other.temporary_);
  std::swap(fd_, other.fd_);
  return *this;
}

AtomicFile::~AtomicFile() {
  discard();
}

void AtomicFile::discard() noexcept {
  if (fd_ < 0) return;
  ::close(std::exchange(fd_, -1));
  ::unlink(temporary_.c_str());
}

Status AtomicFile::failure(const char* operation, int error) const {
  return file_error(path_, operation, error);
}

Status AtomicFile::reserve(std::uint64_t bytes) {
  if (bytes == 0 || ::fallocate(fd_, 0, 0, static_cast<off_t>(bytes)) == 0) return Status::ok();
  const int error = errno;
  if (error == EOPNOTSUPP || error == ENOSYS || error == EINTR) return Status::ok();
  return failure("reserve", error);
}

Status AtomicFile::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return failure("write", errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return Status::ok();
}

Status AtomicFile::commit() {
  if (::fsync(fd_) != 0) return failure("sync", errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return failure("rename", errno);
  const int error = ::close(std::exchange(fd_, -1)) == 0 ? sync_directory(path_) : errno;
  return error == 0 ? Status::ok() : failure("sync", error);
}

}  // namespace cuzk
