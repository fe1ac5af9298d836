// What the sub-commands of `cuzk` and `cuzk-bench` share: options, reports, and how a failure becomes a line and an exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "exit_code.h"

namespace cuzk {

// The facts that a command found out, in the order of printing. Values are numbers, strings, booleans, arrays or objects.
using Report = nlohmann::ordered_json;

struct CommonOptions {
  bool json = false;
  bool quiet = false;
  std::size_t threads = 0;  // 0: all usable cores
  std::string params_dir;   // empty: the default of srs/parameter_paths.h
};

// The outcome of a command: its exit code, and the failure to report if it is one. A verdict ("the proof is invalid") is a
// failure with an exit code of its own.
struct Outcome {
  Outcome(Status failure) : status(std::move(failure)), exit_code(exit_code_of(status.code())) {}
  Outcome(Status failure, int code) : status(std::move(failure)), exit_code(code) {}

  Status status;
  int exit_code;
  bool report_printed = false;  // stdout has the whole story already; with --json no error object follows
};

// Adds the sub-command to `app`. When it was chosen on the command line, *run is set to what carries it out.
using Run = std::function<Outcome()>;
void add_prove_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_verify_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_setup_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_inspect_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_r1cs_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_validate_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_gen_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_circuits_command(CLI::App& app, const CommonOptions& common, Run* run);
void add_check_params_command(CLI::App& app, const CommonOptions& common, Run* run);

// A program of sub-commands from its arguments to its exit code: adds the flags of CommonOptions, lets `add_commands` add the sub-commands,
// parses, runs the chosen one and reports its failure, as one line on stderr that begins with `name`, with --json also as an object on
// stdout. No exception leaves it.
struct Program {
  std::string name;
  std::string description;
  std::string version;  // behind the name, for --version
  std::string footer;   // of --help
  std::function<void(CLI::App& app, const CommonOptions& common, Run* run)> add_commands;
};
int run_program(const Program& program, int argc, char** argv);

// Adds --params-dir in the one form that all commands use.
void add_params_dir_option(CLI::App& command, std::string* params_dir);

// Prints to stdout: JSON with --json, else "key: value" lines, nested objects indented. Does nothing else.
void print_report(const Report& report, const CommonOptions& common);

// The highest resident set of this process so far, in bytes.
std::uint64_t peak_memory_bytes();
// "1,114,707,768 bytes" style digit grouping, for text for people.
std::string grouped(std::uint64_t value);

}  // namespace cuzk
