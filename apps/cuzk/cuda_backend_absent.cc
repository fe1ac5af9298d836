#include "backend_option.h"

namespace cuzk {

Result<std::unique_ptr<Backend>> make_cuda_backend() {
  return unavailable("this build has no CUDA backend (configure with -DCUZK_CUDA=ON, or the preset cuda)");
}

}  // namespace cuzk
