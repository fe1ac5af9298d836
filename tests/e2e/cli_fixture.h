// What the end-to-end tests of `cuzk` share: the program, test parameters made once per run of a test program, a
// scratch folder, and C1 files with one thing changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run_program.h"
#include "scratch_folder.h"

namespace cuzk {

// Runs `cuzk` with these arguments.
ProgramResult cuzk(const std::vector<std::string>& arguments);
// The same where no file can grow beyond `max_bytes`, rounded down to 512.
ProgramResult cuzk_on_full_disk(std::size_t max_bytes, const std::vector<std::string>& arguments);
// The same with Ctrl-C after so many seconds.
ProgramResult cuzk_interrupted(unsigned after_s, const std::vector<std::string>& arguments);
// The same with its streams as a shell redirects them: ">/dev/full", "2>&-".
ProgramResult cuzk_redirected(const std::string& redirections, const std::vector<std::string>& arguments);

// The path of a file of tests/data.
std::string data_file(const std::string& name);

// A C1 file with its inner object (docs/formats/c1.md) changed by `change`, written to `path`.
void write_changed_c1(const std::string& source, const std::string& path,
                      const std::function<void(nlohmann::json& inner)>& change);

// Test parameters of one circuit, made by `cuzk setup` when first asked for and removed when the program ends.
struct TestParameters {
  std::string directory;
  ProgramResult setup;
};
const TestParameters& test_parameters(const std::string& circuit, const std::string& sector_size);

// SHA-256 as hexadecimal text.
std::string sha256_of_file(const std::string& path);

}  // namespace cuzk
