#include "daemon_log.h"

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <nlohmann/json.hpp>

namespace cuzk {
namespace {

constexpr std::size_t kQueuedLines = 8192;

spdlog::level::level_enum spdlog_level(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::trace:
      return spdlog::level::trace;
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

// Control characters as \xNN: text from a client can neither begin a line of its own nor steer a terminal.
std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      line += c;
    } else {
      constexpr char kDigits[] = "0123456789abcdef";
      line += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return line;
}

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string payload(bool json, std::string_view text, std::string_view job_id) {
  if (json) {
    const std::string job = job_id.empty() ? "" : "\"job_id\":" + json_text(job_id) + ",";
    return job + "\"message\":" + json_text(text);
  }
  return (job_id.empty() ? "" : "job=" + one_line(job_id) + " ") + one_line(text);
}

Result<spdlog::sink_ptr> make_sink(const LogOptions& options) {
  try {
    if (options.file.empty()) return spdlog::sink_ptr(std::make_shared<spdlog::sinks::stderr_sink_mt>());
    auto sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(options.file.string(),
                                                                       options.max_bytes, options.max_files);
    return spdlog::sink_ptr(std::move(sink));
  } catch (const std::exception& error) {
    return unavailable("log file " + options.file.string() + ": " + error.what());
  }
}

}  // namespace

struct DaemonLog::State {
  LogOptions options;
  std::shared_ptr<spdlog::sinks::dist_sink_mt> sinks = std::make_shared<spdlog::sinks::dist_sink_mt>();
  std::shared_ptr<spdlog::details::thread_pool> thread =
      std::make_shared<spdlog::details::thread_pool>(kQueuedLines, 1);
  std::shared_ptr<spdlog::async_logger> logger;

  Status open() {
    CUZK_ASSIGN(spdlog::sink_ptr sink, make_sink(options));
    sinks->set_sinks({std::move(sink)});
    set_pattern();
    return Status::ok();
  }
  // A sink has its own formatter.
  void set_pattern() {
    sinks->set_pattern(options.json ? R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l",%v})"
                                    : "%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  }
};

LogLevel log_level_from_name(std::string_view name) noexcept {
  if (name == "trace") return LogLevel::trace;
  if (name == "debug") return LogLevel::debug;
  if (name == "warning") return LogLevel::warning;
  if (name == "error") return LogLevel::error;
  return LogLevel::info;
}

DaemonLog::DaemonLog(std::unique_ptr<State> state) : state_(std::move(state)) {}

DaemonLog::~DaemonLog() {
  close();
}

Result<std::unique_ptr<DaemonLog>> DaemonLog::create(const LogOptions& options) {
  auto state = std::make_unique<State>();
  state->options = options;
  CUZK_TRY(state->open());
  state->logger = std::make_shared<spdlog::async_logger>("cuzk", state->sinks, state->thread,
                                                         spdlog::async_overflow_policy::overrun_oldest);
  state->logger->set_level(spdlog_level(options.level));
  state->logger->flush_on(spdlog::level::trace);
  state->logger->set_error_handler([](const std::string&) {});  // a full disk must not fill standard error
  return std::unique_ptr<DaemonLog>(new DaemonLog(std::move(state)));
}

void DaemonLog::write(LogLevel level, std::string_view text, std::string_view job_id) {
  const spdlog::level::level_enum spd_level = spdlog_level(level);
  if (!state_->logger->should_log(spd_level)) return;
  state_->logger->log(spd_level, spdlog::string_view_t(payload(state_->options.json, text, job_id)));
}

Status DaemonLog::reopen() {
  return state_->open();
}

void DaemonLog::close() {
  // The logger posts to the thread; the thread's end waits until its queue is empty.
  state_->thread.reset();
}

}  // namespace cuzk
