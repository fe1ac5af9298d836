// flock() rather than fcntl(): its lock belongs to the open file, so a second holder in the same process is refused too, and
// closing an unrelated descriptor of the file does not drop it.
#include "engine/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace cuzk {
namespace {

// The pid that the holder wrote, or a word where it has not written one yet.
std::string holder_of(int fd) {
  char text[32] = {};
  const ssize_t length = ::pread(fd, text, sizeof text - 1, 0);
  const std::string pid(text, std::strcspn(text, "\n"));
  return length > 0 && !pid.empty() ? "the process with pid " + pid : "another process";
}

}  // namespace

Result<FileLock> FileLock::acquire(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return unavailable(path.string() + ": open: " + std::strerror(errno));
  FileLock lock(fd);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    if (error == EWOULDBLOCK) return unavailable(path.string() + ": held by " + holder_of(fd));
    return unavailable(path.string() + ": flock: " + std::strerror(error));
  }
  // The pid is for people; a full disk must not stop a program that could still read.
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd, 0) == 0) (void)!::pwrite(fd, pid.data(), pid.size(), 0);
  return lock;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace cuzk
