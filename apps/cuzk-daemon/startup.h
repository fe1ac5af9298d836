// Startup: everything that a running daemon consists of, built in the order in which failures are cheapest to find, and the exit code of
// the first that cannot be.
#pragma once

#include <memory>
#include <string>

#include "daemon_config.h"
#include "daemon_log.h"
#include "engine/engine.h"
#include "engine_log.h"
#include "server/grpc_server.h"
#include "server/http_server.h"

namespace cuzk {

// A failure and the exit code that goes with it.
struct StartFailure {
  Status status;
  int exit_code = 0;
};

// Destroyed in the order servers, engine, observer.
struct RunningDaemon {
  std::unique_ptr<EngineLog> observer;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<GrpcServer> grpc;
  std::unique_ptr<HttpServer> http;  // null if http.listen is empty
};

// Files and folders that must be there: parameters, certificates, the folder of the log. Opens nothing for writing.
StartFailure check_paths(const DaemonConfig& config);
// The same, and all else that can be known while another daemon runs with these settings: addresses that are none, certificates that cannot
// be used, a journal that cannot be written, devices that do not exist.
StartFailure check_settings(const DaemonConfig& config);

// Opens the journal, finds the devices, starts the engine, listens. Says on the log what it finds: devices, circuits, addresses.
// exit_code is 0 on success.
StartFailure start_daemon(const DaemonConfig& config, DaemonLog& log, RunningDaemon& daemon);

}  // namespace cuzk
