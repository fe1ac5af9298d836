// --backend and --gpu: which backend proves, and on which GPUs.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "groth16/backend.h"
#include "groth16/setup.h"

namespace cuzk {

inline constexpr const char* kAllGpus = "all";
inline constexpr std::size_t kEveryGpu = ~std::size_t{0};

void add_backend_option(CLI::App& command, std::string* backend);
// Indices and UUIDs of GPUs, or "all" (cuda/runtime/device_selection.h), separated by commas; the flag may be repeated. `unless_given`: for the
// help, what is used without it.
void add_gpu_option(CLI::App& command, std::string* gpus, const std::string& unless_given);

using Backends = std::vector<std::unique_ptr<Backend>>;

// `name` is "cpu", "cuda" or "auto"; `gpus` is what add_gpu_option read, empty if nothing was given: all, but no more than the first `most`
// that can be used. One backend for each of the GPUs, else the CPU's with a line on stderr unless `quiet`.
//   unavailable       "cuda" is asked for, or GPUs by name, and this build or machine has them not, with the reason
//   invalid_argument  an ill-formed selection, one of more than `most`, or one for the backend "cpu"
Result<Backends> make_backends(const std::string& name, const std::string& gpus, bool quiet,
                               std::size_t most = kEveryGpu);
// The first of all.
Result<std::unique_ptr<Backend>> make_backend(const std::string& name, bool quiet);

// One of two files is built: cuda_backend_present.cc or cuda_backend_absent.cc, where every call is unavailable.
Result<Backends> make_cuda_backends(const std::string& gpus, std::size_t most);
// The first GPU that can be used.
Result<std::unique_ptr<Backend>> make_cuda_backend();

// A test setup by one backend: cpu/setup.h and its twins.
struct SetupBackend {
  std::string name;  // "cpu" or "cuda"
  std::function<Status(const R1cs&, const ToxicWaste&, SrsSink&, ProgressObserver*)> setup;
};
// As make_backend, for `cuzk setup`.
Result<SetupBackend> make_setup(const std::string& name, bool quiet);
// By the first GPU that can be used; from the same two files as make_cuda_backend.
Result<SetupBackend> make_cuda_setup();

}  // namespace cuzk
