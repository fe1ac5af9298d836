#include "vanilla/small_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace cuzk {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

}  // namespace

Result<std::vector<std::uint8_t>> read_small_file(const std::string& path, std::size_t max_bytes) {
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return unavailable(path + ": cannot be opened: " + std::strerror(errno));
  std::vector<std::uint8_t> bytes(max_bytes + 1);
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  if (std::ferror(file.get()) != 0) return unavailable(path + ": cannot be read");
  return bytes;
}

}  // namespace cuzk
