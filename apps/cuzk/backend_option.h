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

void add_backend_option(CLI::App& command, std::string* backend);
// Indices and UUIDs of GPUs, or "all" (cuda/runtime/device_selection.h).
void add_gpu_option(CLI::App& command, std::string* gpus);

using Backends = std::vector<std::unique_ptr<Backend>>;

// `name` is "cpu", "cuda" or "auto": one backend for each of the GPUs, at most `most`, else the CPU's with a line on stderr
// unless `quiet`.
//   unavailable       "cuda" is asked for, or GPUs by name, and this build or machine has them not, with the reason
//   invalid_argument  an ill-formed selection, or one for the backend "cpu"
Result<Backends> make_backends(const std::string& name, const std::string& gpus, bool quiet,
                               std::size_t most = ~std::size_t{0});
// The first of them; `gpus` names no more than one.
Result<std::unique_ptr<Backend>> make_backend(const std::string& name, bool quiet,
                                              const std::string& gpus = kAllGpus);

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
