#include "micro_bench.h"

namespace cuzk {
namespace {

constexpr const char* kNoCuda =
    "this build has no CUDA backend (configure with -DCUZK_CUDA=ON, or the preset cuda)";

}  // namespace

Result<std::unique_ptr<MicroBench>> make_cuda_micro_bench() {
  return unavailable(kNoCuda);
}

std::optional<std::uint64_t> gpu_free_bytes() {
  return std::nullopt;
}

Report gpu_facts() {
  return {{"gpu", std::string("none: ") + kNoCuda}};
}

}  // namespace cuzk
