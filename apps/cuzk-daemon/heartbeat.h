// Heartbeat: a thread that looks at the engine and tells the service manager: ready, a line of status, and the watchdog's sign of life as
// long as work goes on.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "daemon_log.h"
#include "engine/engine.h"
#include "engine_log.h"
#include "progress_monitor.h"
#include "service_manager.h"

namespace cuzk {

class Heartbeat {
 public:
  // All references must outlive this object. An engine that does not answer stops the signs of life too.
  Heartbeat(const ServiceManager& manager, const Engine& engine, const EngineLog& observer, DaemonLog& log,
            std::chrono::milliseconds stall_timeout);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  void work();
  void beat();
  void report_ready(const EngineStatus& status);

  const ServiceManager& manager_;
  const Engine& engine_;
  const EngineLog& observer_;
  DaemonLog& log_;
  ProgressMonitor monitor_;
  std::chrono::milliseconds interval_;
  bool is_ready_ = false;
  bool is_stalled_ = false;
  std::string last_status_;

  std::mutex mutex_;
  std::condition_variable stopped_;
  bool is_stopping_ = false;
  std::thread thread_;
};

// "ready, 2 running, 5 queued".
std::string status_line(const EngineStatus& status);

}  // namespace cuzk
