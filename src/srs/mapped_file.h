// MappedFile: a regular file mapped read-only.
//
// The content must not shrink while it is mapped (access past the end would end the process). Files of this project
// are replaced by rename, which leaves an existing mapping intact.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "base/status.h"

namespace cuzk {

class MappedFile {
 public:
  // unavailable, naming the path and the reason, for a missing or unreadable file, a directory or another special
  // file. An empty file is mapped as no bytes.
  static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::uint8_t> bytes() const noexcept { return {data_, size_}; }
  // Takes the whole pages of a part of bytes() out of this process's memory; a later access reads them again.
  void drop_pages(std::span<const std::uint8_t> part) const noexcept;

 private:
  MappedFile(const std::uint8_t* data, std::size_t size) noexcept : data_(data), size_(size) {}

  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace cuzk
