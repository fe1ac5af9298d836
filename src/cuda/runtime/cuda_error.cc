#include "cuda/runtime/cuda_error.h"

namespace cuzk::cuda {

bool CudaError::is_sticky(cudaError_t code) noexcept {
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorExternalDevice:
    case cudaErrorContextIsDestroyed:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

CudaOutOfMemory::CudaOutOfMemory(const std::string& what, std::size_t bytes_asked, std::size_t bytes_free)
    : CudaError(cudaErrorMemoryAllocation, what + ": " + std::to_string(bytes_asked) + " bytes asked, " +
                                               std::to_string(bytes_free) + " free"),
      bytes_asked_(bytes_asked),
      bytes_free_(bytes_free) {}

PinnedOutOfMemory::PinnedOutOfMemory(const std::string& what, std::size_t bytes_asked)
    : CudaError(cudaErrorMemoryAllocation, what + ": " + std::to_string(bytes_asked) + " bytes asked") {}

void throw_on_error(cudaError_t code, const char* call, const char* file, int line, std::size_t bytes) {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();
  const std::string place = std::string(call) + " at " + file + ":" + std::to_string(line);
  if (code == cudaErrorMemoryAllocation) {
    std::size_t free_bytes = 0;
    std::size_t total = 0;
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess) (void)cudaGetLastError();
    throw CudaOutOfMemory(place, bytes, free_bytes);
  }
  throw CudaError(code, place + ": " + cudaGetErrorName(code) + ": " + cudaGetErrorString(code));
}

}  // namespace cuzk::cuda
