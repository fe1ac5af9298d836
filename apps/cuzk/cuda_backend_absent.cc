#include "backend_option.h"

namespace cuzk {

namespace {

Status no_cuda() {
  return unavailable("this build has no CUDA backend (configure with -DCUZK_CUDA=ON, or the preset cuda)");
}

}  // namespace

Result<Backends> make_cuda_backends(const std::string&, std::size_t) {
  return no_cuda();
}

Result<SetupBackend> make_cuda_setup() {
  return no_cuda();
}

}  // namespace cuzk
