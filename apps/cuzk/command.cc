#include "command.h"

#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <new>

#include "base/thread_pool.h"
#include "nearest_name.h"
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

// The name that does not exist among the arguments, if that is what is wrong: "required" is said of a flag that was misspelled, too.
std::string unknown_argument(const CLI::App& app) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) return "";
  const std::string name = unknown.front().substr(0, unknown.front().find('='));
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  std::vector<std::string> known;
  if (!name.starts_with("-")) {
    if (!chosen.empty()) return "\"" + name + "\" is not expected by " + chosen.front()->get_name();
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
      known.push_back(command->get_name());
    return "there is no command " + name + "; the nearest is " + nearest_name(name, known);
  }
  const auto add_flags = [&](const CLI::App& owner) {
    for (const CLI::Option* option : owner.get_options())
      for (const std::string& flag : option->get_lnames()) known.push_back("--" + flag);
  };
  add_flags(app);
  if (!chosen.empty()) add_flags(*chosen.front());
  return "there is no flag " + name + (chosen.empty() ? "" : " of " + chosen.front()->get_name()) +
         "; the nearest is " + nearest_name(name, known);
}

int refuse_flags(const std::string& name, CLI::App& app, const CLI::ParseError& error) {
  const std::string unknown = unknown_argument(app);
  if (!unknown.empty()) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), unknown.c_str());
    return kExitBadInput;
  }
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  std::fprintf(stderr, "%s: %s; see %s%s --help\n", name.c_str(), error.what(), name.c_str(),
               chosen.empty() ? "" : (" " + chosen.front()->get_name()).c_str());
  return kExitBadInput;
}

int parse_and_run(const Program& program, int argc, char** argv) {
  CLI::App app(program.name + ": " + program.description);
  app.footer("Every command takes --json, --quiet and --threads as well.\n" + program.footer);
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
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return refuse_flags(program.name, app, error);
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
