#include "backend_option.h"

#include <cstdio>

#include "cpu/cpu_backend.h"
#include "cpu/setup.h"

namespace cuzk {

void add_backend_option(CLI::App& command, std::string* backend) {
  command.add_option("--backend", *backend, "cpu, cuda, or auto: a GPU if there is one")
      ->check(CLI::IsMember({"cpu", "cuda", "auto"}))
      ->capture_default_str();
}

void add_gpu_option(CLI::App& command, std::string* gpus, const std::string& unless_given) {
  command
      .add_option("--gpu", *gpus,
                  "with --backend cuda or auto: all, or indices and UUIDs of GPUs, as 0,1 (default: " +
                      unless_given + ")")
      ->type_name("GPUS")
      ->join(',')
      ->check([](const std::string& text) { return std::string(text.empty() ? "names no GPU" : ""); });
}

Result<Backends> make_backends(const std::string& name, const std::string& gpus, bool quiet,
                               std::size_t most) {
  if (name == "cpu" && !gpus.empty()) {
    return invalid_argument("--gpu " + gpus + " with --backend cpu: it needs --backend cuda or auto");
  }
  if (name != "cpu") {
    const bool are_named = !gpus.empty() && gpus != kAllGpus;
    Result<Backends> cuda = make_cuda_backends(gpus.empty() ? kAllGpus : gpus, most);
    if (cuda.is_ok() || name == "cuda" || are_named) return cuda;
    if (!quiet) std::fprintf(stderr, "cuzk: proving on the CPU: %s\n", cuda.status().message().c_str());
  }
  Backends backends;
  backends.push_back(std::make_unique<CpuBackend>());
  return backends;
}

Result<std::unique_ptr<Backend>> make_backend(const std::string& name, bool quiet) {
  CUZK_ASSIGN(Backends backends, make_backends(name, "", quiet, 1));
  return std::move(backends.front());
}

Result<std::unique_ptr<Backend>> make_cuda_backend() {
  CUZK_ASSIGN(Backends backends, make_cuda_backends(kAllGpus, 1));
  return std::move(backends.front());
}

Result<SetupBackend> make_setup(const std::string& name, bool quiet) {
  if (name != "cpu") {
    Result<SetupBackend> cuda = make_cuda_setup();
    if (cuda.is_ok() || name == "cuda") return cuda;
    if (!quiet) std::fprintf(stderr, "cuzk: setting up on the CPU: %s\n", cuda.status().message().c_str());
  }
  return SetupBackend{"cpu", setup};
}

}  // namespace cuzk
