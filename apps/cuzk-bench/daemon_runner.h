// Where the daemon is and how to reach it, and a JobRunner that sends it jobs. No network library is seen here, so that a build without
// gRPC has the same commands.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "job_runner.h"

namespace cuzk {

struct DaemonOptions {
  std::string server = "127.0.0.1:9820";  // host:port, or unix:/path
  bool tls = false;
  std::string ca;           // PEM; empty: those that the system trusts
  std::string certificate;  // PEM, with mutual TLS
  std::string key;
  std::string name;  // that the daemon's certificate must have, if not the host's
  double connect_timeout_s = 5;

  void add_to(CLI::App& command);
};

// unavailable if no daemon answers, or this build has no client; invalid_argument for TLS files that cannot be read. One of two files is
// built: client/daemon_runner.cc or client_absent.cc.
Result<std::unique_ptr<JobRunner>> make_daemon_runner(const DaemonOptions& options);

}  // namespace cuzk
