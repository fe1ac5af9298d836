// Amounts of memory in messages.
#pragma once

#include <cstdint>
#include <string>

namespace cuzk::cuda {

// "76.52 GB", "96.00 MB", "512 bytes": powers of ten, as elsewhere in the project's figures.
std::string readable_bytes(std::uint64_t bytes);

// "needs 76.52 GB, 10.11 GB free of 150.75 GB on GPU 0 (NVIDIA H200)".
std::string shortage_text(std::uint64_t needed, std::uint64_t free, std::uint64_t total,
                          const std::string& gpu);

}  // namespace cuzk::cuda
