#include "cuda/cuda_backend.h"
#include "cuda/runtime/device_selection.h"
#include "device_choice.h"

namespace cuzk {
namespace {

std::string describe(const cuda::DeviceInfo& device) {
  return device.label() + ", " + device.uuid + ", compute capability " +
         std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor) + ", " +
         std::to_string(device.memory_bytes >> 20) + " MiB";
}

// What became of one visible GPU. Those that the selection does not name are not touched, so nothing is known of them.
std::string report_line(const cuda::DeviceInfo& device, const std::vector<cuda::DeviceInfo>& probed) {
  for (const cuda::DeviceInfo& tried : probed) {
    if (tried.index != device.index) continue;
    if (tried.usable())
      return describe(tried) + ", " + std::to_string(tried.free_bytes >> 20) + " MiB free: usable";
    return describe(tried) + ": not usable: " + tried.unusable_because;
  }
  return describe(device) + ": not selected";
}

}  // namespace

Status check_gpus(const std::string& selection) {
  CUZK_ASSIGN(const std::vector<cuda::DeviceInfo> visible, cuda::visible_devices());
  return cuda::select_devices(selection, visible, [](cuda::DeviceInfo&) {}).status();
}

Status choose_gpus(const std::string& selection, DeviceChoice& choice) {
  CUZK_ASSIGN(const std::vector<cuda::DeviceInfo> visible, cuda::visible_devices());
  std::vector<cuda::DeviceInfo> probed;
  const auto probe = [&](cuda::DeviceInfo& device) {
    cuda::probe_device(device);
    probed.push_back(device);
  };
  const auto selected = cuda::select_devices(selection, visible, probe);
  for (const cuda::DeviceInfo& device : visible) choice.report.push_back(report_line(device, probed));
  if (!selected.is_ok()) return selected.status();
  for (const cuda::DeviceInfo& device : selected.value()) {
    CUZK_ASSIGN(std::unique_ptr<cuda::CudaBackend> backend, cuda::CudaBackend::create(device));
    choice.backends.push_back(std::move(backend));
  }
  return Status::ok();
}

}  // namespace cuzk
