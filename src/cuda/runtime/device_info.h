// The GPUs of this machine and whether cuzk can use them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"

namespace cuzk::cuda {

struct DeviceInfo {
  int index = 0;  // in CUDA's order, after CUDA_VISIBLE_DEVICES
  std::string name;
  std::string uuid;  // "GPU-xxxxxxxx-xxxx-...", as nvidia-smi prints it
  int compute_major = 0;
  int compute_minor = 0;
  int num_sms = 0;
  std::size_t memory_bytes = 0;
  std::size_t free_bytes = 0;
  std::string unusable_because;  // empty if the GPU can be used

  bool usable() const noexcept { return unusable_because.empty(); }
};

// All visible GPUs, usable or not. unavailable when there is no driver, the driver is too old for this binary, or no
// GPU is visible; the message is one line and says which.
Result<std::vector<DeviceInfo>> list_devices();

}  // namespace cuzk::cuda
