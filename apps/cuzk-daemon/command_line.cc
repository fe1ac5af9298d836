#include "command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <vector>

#include "base/cpu_features.h"
#include "daemon_exit_code.h"
#include "nearest_name.h"
#include "version.h"

namespace cuzk {
namespace {

constexpr const char* kFooter =
    "Each setting is also a key of the file ([section] key = value) and a variable CUZK_SECTION_KEY.\n"
    "A flag goes before the environment, that before the file. Sizes: 100GiB; times: 90s, 7d; lists: a,b or "
    "the flag twice.\n"
    "Signals: SIGTERM or SIGINT stops after the proofs in progress, a second one at once; SIGHUP reopens the "
    "log file.\n"
    "Exit codes: 0 stopped as asked; 1 a fault of the program or machine; 2 wrong flags or settings; 3 no "
    "folder of parameters;\n"
    "4 an address or the journal cannot be used, for example because another daemon has it; 5 no usable "
    "device;\n"
    "130 stopped at once by a second signal.";

const char* type_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::text:
      return "TEXT";
    case ValueKind::path:
      return "PATH";
    case ValueKind::boolean:
      return "true|false";
    case ValueKind::integer:
      return "N";
    case ValueKind::size:
      return "SIZE";
    case ValueKind::duration:
      return "TIME";
    case ValueKind::list:
      return "LIST";
  }
  return "";
}

void add_setting(CLI::App& app, const ConfigKey& key, ConfigValue& texts) {
  CLI::Option* option = app.add_option(key.flag(), texts, std::string(key.help));
  option->type_name(type_name(key.kind))->group(std::string(key.section()));
  option->expected(1)->multi_option_policy(
      CLI::MultiOptionPolicy::TakeAll);  // one value each time it is given
  std::string shown;
  for (const std::string& item : key.find_default != nullptr ? key.find_default().value : key.default_value)
    shown += (shown.empty() ? "" : ",") + item;
  if (!shown.empty()) option->default_str(shown);
}

int refuse_unknown(const std::string& argument) {
  if (!argument.starts_with("-")) {
    std::fprintf(stderr, "cuzk-daemon: \"%s\": only flags are expected\n", argument.c_str());
    return kExitBadInput;
  }
  std::vector<std::string> flags = {"--config", "--check-config", "--help", "--version"};
  for (const ConfigKey& key : all_config_keys()) flags.push_back(key.flag());
  const std::string name = argument.substr(0, argument.find('='));
  std::fprintf(stderr, "cuzk-daemon: there is no flag %s; the nearest is %s\n", name.c_str(),
               nearest_name(name, flags).c_str());
  return kExitBadInput;
}

}  // namespace

std::optional<int> parse_command_line(int argc, char** argv, CommandLine& command_line) {
  CLI::App app("cuzk-daemon: makes Groth16 proofs for Filecoin sectors, as a service over gRPC",
               "cuzk-daemon");
  app.footer(kFooter);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return std::string("cuzk-daemon: ") + error.what() + "; see cuzk-daemon --help\n";
  });
  app.set_version_flag("--version",
                       std::string("cuzk-daemon ") + kVersion + " (" + describe_cpu_features() + ")");
  app.add_option("--config", command_line.config_file, "the file of settings")
      ->type_name("FILE")
      ->envname("CUZK_CONFIG");
  app.add_flag("--check-config", command_line.check_config,
               "print what is in force and where each value came from, and end");
  std::map<std::string, ConfigValue> texts;
  for (const ConfigKey& key : all_config_keys()) add_setting(app, key, texts[std::string(key.name)]);
  app.allow_extras();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitSuccess : kExitBadInput;
  }
  if (!app.remaining().empty()) return refuse_unknown(app.remaining().front());
  for (const ConfigKey& key : all_config_keys()) {
    const std::string name(key.name);
    if (app.count(key.flag()) > 0) command_line.flags[name] = texts[name];
  }
  return std::nullopt;
}

}  // namespace cuzk
