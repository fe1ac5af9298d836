// A failure as a client sees it: gRPC code, one sentence, and trailing metadata for programs.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace grpc {
class CallbackServerContext;
class Status;
}  // namespace grpc

namespace cuzk {

struct ErrorDetails {
  std::string job_id;            // empty: of no job
  const char* phase;             // where it showed: "parse", "admission", "lookup", ...
  std::uint32_t retry_after_ms;  // for resource_exhausted and unavailable
};

// resource_exhausted: the queue of a thread pool is full.
Status too_many_calls();
// Whether trying the same again, later, can help.
bool is_retryable(StatusCode code) noexcept;

// Adds cuzk-error-class, cuzk-phase, cuzk-retryable and, where they apply, cuzk-job-id and retry-after-ms to the trailing metadata.
// The code is the same number. Not for success.
grpc::Status rpc_error(grpc::CallbackServerContext& rpc, const Status& error, const ErrorDetails& details);

}  // namespace cuzk
