// `cuzk-bench get`: one value of a report, for scripts on machines that have no other reader of JSON.
#include <cstdio>
#include <fstream>

#include "bench_command.h"

namespace cuzk {
namespace {

Outcome run_get(const std::string& path, const std::string& pointer) {
  std::ifstream file(path);
  if (!file) return invalid_argument(path + ": cannot be read");
  try {
    const Report report = Report::parse(file);
    const Report& value = report.at(Report::json_pointer(pointer));
    std::printf("%s\n", value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    return Status::ok();
  } catch (const nlohmann::json::parse_error& error) {
    return invalid_argument(path + " " + pointer + ": " + error.what());
  } catch (const nlohmann::json::exception&) {
    return invalid_argument(path + ": there is nothing at " + pointer);
  }
}

}  // namespace

void add_get_command(CLI::App& app, const CommonOptions&, Run* run) {
  CLI::App* command = app.add_subcommand("get", "print one value of a JSON file");
  const auto path = std::make_shared<std::string>();
  const auto pointer = std::make_shared<std::string>();
  command->add_option("file", *path, "the file")->required()->type_name("FILE");
  command->add_option("pointer", *pointer, "where in it, by RFC 6901: /steady/proof/median_ms")
      ->required()
      ->type_name("POINTER");
  command->callback([=] { *run = [=] { return run_get(*path, *pointer); }; });
}

}  // namespace cuzk
