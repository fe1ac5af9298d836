// --backend: which backend proves.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

#include "groth16/backend.h"
#include "groth16/setup.h"

namespace cuzk {

void add_backend_option(CLI::App& command, std::string* backend);

// "cpu", "cuda" or "auto": the GPU if there is one that can be used, else the CPU with a line on stderr unless `quiet`.
// unavailable if "cuda" is asked for and this build or machine has none, with the reason.
Result<std::unique_ptr<Backend>> make_backend(const std::string& name, bool quiet);

// The first GPU. One of two files is built: cuda_backend_present.cc or cuda_backend_absent.cc, where every call is unavailable.
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
