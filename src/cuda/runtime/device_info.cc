#include "cuda/runtime/device_info.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

#include "cuda/runtime/probe.h"

namespace cuzk::cuda {
namespace {

std::string uuid_string(const cudaUUID_t& uuid) {
  std::string out = "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
    out += hex;
  }
  return out;
}

Status no_device(cudaError_t error) {
  (void)cudaGetLastError();
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
      visible != nullptr && error == cudaErrorNoDevice) {
    return unavailable(std::string("no GPU is visible: CUDA_VISIBLE_DEVICES is \"") + visible + "\"");
  }
  if (error == cudaErrorInsufficientDriver) {
    int driver = 0;
    (void)cudaDriverGetVersion(&driver);
    if (driver == 0) return unavailable("no NVIDIA driver is installed");
    return unavailable("the NVIDIA driver supports CUDA " + std::to_string(driver / 1000) + "." +
                       std::to_string(driver % 1000 / 10) + ", this program needs " +
                       std::to_string(CUDART_VERSION / 1000) + "." +
                       std::to_string(CUDART_VERSION % 1000 / 10));
  }
  return unavailable(std::string("no GPU: ") + cudaGetErrorString(error));
}

DeviceInfo query(int index) {
  DeviceInfo info;
  info.index = index;
  cudaDeviceProp properties;
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, index); error != cudaSuccess) {
    (void)cudaGetLastError();
    info.unusable_because = cudaGetErrorString(error);
    return info;
  }
  info.name = properties.name;
  info.uuid = uuid_string(properties.uuid);
  info.compute_major = properties.major;
  info.compute_minor = properties.minor;
  info.num_sms = properties.multiProcessorCount;
  info.memory_bytes = properties.totalGlobalMem;
  std::size_t total = 0;
  cudaError_t error = cudaSetDevice(index);
  if (error == cudaSuccess) error = cudaMemGetInfo(&info.free_bytes, &total);
  if (error == cudaSuccess) error = probe_kernels();
  if (error != cudaSuccess) {
    (void)cudaGetLastError();
    info.unusable_because = cudaGetErrorString(error);
  }
  return info;
}

}  // namespace

Result<std::vector<DeviceInfo>> list_devices() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) return no_device(error == cudaSuccess ? cudaErrorNoDevice : error);
  int current = 0;
  (void)cudaGetDevice(&current);
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < count; ++i) devices.push_back(query(i));
  (void)cudaSetDevice(current);
  return devices;
}

}  // namespace cuzk::cuda
