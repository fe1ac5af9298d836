// Which GPUs to use, as a user says it.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cuda/runtime/device_info.h"

namespace cuzk::cuda {

inline constexpr std::size_t kAnyNumber = ~std::size_t{0};

// `selection` is "all": every GPU that can be used, or the first `most` of them, at least one; or a list separated by commas
// of indices (as in visible_devices(), so after CUDA_VISIBLE_DEVICES) and UUIDs ("GPU-xxxxxxxx-..." or a beginning of it that
// fits one GPU only, in either case), in the order wanted, at most `most`, each of which must be usable. `probe` is asked
// about the GPUs that the selection names, and no other; it sets unusable_because.
//   invalid_argument  an empty or ill-formed list, a GPU named twice, a beginning that fits several, too many GPUs
//   unavailable       a GPU that does not exist or cannot be used, with what there is or why
Result<std::vector<DeviceInfo>> select_devices(std::string_view selection,
                                               std::span<const DeviceInfo> devices,
                                               const std::function<void(DeviceInfo&)>& probe,
                                               std::size_t most = kAnyNumber);

// Of this machine's GPUs, with probe_device(). unavailable as from visible_devices(), too.
Result<std::vector<DeviceInfo>> select_devices(std::string_view selection, std::size_t most = kAnyNumber);

}  // namespace cuzk::cuda
