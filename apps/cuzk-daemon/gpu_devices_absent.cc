#include "device_choice.h"

namespace cuzk {

Status choose_gpus(const std::string&, DeviceChoice&) {
  return unavailable("this build has no CUDA backend (configure with -DCUZK_CUDA=ON, or the preset cuda)");
}

}  // namespace cuzk
