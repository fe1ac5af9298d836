// What an error of CUDA at the start means to whoever runs the program. Pure functions; each message is one line.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "cuda/runtime/device_info.h"

namespace cuzk::cuda {

// Why there is no list of GPUs. `driver_version` as cudaDriverGetVersion gives it, 0 for none; `visible_devices` is the
// variable CUDA_VISIBLE_DEVICES, null if it is not set.
std::string no_devices_because(cudaError_t error, int driver_version, const char* visible_devices);

// Why a GPU that exists cannot be used. `built_for` lists the architectures in this binary: "90,100".
std::string unusable_because(cudaError_t error, const DeviceInfo& device, const std::string& built_for);

}  // namespace cuzk::cuda
