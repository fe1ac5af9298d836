#include <algorithm>

#include "backend_option.h"
#include "cuda/cuda_backend.h"
#include "cuda/runtime/device_selection.h"
#include "cuda/setup/cuda_setup.h"

namespace cuzk {

Result<Backends> make_cuda_backends(const std::string& gpus, std::size_t most) {
  CUZK_ASSIGN(const std::vector<cuda::DeviceInfo> devices, cuda::select_devices(gpus, most));
  Backends backends;
  for (const cuda::DeviceInfo& device : devices) {
    CUZK_ASSIGN(std::unique_ptr<cuda::CudaBackend> backend, cuda::CudaBackend::create(device));
    backends.push_back(std::move(backend));
  }
  return backends;
}

Result<SetupBackend> make_cuda_setup() {
  CUZK_ASSIGN(const std::vector<cuda::DeviceInfo> devices, cuda::list_devices());
  const auto device = std::ranges::find_if(devices, &cuda::DeviceInfo::usable);
  if (device == devices.end()) {
    return unavailable("GPU " + std::to_string(devices.front().index) + " (" + devices.front().name +
                       "): " + devices.front().unusable_because);
  }
  return SetupBackend{"cuda", [device = *device](const R1cs& r1cs, const ToxicWaste& toxic, SrsSink& sink,
                                                 ProgressObserver* progress) {
                        return cuda::setup(r1cs, toxic, sink, progress, device);
                      }};
}

}  // namespace cuzk
