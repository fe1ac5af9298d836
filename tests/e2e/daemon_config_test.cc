// The settings of cuzk-daemon: one table behind file, flags, environment and help; which of them wins; and that whatever is wrong is said
// with its place.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "config_file.h"
#include "config_text.h"
#include "load_config.h"
#include "scratch_folder.h"

namespace cuzk {
namespace {

constexpr std::uint64_t kUnlimited = UINT64_MAX;

Result<LoadedConfig> load_text(const std::string& toml, const std::map<std::string, ConfigValue>& flags = {},
                               const std::vector<std::string>& environment = {}) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("cuzk.toml");
  write_text(path, toml);
  return load_config(path, flags, environment);
}

// The message of a refused file, with the scratch folder cut off: "cuzk.toml:3:1: ...".
std::string complaint_about(const std::string& toml) {
  const auto loaded = load_text(toml);
  if (loaded.is_ok()) return "";
  EXPECT_EQ(loaded.status().code(), StatusCode::invalid_argument);
  return std::regex_replace(loaded.status().message(), std::regex("/[^:\n]*/cuzk.toml"), "cuzk.toml");
}

TEST(DaemonConfigs, DefaultsAreValid) {
  const auto loaded = load_config("", {}, {});
  ASSERT_TRUE(loaded.is_ok()) << loaded.status().message();
  const DaemonConfig& config = loaded.value().config;
  EXPECT_EQ(config.listen, std::vector<std::string>{"127.0.0.1:9820"});
  EXPECT_EQ(config.http_listen, "127.0.0.1:9821");
  EXPECT_EQ(config.max_message_bytes, 256u << 20);
  EXPECT_EQ(config.max_jobs, 256u);
  EXPECT_EQ(config.max_circuits, 30u);
  EXPECT_EQ(config.keep_results, std::chrono::hours(168));
  EXPECT_TRUE(config.warm_up);
  EXPECT_EQ(loaded.value().source, "defaults");
}

TEST(DaemonConfigs, NamesOfKeysFlagsAndVariablesAreUnique) {
  std::set<std::string> names, flags, variables;
  std::set<const void*> fields;
  DaemonConfig config;
  for (const ConfigKey& key : all_config_keys()) {
    EXPECT_TRUE(names.emplace(key.name).second) << key.name;
    EXPECT_TRUE(flags.insert(key.flag()).second) << key.flag();
    EXPECT_TRUE(variables.insert(key.environment()).second) << key.environment();
    EXPECT_FALSE(key.help.empty()) << key.name;
    const void* field =
        std::visit([](auto* pointer) { return static_cast<const void*>(pointer); }, key.field(config));
    EXPECT_TRUE(fields.insert(field).second) << key.name << " sets the field of another key";
  }
  EXPECT_EQ(find_config_key("engine.max_jobs")->flag(), "--engine-max-jobs");
  EXPECT_EQ(find_config_key("engine.max_jobs")->environment(), "CUZK_ENGINE_MAX_JOBS");
  EXPECT_EQ(find_config_key("engine.none"), nullptr);
}

TEST(DaemonConfigs, FlagBeforeEnvironmentBeforeFileBeforeDefault) {
  const std::string file = "[engine]\nmax_jobs = 10\n";
  const std::vector<std::string> environment = {"CUZK_ENGINE_MAX_JOBS=20", "HOME=/root"};
  const std::map<std::string, ConfigValue> flags = {{"engine.max_jobs", {"30"}}};
  const auto jobs = [](const Result<LoadedConfig>& loaded) { return loaded.value().config.max_jobs; };
  const auto origin = [](const Result<LoadedConfig>& loaded) {
    return loaded.value().values.at("engine.max_jobs").origin;
  };
  EXPECT_EQ(jobs(load_text("")), 256u);
  EXPECT_EQ(origin(load_text("")), "default");
  EXPECT_EQ(jobs(load_text(file)), 10u);
  EXPECT_TRUE(origin(load_text(file)).ends_with("cuzk.toml:2:12")) << origin(load_text(file));
  EXPECT_EQ(jobs(load_text(file, {}, environment)), 20u);
  EXPECT_EQ(origin(load_text(file, {}, environment)), "environment CUZK_ENGINE_MAX_JOBS");
  EXPECT_EQ(jobs(load_text(file, flags, environment)), 30u);
  EXPECT_EQ(origin(load_text(file, flags, environment)), "flag --engine-max-jobs");
}

TEST(DaemonConfigs, ListsComeFromCommasAndRepeatedFlags) {
  const auto loaded =
      load_text("", {{"server.listen", {"a:1,b:2", "unix:/c"}}}, {"CUZK_PARAMS_PRELOAD=porep-2k,winning-2k"});
  ASSERT_TRUE(loaded.is_ok()) << loaded.status().message();
  EXPECT_EQ(loaded.value().config.listen, (std::vector<std::string>{"a:1", "b:2", "unix:/c"}));
  EXPECT_EQ(loaded.value().config.preload, (std::vector<std::string>{"porep-2k", "winning-2k"}));
  const auto emptied = load_text("[params]\npreload = [\"porep-2k\"]\n", {}, {"CUZK_PARAMS_PRELOAD="});
  EXPECT_TRUE(emptied.value().config.preload.empty());
  EXPECT_FALSE(load_text("", {{"engine.max_jobs", {"1", "2"}}}).is_ok()) << "not a list, given twice";
}

TEST(DaemonConfigs, ParametersFolderOfOtherProversCounts) {
  ::setenv("FIL_PROOFS_PARAMETER_CACHE", "/elsewhere", 1);
  const auto loaded = load_config("", {}, {});
  EXPECT_EQ(loaded.value().config.params_dir, "/elsewhere");
  EXPECT_EQ(loaded.value().values.at("params.dir").origin, "environment FIL_PROOFS_PARAMETER_CACHE");
  ::unsetenv("FIL_PROOFS_PARAMETER_CACHE");
  EXPECT_EQ(load_config("", {}, {}).value().config.params_dir, "/var/tmp/filecoin-proof-parameters");
}

TEST(DaemonConfigs, UnknownKeysNameTheNearest) {
  EXPECT_EQ(complaint_about("[engine]\nmax_job = 10\n"),
            "cuzk.toml:2:1: there is no key engine.max_job; the nearest is engine.max_jobs");
  EXPECT_EQ(complaint_about("[sever]\nlisten = [\"a:1\"]\n"),
            "cuzk.toml:1:2: there is no section [sever]; the nearest is [server]");
  EXPECT_NE(complaint_about("max_jobs = 3\n").find("cuzk.toml:1:1: there is no key max_jobs"),
            std::string::npos);
  EXPECT_NE(complaint_about("[engine.sub]\nx = 1\n").find("there is no key engine.sub"), std::string::npos);
  const auto variable = load_config("", {}, {"CUZK_ENGINE_MAX_JOB=3"});
  ASSERT_FALSE(variable.is_ok());
  EXPECT_EQ(variable.status().message(),
            "environment CUZK_ENGINE_MAX_JOB: there is no such setting; the nearest is CUZK_ENGINE_MAX_JOBS");
  EXPECT_TRUE(load_config("", {}, {"CUZK_CPU=portable", "CUZK_CONFIG=x", "CUZK_SKIP_DEPS=1"}).is_ok())
      << "variables of other things";
}

TEST(DaemonConfigs, AllMistakesAreSaidAtOnce) {
  const std::string complaint =
      complaint_about("[engine]\nmax_jobs = 0\nage_step = \"1y\"\n[log]\nlevel = \"loud\"\n");
  EXPECT_EQ(complaint,
            "cuzk.toml:2:12: engine.max_jobs: 0 is less than 1\n"
            "cuzk.toml:3:12: engine.age_step: \"1y\": \"y\" is no unit of time; wanted ms, s, m, h or d\n"
            "cuzk.toml:5:9: log.level: \"loud\" is none of trace, debug, info, warning, error");
}

TEST(DaemonConfigs, TomlErrorsHaveLineAndColumn) {
  for (const char* text : {"[engine\nmax_jobs = 1\n", "[engine]\nmax_jobs = \n",
                           "[engine]\nmax_jobs = 1\nmax_jobs = 2\n", "[log]\nlevel = \"info\n", "\xff\xfe"}) {
    const std::string complaint = complaint_about(text);
    EXPECT_TRUE(std::regex_search(complaint, std::regex("^cuzk\\.toml:[1-9][0-9]*:[1-9][0-9]*: .")))
        << complaint;
  }
  EXPECT_TRUE(std::regex_search(complaint_about("[engine]\nmax_jobs = \n"), std::regex("^cuzk.toml:2:")));
}

TEST(DaemonConfigs, FilesThatCannotBeReadAreErrors) {
  for (const char* path : {"/no/such/file.toml", "/tmp"}) {
    const auto loaded = load_config(path, {}, {});
    ASSERT_FALSE(loaded.is_ok());
    EXPECT_EQ(loaded.status().message().find(std::string(path) + ": cannot be read: "), 0u)
        << loaded.status().message();
  }
}

// For every key: values of a type that is not its own are refused with the key's name.
TEST(DaemonConfigs, EveryKeyRefusesOtherTypes) {
  const std::map<ValueKind, std::vector<const char*>> wrong = {
      {ValueKind::text, {"1", "true", "[\"a\"]", "1.5", "{}", "1979-05-27"}},
      {ValueKind::path, {"1", "true", "[\"a\"]", "1.5", "{}"}},
      {ValueKind::boolean, {"1", "\"true\"", "\"yes\"", "[true]"}},
      {ValueKind::integer, {"\"1\"", "1.0", "true", "[1]", "{}", "-1"}},
      {ValueKind::size,
       {"1.5", "true", "[1]", "\"1.5GiB\"", "\"GiB\"", "\"1 GiB\"", "\"1gib\"", "\"\"", "-1"}},
      {ValueKind::duration, {"1", "true", "\"10\"", "\"1.5s\"", "\"s\"", "\"-1s\"", "\"\""}},
      {ValueKind::list, {"1", "true", "[1]", "[\"a\", 1]", "[[\"a\"]]", "{}"}}};
  for (const ConfigKey& key : all_config_keys()) {
    const std::string name(key.name);
    for (const char* value : wrong.at(key.kind)) {
      const std::string section(key.section());
      const std::string complaint =
          complaint_about("[" + section + "]\n" + name.substr(section.size() + 1) + " = " + value + "\n");
      EXPECT_NE(complaint.find(name), std::string::npos) << name << " = " << value << " gave: " << complaint;
      EXPECT_EQ(complaint.find("cuzk.toml:2:"), 0u) << complaint;
    }
  }
}

// For every key with limits: they are taken, one beyond is not.
TEST(DaemonConfigs, EveryLimitHolds) {
  unsigned tested = 0;
  for (const ConfigKey& key : all_config_keys()) {
    const std::string unit = key.kind == ValueKind::duration ? "ms" : "";
    const bool has_limits =
        key.kind == ValueKind::integer || key.kind == ValueKind::size || key.kind == ValueKind::duration;
    if (!has_limits) continue;
    EXPECT_NE(key.max, kUnlimited) << key.name << " has no upper limit";
    const auto status = [&](std::uint64_t value) {
      DaemonConfig config;
      return set_config_value(key, {std::to_string(value) + unit}, config);
    };
    EXPECT_TRUE(status(key.min).is_ok()) << key.name;
    EXPECT_TRUE(status(key.max).is_ok()) << key.name;
    EXPECT_FALSE(status(key.max + 1).is_ok()) << key.name;
    if (key.min > 0) {
      EXPECT_FALSE(status(key.min - 1).is_ok()) << key.name;
    }
    ++tested;
  }
  EXPECT_GT(tested, 10u);
}

TEST(DaemonConfigs, SizesAndTimesAreParsedExactly) {
  EXPECT_EQ(parse_size("100GiB").value(), std::uint64_t{100} << 30);
  EXPECT_EQ(parse_size("1TB").value(), 1'000'000'000'000u);
  EXPECT_EQ(parse_size("0").value(), 0u);
  EXPECT_EQ(parse_size("512").value(), 512u);
  EXPECT_FALSE(parse_size("99999999999TiB").is_ok());
  EXPECT_FALSE(parse_size("99999999999999999999").is_ok());
  EXPECT_FALSE(parse_size("1GiBx").is_ok());
  EXPECT_EQ(parse_duration("7d").value(), std::chrono::hours(168));
  EXPECT_EQ(parse_duration("1500ms").value(), std::chrono::milliseconds(1500));
  EXPECT_EQ(parse_duration("0").value(), std::chrono::milliseconds(0));
  EXPECT_FALSE(parse_duration("999999999999999999d").is_ok());
  for (const std::uint64_t bytes :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1023}, std::uint64_t{1} << 30,
        (std::uint64_t{3} << 40), std::uint64_t{123'456'789}})
    EXPECT_EQ(parse_size(print_size(bytes)).value(), bytes);
  for (const int ms : {0, 1, 999, 1000, 60'000, 90'000, 86'400'000})
    EXPECT_EQ(parse_duration(print_duration(std::chrono::milliseconds(ms))).value(),
              std::chrono::milliseconds(ms));
}

