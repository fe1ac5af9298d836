#include "device_choice.h"

namespace cuzk {

namespace {

Status no_cuda() {
  return unavailable("this build has no CUDA backend (configure with -DCUZK_CUDA=ON, or the preset cuda)");
}

}  // namespace

Status choose_gpus(const std::string&, DeviceChoice&) {
  return no_cuda();
}

Status check_gpus(const std::string&) {
  return no_cuda();
}

}  // namespace cuzk
