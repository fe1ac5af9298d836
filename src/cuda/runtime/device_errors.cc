#include "cuda/runtime/device_errors.h"

namespace cuzk::cuda {
namespace {

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

// "90,100" -> "9.0, 10.0".
std::string capabilities(const std::string& built_for) {
  std::string out;
  for (std::size_t begin = 0; begin < built_for.size();) {
    std::size_t end = built_for.find(',', begin);
    if (end == std::string::npos) end = built_for.size();
    const std::string one = built_for.substr(begin, end - begin);
    begin = end + 1;
    if (one.size() < 2) continue;
    std::size_t digits = 0;  // "90a": the letter stays behind the minor number
    while (digits < one.size() && one[digits] >= '0' && one[digits] <= '9') ++digits;
    if (digits < 2) continue;
    out += (out.empty() ? "" : ", ") + one.substr(0, digits - 1) + "." + one.substr(digits - 1);
  }
  return out;
}

std::string error_text(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
}

}  // namespace

std::string no_devices_because(cudaError_t error, int driver_version, const char* visible_devices) {
  if (error == cudaErrorInsufficientDriver) {
    if (driver_version == 0) return "no GPU: no NVIDIA driver is installed";
    return "no GPU: the NVIDIA driver supports CUDA " + version(driver_version) + ", this program needs " +
           version(CUDART_VERSION);
  }
  // Not only with cudaErrorNoDevice: a UUID that no GPU has is cudaErrorInvalidDevice with some drivers.
  if (visible_devices != nullptr) {
    const std::string value = std::string("CUDA_VISIBLE_DEVICES is \"") + visible_devices + "\"";
    if (error == cudaErrorNoDevice) return "no GPU is visible: " + value;
    return "no GPU: " + error_text(error) + "; " + value;
  }
  if (error == cudaErrorNoDevice) return "no GPU: the driver finds none";
  return "no GPU: " + error_text(error);
}

std::string unusable_because(cudaError_t error, const DeviceInfo& device, const std::string& built_for) {
  const std::string capability = "compute capability " + std::to_string(device.compute_major) + "." +
                                 std::to_string(device.compute_minor);
  switch (error) {
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidPtx:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilationDisabled:
    case cudaErrorJitCompilerNotFound:
      return "this build has no code for its " + capability + ", only for " + capabilities(built_for) + " (" +
             cudaGetErrorName(error) + "); configure with -DCUZK_CUDA_ARCHITECTURES=" +
             std::to_string(device.compute_major * 10 + device.compute_minor);
    case cudaErrorDevicesUnavailable:
      return "another process has it for itself, or its compute mode is prohibited (" +
             std::string(cudaGetErrorName(error)) + ")";
    case cudaErrorMemoryAllocation:
      return "it has not even memory for a context (" + std::string(cudaGetErrorName(error)) + ")";
    default:
      return error_text(error);
  }
}

}  // namespace cuzk::cuda
