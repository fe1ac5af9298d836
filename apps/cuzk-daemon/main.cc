// cuzk-daemon: proofs as a service. Here settings are read, the parts are started and stopped, and outcomes become exit codes.
#include <csignal>
#include <cstdio>
#include <exception>

#include "base/thread_pool.h"
#include "command_line.h"
#include "daemon_exit_code.h"
#include "daemon_log.h"
#include "heartbeat.h"
#include "load_config.h"
#include "service_manager.h"
#include "signals.h"
#include "standard_streams.h"
#include "startup.h"
#include "stop.h"
#include "version.h"

namespace cuzk {
namespace {

// One line of standard error for each line of the message.
void complain(const std::string& message) {
  std::size_t begin = 0;
  while (begin <= message.size()) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    std::fprintf(stderr, "cuzk-daemon: %s\n", message.substr(begin, end - begin).c_str());
    begin = end + 1;
  }
}

int check_config(const LoadedConfig& loaded) {
  std::fputs(print_config(loaded).c_str(), stdout);
  const StartFailure failure = check_settings(loaded.config);
  if (failure.exit_code != 0) complain(failure.status.message());
  return failure.exit_code;
}

LogOptions log_options(const DaemonConfig& config) {
  return {log_level_from_name(config.log_level), config.log_format == "json", config.log_file,
          config.log_max_bytes, config.log_max_files};
}

void serve_until_signal(const DaemonConfig& config, const ServiceManager& manager, DaemonLog& log,
                        const RunningDaemon& daemon) {
  const Heartbeat heartbeat(manager, *daemon.engine, *daemon.observer, log, config.stall_timeout);
  while (true) {
    const std::optional<int> signal = wait_for_signal(std::chrono::hours(1));
    if (!signal) continue;
    if (*signal != SIGHUP) return;
    const Status reopened = log.reopen();
    log.write(reopened.is_ok() ? LogLevel::info : LogLevel::error,
              reopened.is_ok() ? "log reopened" : reopened.message());
  }
}

int run_daemon(const LoadedConfig& loaded) {
  const DaemonConfig& config = loaded.config;
  if (const StartFailure failure = check_paths(config); failure.exit_code != 0) {
    complain(failure.status.message());
    return failure.exit_code;
  }
  auto opened = DaemonLog::create(log_options(config));
  if (!opened.is_ok()) {
    complain(opened.status().message());
    return kExitBadInput;
  }
  DaemonLog& log = *opened.value();
  const ServiceManager manager;
  log.write(LogLevel::info, std::string("cuzk-daemon ") + kVersion + ", settings from " + loaded.source);
  RunningDaemon daemon;
  if (const StartFailure failure = start_daemon(config, log, daemon); failure.exit_code != 0) {
    log.write(LogLevel::error, "not started: " + failure.status.message());
    if (!config.log_file.empty()) complain(failure.status.message());
    manager.status(failure.status.message());
    return failure.exit_code;
  }
  serve_until_signal(config, manager, log, daemon);
  return stop_daemon(config, manager, log, std::move(daemon));
}

int run_main(int argc, char** argv) {
  CommandLine command_line;
  if (const std::optional<int> exit_code = parse_command_line(argc, argv, command_line)) return *exit_code;
  const auto loaded = load_config(command_line.config_file, command_line.flags, process_environment());
  if (!loaded.is_ok()) {
    complain(loaded.status().message());
    return kExitBadInput;
  }
  if (command_line.check_config) return check_config(loaded.value());
  ThreadPool::set_global_threads(loaded.value().config.threads);
  return run_daemon(loaded.value());
}

}  // namespace
}  // namespace cuzk

int main(int argc, char** argv) {
  cuzk::prepare_standard_streams();
  cuzk::block_signals();
  try {
    const int exit_code = cuzk::run_main(argc, argv);
    const cuzk::Status printed = cuzk::flush_standard_output();
    if (printed.is_ok()) return exit_code;
    cuzk::complain(printed.message());
    return exit_code == cuzk::kExitSuccess ? cuzk::kExitFailure : exit_code;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "cuzk-daemon: out of memory\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuzk-daemon: internal error: %s\n", error.what());
  }
  return cuzk::kExitFailure;
}
