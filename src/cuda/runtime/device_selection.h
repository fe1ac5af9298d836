// Which GPUs to use, as a user says it.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cuda/runtime/device_info.h"

namespace cuzk::cuda {

// `selection` is "all": every GPU that can be used, at least one; or a list separated by commas of indices (as in
// visible_devices(), so after CUDA_VISIBLE_DEVICES) and UUIDs ("GPU-xxxxxxxx-..." or a beginning of it that fits one GPU only,
// in either case), in the order wanted. Every GPU of a list must be usable.
//   invalid_argument  an empty or ill-formed list, a GPU named twice, a beginning that fits several
//   unavailable       a GPU that does not exist or cannot be used, with what there is or why
// `probe` is asked about each GPU that the selection names, and no other; it sets unusable_because.
Result<std::vector<DeviceInfo>> select_devices(std::string_view selection,
                                               std::span<const DeviceInfo> devices,
                                               const std::function<void(DeviceInfo&)>& probe);

// Of this machine's GPUs, with probe_device(). unavailable as from visible_devices(), too.
Result<std::vector<DeviceInfo>> select_devices(std::string_view selection);

}  // namespace cuzk::cuda
