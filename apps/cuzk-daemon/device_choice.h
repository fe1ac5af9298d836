// backend.devices: from names of devices to backends, and one line for each GPU of the machine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "groth16/backend.h"

namespace cuzk {

struct DeviceChoice {
  std::vector<std::unique_ptr<Backend>> backends;  // at least one
  std::vector<std::string> report;  // one line a GPU: name, compute capability, used or why not
  std::string warning;              // why a device of the wish is not used; empty if there is nothing to say
};

// `devices` as config_table.cc checks it. "auto": every GPU that can be used, else the processor with a warning. "cuda": every GPU that can
// be used, at least one. Else exactly the devices named; "cpu" may stand among GPUs. unavailable for a GPU that does not exist or
// cannot be used, and for a build without CUDA; invalid_argument for a name that is none or not of one GPU only.
Result<DeviceChoice> choose_devices(const std::vector<std::string>& devices);

// Whether the names can be those of devices of this machine; touches no GPU, so one that exists and cannot be used is not found out. Errors
// as above.
Status check_devices(const std::vector<std::string>& devices);

// The GPUs of the selection "all" or "0,GPU-xxxx", and the report of all that there are. In a build without CUDA: unavailable.
// One of two files is built: gpu_devices_present.cc or gpu_devices_absent.cc.
Status choose_gpus(const std::string& selection, DeviceChoice& choice);
Status check_gpus(const std::string& selection);

}  // namespace cuzk
