// How a failure of the CUDA runtime travels inside src/cuda: as an exception. CudaBackend's methods turn it into a
// Status; none leaves this folder.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace cuzk::cuda {

// A failed call, named with its place. A sticky error (illegal address, launch failure) leaves the context unusable.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& message) : std::runtime_error(message), code_(code) {}
  cudaError_t code() const noexcept { return code_; }
  bool is_sticky() const noexcept { return is_sticky(code_); }
  static bool is_sticky(cudaError_t code) noexcept;

 private:
  cudaError_t code_;
};

// Memory of the current device, or an arena on it, is too small. `bytes_asked` is 0 when the call does not say.
class CudaOutOfMemory : public CudaError {
 public:
  CudaOutOfMemory(const std::string& what, std::size_t bytes_asked, std::size_t bytes_free);
  std::size_t bytes_asked() const noexcept { return bytes_asked_; }
  std::size_t bytes_free() const noexcept { return bytes_free_; }

 private:
  std::size_t bytes_asked_;
  std::size_t bytes_free_;
};

// The host has no pinned memory of this size.
class PinnedOutOfMemory : public CudaError {
 public:
  PinnedOutOfMemory(const std::string& what, std::size_t bytes_asked);
};

// Throws unless `code` is success, and clears the runtime's last error. `bytes` is what an allocation asked for.
void throw_on_error(cudaError_t code, const char* call, const char* file, int line, std::size_t bytes = 0);

}  // namespace cuzk::cuda

#define CUZK_CUDA_TRY(call) ::cuzk::cuda::throw_on_error((call), #call, __FILE__, __LINE__)
// After a kernel launch.
#define CUZK_CUDA_LAUNCHED() CUZK_CUDA_TRY(cudaGetLastError())