TEST(DaemonConfigs, ValuesAreCheckedAgainstEachOther) {
  EXPECT_EQ(complaint_about("[tls]\ncertificate = \"a.pem\"\n"),
            "cuzk.toml:2:15: tls.certificate needs tls.key too");
  EXPECT_EQ(complaint_about("[tls]\nkey = \"a.pem\"\n"), "cuzk.toml:2:7: tls.key needs tls.certificate too");
  EXPECT_NE(complaint_about("[tls]\nclient_ca = \"a.pem\"\n"), "");
  EXPECT_EQ(complaint_about("[tls]\ncertificate = \"a\"\nkey = \"b\"\nclient_ca = \"c\"\n"), "");
}

TEST(DaemonConfigs, CircuitsAndDevicesMustBePossible) {
  EXPECT_NE(complaint_about("[params]\npreload = [\"porep-33g\"]\n").find("porep-33g"), std::string::npos);
  EXPECT_EQ(complaint_about("[params]\npreload = [\"porep-32g\", \"winning-2k\"]\n"), "");
  for (const char* good : {"[\"auto\"]", "[\"cpu\"]", "[\"cuda\"]", "[\"cuda\", \"cpu\"]",
                           "[\"0\", \"GPU-5c\"]", "[\"1\", \"cpu\"]"})
    EXPECT_EQ(complaint_about("[backend]\ndevices = " + std::string(good) + "\n"), "") << good;
  for (const char* bad :
       {"[]", "[\"\"]", "[\"auto\", \"cpu\"]", "[\"cuda\", \"0\"]", "[\"0\", \"0\"]", "[\"cpu\", \"cpu\"]"})
    EXPECT_NE(complaint_about("[backend]\ndevices = " + std::string(bad) + "\n"), "") << bad;
}

