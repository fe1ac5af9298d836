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
  std::size_t free_bytes = 0;    // when it was probed
  std::string unusable_because;  // empty if nothing is known against the GPU

  bool usable() const noexcept { return unusable_because.empty(); }
  // "GPU 0 (NVIDIA H200)", for messages.
  std::string label() const {
    return "GPU " + std::to_string(index) + (name.empty() ? "" : " (" + name + ")");
  }
};

// All visible GPUs, without touching them: a context would take half a gigabyte of a card that may be another's. So whether
// one can be used is not known yet. unavailable when there is no driver, the driver is too old for this binary, or no GPU is
// visible; the message is one line and says which.
Result<std::vector<DeviceInfo>> visible_devices();

// Starts a context on the device, makes it current for the calling thread, and looks whether it can run this binary's
// kernels: sets free_bytes or unusable_because.
void probe_device(DeviceInfo& device);

// visible_devices(), all probed.
Result<std::vector<DeviceInfo>> list_devices();

}  // namespace cuzk::cuda
