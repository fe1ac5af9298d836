#include "server/rpc_error.h"

#include <grpcpp/grpcpp.h>

#include "server/text.h"

namespace cuzk {
namespace {

// A client takes 8 KiB of headers, and each byte of the sentence may become three on the way.
constexpr std::size_t kMaxMessageBytes = 2000;

}  // namespace

Status too_many_calls() {
  return resource_exhausted("too many calls wait to be handled; try again later");
}

bool is_retryable(StatusCode code) noexcept {
  return code == StatusCode::resource_exhausted || code == StatusCode::unavailable ||
         code == StatusCode::prover_fault;
}

grpc::Status rpc_error(grpc::CallbackServerContext& rpc, const Status& error, const ErrorDetails& details) {
  rpc.AddTrailingMetadata("cuzk-error-class", status_code_name(error.code()));
  rpc.AddTrailingMetadata("cuzk-phase", details.phase);
  rpc.AddTrailingMetadata("cuzk-retryable", is_retryable(error.code()) ? "true" : "false");
  if (!details.job_id.empty()) rpc.AddTrailingMetadata("cuzk-job-id", clean_ascii(details.job_id));
  if (error.code() == StatusCode::resource_exhausted || error.code() == StatusCode::unavailable)
    rpc.AddTrailingMetadata("retry-after-ms", std::to_string(details.retry_after_ms));
  return {static_cast<grpc::StatusCode>(error.code()), clean_utf8(error.message(), kMaxMessageBytes)};
}

}  // namespace cuzk