TEST(DaemonConfigs, WhatIsPrintedCanBeReadAgain) {
  const auto loaded = load_text(
      "[log]\nfile = \"/tmp/a \\\"b\\\" \\\\ \\u0001.log\"\n[params]\npreload = [\"porep-2k\", "
      "\"wpost-2k\"]\n",
      {{"daemon.drain_timeout", {"90s"}}}, {"CUZK_PARAMS_WARM_UP=false"});
  ASSERT_TRUE(loaded.is_ok()) << loaded.status().message();
  const std::string printed = print_config(loaded.value());
  const auto again = load_text(printed);
  ASSERT_TRUE(again.is_ok()) << again.status().message() << "\n" << printed;
  for (const auto& [name, value] : loaded.value().values)
    EXPECT_EQ(again.value().values.at(name).value, value.value) << name;
  EXPECT_NE(printed.find("# flag --daemon-drain-timeout"), std::string::npos);
  EXPECT_NE(printed.find("# environment CUZK_PARAMS_WARM_UP"), std::string::npos);
}

// The example in the repository: as it stands it changes nothing, and its comments show every key with its default.
TEST(DaemonConfigs, TheExampleShowsEveryKeyWithItsDefault) {
  std::ifstream file(CUZK_EXAMPLE_CONFIG);
  const std::string example{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(example.empty());
  const auto as_it_stands = load_text(example);
  ASSERT_TRUE(as_it_stands.is_ok()) << as_it_stands.status().message();
  for (const auto& [name, value] : as_it_stands.value().values)
    EXPECT_EQ(value.origin, "default") << name << " is set by the example";

  const std::string uncommented = std::regex_replace(example, std::regex("(^|\n)#([a-z_]+ = )"), "$1$2");
  const auto all = load_text(uncommented);
  ASSERT_TRUE(all.is_ok()) << all.status().message();
  for (const ConfigKey& key : all_config_keys()) {
    const std::string name(key.name);
    const OriginatedValue& shown = all.value().values.at(name);
    EXPECT_NE(shown.origin, "default") << name << " is not in the example";
    if (name != "cache.dir") {
      EXPECT_EQ(shown.value, as_it_stands.value().values.at(name).value) << name;
    }
  }
}

}  // namespace
}  // namespace cuzk
