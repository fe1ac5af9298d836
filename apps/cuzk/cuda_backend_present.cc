#include "backend_option.h"
#include "cuda/cuda_backend.h"

namespace cuzk {

Result<std::unique_ptr<Backend>> make_cuda_backend() {
  CUZK_ASSIGN(std::unique_ptr<cuda::CudaBackend> backend, cuda::CudaBackend::create());
  return std::unique_ptr<Backend>(std::move(backend));
}

}  // namespace cuzk
