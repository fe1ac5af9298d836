#include "device_choice.h"

#include <algorithm>

#include "cpu/cpu_backend.h"

namespace cuzk {
namespace {

void add_processor(DeviceChoice& choice) {
  choice.backends.push_back(std::make_unique<CpuBackend>());
}

bool contains(const std::vector<std::string>& devices, const char* name) {
  return std::ranges::find(devices, name) != devices.end();
}

// The names that are neither "cpu" nor "cuda", as select_devices() takes them.
std::string gpu_list(const std::vector<std::string>& devices) {
  if (contains(devices, "cuda")) return "all";
  std::string list;
  for (const std::string& device : devices)
    if (device != "cpu") list += (list.empty() ? "" : ",") + device;
  return list;
}

}  // namespace

Status check_devices(const std::vector<std::string>& devices) {
  const std::string gpus = contains(devices, "auto") ? "" : gpu_list(devices);
  return gpus.empty() ? Status::ok() : check_gpus(gpus);
}

Result<DeviceChoice> choose_devices(const std::vector<std::string>& devices) {
  DeviceChoice choice;
  if (contains(devices, "auto")) {
    const Status gpus = choose_gpus("all", choice);
    if (!gpus.is_ok()) choice.warning = "proving on the processor: " + gpus.message();
    if (choice.backends.empty()) add_processor(choice);
    return choice;
  }
  const std::string gpus = gpu_list(devices);
  if (!gpus.empty()) CUZK_TRY(choose_gpus(gpus, choice));
  if (contains(devices, "cpu")) add_processor(choice);
  return choice;
}

}  // namespace cuzk
