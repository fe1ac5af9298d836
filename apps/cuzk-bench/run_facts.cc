#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "base/cpu_features.h"
#include "base/thread_pool.h"
#include "bench_command.h"
#include "commit.h"
#include "version.h"

namespace cuzk {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string one_line(const Report& value);

std::string text_of(const Report& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object()) return '{' + one_line(value) + '}';
  if (!value.is_number_float()) return value.dump();
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value.get<double>());
  return text;
}

// "name=value name=value"; what has no value is left out.
std::string one_line(const Report& value) {
  if (!value.is_object()) return text_of(value);
  std::string line;
  for (const auto& [key, field] : value.items()) {
    const std::string text = text_of(field);
    if (!text.empty()) line += (line.empty() ? "" : " ") + key + '=' + text;
  }
  return line;
}

}  // namespace

Report run_facts() {
  utsname system{};
  ::uname(&system);
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return {{"version", kVersion},
          {"commit", kCommit},
          {"time", utc_now()},
          {"host", system.nodename},
          {"processor", processor_name()},
          {"features", describe_cpu_features()},
          {"cores", usable_cores()},
          {"threads", ThreadPool::global().num_threads()},
          {"memory_bytes", pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))},
          {"kernel", system.release}};
}

void print_for_reading(const Report& report, const CommonOptions& common) {
  Report plain;
  const auto flush = [&] {
    if (!plain.empty()) print_report(plain, common);
    plain = {};
  };
  for (const auto& [key, value] : report.items()) {
    if (!value.is_array()) {
      plain[key] = value;
      continue;
    }
    if (value.empty()) continue;
    flush();
    std::printf("%s:\n", key.c_str());
    for (const Report& item : value) std::printf("  %s\n", one_line(item).c_str());
  }
  flush();
}

bool has_wrong_answer(const Report& report) {
  if (report.is_object() && report.contains("ok") && report["ok"].is_boolean() && !report["ok"].get<bool>())
    return true;
  if (!report.is_structured()) return false;
  for (const auto& [key, value] : report.items()) {
    if (has_wrong_answer(value)) return true;
  }
  return false;
}

Outcome run_bench(const CommonOptions& common, const std::string& name,
                  const std::function<Report()>& bench) {
  Report report = {{"bench", name}};
  try {
    const Report result = bench();
    report["run"] = run_facts();  // after the bench: it starts the pool of threads
    report.update(result);
  } catch (const BenchFailure& failure) {
    return failure.status();
  }
  if (common.json) {
    print_report(report, common);
  } else {
    print_for_reading(report, common);
  }
  if (!has_wrong_answer(report)) return Status::ok();
  Outcome outcome(internal_error(name + ": wrong answer; see \"ok\": false in the report"), kExitFailure);
  outcome.report_printed = true;
  return outcome;
}

}  // namespace cuzk
