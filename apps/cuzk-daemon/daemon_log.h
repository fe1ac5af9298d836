// DaemonLog: the lines that the daemon writes, as text or as one JSON object each, to standard error or to a file that is rotated.
//
//   2026-11-30T05:52:01.123+00:00 info job=<id> completed in 93984 ms
//   {"time":"2026-11-30T05:52:01.123+00:00","level":"info","job_id":"<id>","message":"completed in 93984 ms"}
//
// A line is one line whatever is in it. Writing does not wait for the disk: lines go through a queue to a thread, and when that cannot
// keep up the oldest are dropped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace cuzk {

enum class LogLevel { trace, debug, info, warning, error };

struct LogOptions {
  LogLevel level = LogLevel::info;
  bool json = false;
  std::filesystem::path file;  // empty: standard error
  std::uint64_t max_bytes = 64u << 20;
  std::uint64_t max_files = 8;
};

// "info" and so on; the level of a name that is none is info.
LogLevel log_level_from_name(std::string_view name) noexcept;

// Thread-safe.
class DaemonLog {
 public:
  // unavailable if the file cannot be written.
  static Result<std::unique_ptr<DaemonLog>> create(const LogOptions& options);
  // Writes what is queued.
  ~DaemonLog();
  DaemonLog(const DaemonLog&) = delete;
  DaemonLog& operator=(const DaemonLog&) = delete;

  void write(LogLevel level, std::string_view text, std::string_view job_id = {});
  // Opens the file by its name again, after somebody else has renamed it.
  Status reopen();
  // Writes what is queued and ends; nothing may be written after it.
  void close();

 private:
  struct State;
  explicit DaemonLog(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cuzk
