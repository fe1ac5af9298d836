// A connection to the daemon.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>

#include "daemon_runner.h"

namespace cuzk {

// A channel that is connected. unavailable, naming the server, if nothing answers within the time; invalid_argument for TLS files that
// cannot be read.
Result<std::shared_ptr<grpc::Channel>> connect(const DaemonOptions& options);

// What a call failed with: its code (one that is none of ours is internal), its message.
Status status_of(const grpc::Status& status);

}  // namespace cuzk
