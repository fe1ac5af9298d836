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

Result<std::unique_ptr<Backend>> make_backend(const std::string& name, bool quiet) {
  if (name != "cpu") {
    Result<std::unique_ptr<Backend>> cuda = make_cuda_backend();
    if (cuda.is_ok() || name == "cuda") return cuda;
    if (!quiet) std::fprintf(stderr, "cuzk: proving on the CPU: %s\n", cuda.status().message().c_str());
  }
  return std::unique_ptr<Backend>(std::make_unique<CpuBackend>());
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
