#include "cuda/runtime/device_info.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

#include "cuda/runtime/device_errors.h"
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
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess) (void)cudaGetLastError();
  return unavailable(no_devices_because(error, driver, std::getenv("CUDA_VISIBLE_DEVICES")));
}

DeviceInfo query(int index) {
  DeviceInfo info;
  info.index = index;
  cudaDeviceProp properties;
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, index); error != cudaSuccess) {
    (void)cudaGetLastError();
    info.unusable_because = unusable_because(error, info, CUZK_CUDA_BUILT_FOR);
    return info;
  }
  info.name = properties.name;
  info.uuid = uuid_string(properties.uuid);
  info.compute_major = properties.major;
  info.compute_minor = properties.minor;
  info.num_sms = properties.multiProcessorCount;
  info.memory_bytes = properties.totalGlobalMem;
  return info;
}

}  // namespace

Result<std::vector<DeviceInfo>> visible_devices() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) return no_device(error == cudaSuccess ? cudaErrorNoDevice : error);
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < count; ++i) devices.push_back(query(i));
  return devices;
}

void probe_device(DeviceInfo& device) {
  std::size_t total = 0;
  cudaError_t error = cudaSetDevice(device.index);
  if (error == cudaSuccess) error = cudaMemGetInfo(&device.free_bytes, &total);
  if (error == cudaSuccess) error = probe_kernels();
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();
  device.unusable_because = unusable_because(error, device, CUZK_CUDA_BUILT_FOR);
}

Result<std::vector<DeviceInfo>> list_devices() {
  CUZK_ASSIGN(std::vector<DeviceInfo> devices, visible_devices());
  for (DeviceInfo& device : devices) {
    if (device.usable()) probe_device(device);
  }
  return devices;
}

}  // namespace cuzk::cuda
