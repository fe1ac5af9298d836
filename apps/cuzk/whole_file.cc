#include "whole_file.h"

#include <csignal>
#include <cstring>
#include <fstream>

#include "srs/atomic_file.h"

namespace cuzk {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t g_delayed_signal = 0;

extern "C" void delay_signal(int signal) {
  g_delayed_signal = signal;
}

// While it exists SIGINT and SIGTERM wait: an end of the process would leave the file's temporary name behind.
class InterruptsDelayed {
 public:
  InterruptsDelayed() {
    g_delayed_signal = 0;
    struct sigaction action {};
    action.sa_handler = delay_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, &old_interrupt_);
    ::sigaction(SIGTERM, &action, &old_terminate_);
  }
  ~InterruptsDelayed() {
    ::sigaction(SIGINT, &old_interrupt_, nullptr);
    ::sigaction(SIGTERM, &old_terminate_, nullptr);
    if (g_delayed_signal != 0) std::raise(g_delayed_signal);
  }
  InterruptsDelayed(const InterruptsDelayed&) = delete;
  InterruptsDelayed& operator=(const InterruptsDelayed&) = delete;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

bool is_stream(fs::file_type type) {
  return type == fs::file_type::character || type == fs::file_type::block || type == fs::file_type::fifo ||
         type == fs::file_type::socket;
}

// Where the file is made; nothing if `path` is something to be written to as it is. A link under /dev or /proc is the way to an open
// file, which must stay. Of a path that cannot be looked at, making the file says why.
Result<std::optional<fs::path>> file_behind(const fs::path& path) {
  std::error_code error;
  const bool is_link = fs::symlink_status(path, error).type() == fs::file_type::symlink;
  const fs::file_type type = fs::status(path, error).type();
  if (type == fs::file_type::directory) return invalid_argument(path.string() + ": is a folder");
  if (is_stream(type)) return std::optional<fs::path>();
  if (!is_link) return std::optional(path);
  const std::string whole = fs::absolute(path, error).lexically_normal().string();
  if (whole.starts_with("/dev/") || whole.starts_with("/proc/")) return std::optional<fs::path>();
  const fs::path target = fs::weakly_canonical(path, error);
  return std::optional(error ? path : target);
}

Status write_through(const fs::path& path, std::span<const std::uint8_t> bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  return file.good() ? Status::ok() : unavailable(path.string() + ": write: " + std::strerror(errno));
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::size_t most_bytes) {
  const auto refused = [&](const std::string& why) {
    return invalid_argument(path.string() + ": cannot be read: " + why);
  };
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return refused("a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return refused(std::strerror(errno));
  std::string text, chunk(1 << 16, '\0');
  do {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk, 0, static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes) return refused("more than " + std::to_string(most_bytes) + " bytes");
  } while (file.good());
  if (file.bad()) return refused(std::strerror(errno));
  return text;
}

Status check_writable(const std::string& path) {
  CUZK_ASSIGN(const std::optional<fs::path> file, file_behind(path));
  if (!file.has_value()) return Status::ok();
  const InterruptsDelayed delayed;
  return AtomicFile::create(*file).status();
}

Status write_file(const std::string& path, std::span<const std::uint8_t> bytes) {
  CUZK_ASSIGN(const std::optional<fs::path> place, file_behind(path));
  if (!place.has_value()) return write_through(path, bytes);
  const InterruptsDelayed delayed;
  CUZK_ASSIGN(AtomicFile file, AtomicFile::create(*place));
  CUZK_TRY(file.write(bytes));
  return file.commit();
}

Status write_file(const std::string& path, std::string_view text) {
  return write_file(path, bytes_of(text));
}

}  // namespace cuzk
