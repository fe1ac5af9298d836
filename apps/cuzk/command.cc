#include "command.h"

#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <new>

#include "base/thread_pool.h"
#include "standard_streams.h"

namespace cuzk {
namespace {

std::string text_of(const Report& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned()) return grouped(value.get<std::uint64_t>());
  if (value.is_number_float()) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", value.get<double>());
    return buffer;
  }
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.dump();
}

void print_object(const Report& object, int indent) {
  std::size_t width = 0;
  for (const auto& [key, value] : object.items()) width = std::max(width, key.size());
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) {
      std::printf("%*s%s:\n", indent, "", key.c_str());
      print_object(value, indent + 2);
      continue;
    }
    std::printf("%*s%s:%*s %s\n", indent, "", key.c_str(), static_cast<int>(width - key.size()), "",
                text_of(value).c_str());
  }
}

int fail(const std::string& name, const Outcome& outcome, const CommonOptions& common) {
  if (common.json && !outcome.report_printed) {
    const Report report = {
        {"error",
         {{"class", status_code_name(outcome.status.code())}, {"message", outcome.status.message()}}}};
    print_report(report, common);
  }
  std::fprintf(stderr, "%s: %s\n", name.c_str(), outcome.status.message().c_str());
  return outcome.exit_code;
}

int parse_and_run(const Program& program, int argc, char** argv) {
  CLI::App app(program.name + ": " + program.description);
  app.footer(program.footer);
  app.require_subcommand(1);
  app.set_version_flag("--version", program.name + ' ' + program.version);
  CommonOptions common;
  app.add_flag("--json", common.json, "print the result as JSON");
  app.add_flag("-q,--quiet", common.quiet, "no progress on stderr");
  app.add_option("--threads", common.threads, "threads to use (default: every core this process may run on)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app.fallthrough();
  Run run;
  program.add_commands(app, common, &run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitSuccess : kExitBadInput;
  }
  ThreadPool::set_global_threads(common.threads);
  const Outcome outcome = run();
  return outcome.status.is_ok() ? kExitSuccess : fail(program.name, outcome, common);
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
  prepare_standard_streams();
  try {
    const int exit_code = parse_and_run(program, argc, argv);
    const Status printed = flush_standard_output();
    if (printed.is_ok()) return exit_code;
    std::fprintf(stderr, "%s: %s\n", program.name.c_str(), printed.message().c_str());
    return exit_code == kExitSuccess ? kExitFailure : exit_code;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: out of memory\n", program.name.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: internal error: %s\n", program.name.c_str(), error.what());
  }
  return kExitFailure;
}

void add_params_dir_option(CLI::App& command, std::string* params_dir) {
  command
      .add_option("--params-dir", *params_dir,
                  "folder of the parameter files (default: $FIL_PROOFS_PARAMETER_CACHE, or "
                  "/var/tmp/filecoin-proof-parameters)")
      ->type_name("DIR");
}

void print_report(const Report& report, const CommonOptions& common) {
  if (common.json) {
    std::printf("%s\n", report.dump(2).c_str());
  } else {
    print_object(report, 0);
  }
  std::fflush(stdout);
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace cuzk
