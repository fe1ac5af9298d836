#include "backend_option.h"

namespace cuzk {

namespace {

Status no_cuda() {
  return unavailable("this build has no CUDA backend (configure with -DCUZK_CUDA=ON, or the preset cuda)");
}

}  // namespace

Result<std::unique_ptr<Backend>> make_cuda_backend() {
  return no_cuda();
}

Result<SetupBackend> make_cuda_setup() {
  return no_cuda();
}

}  // namespace cuzk
