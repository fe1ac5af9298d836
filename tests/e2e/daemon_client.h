// DaemonClient: the calls of cuzk.v1 as tests make them. A failure is a value with all that a client gets to see of it.
#pragma once

#include <cuzk/v1/proving.pb.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace cuzk {

// Codes of gRPC that tests expect.
inline constexpr int kRpcOk = 0, kRpcInvalidArgument = 3, kRpcDeadlineExceeded = 4, kRpcNotFound = 5,
                     kRpcAlreadyExists = 6, kRpcResourceExhausted = 8, kRpcUnavailable = 14;

struct RpcFailure {
  int code = kRpcOk;
  std::string message;
  // From the trailing metadata; empty or -1 if not sent.
  std::string error_class, phase, job_id, retryable;
  long retry_after_ms = -1;
};

template <typename Response>
struct Answer : RpcFailure {
  Response value;
  bool is_ok() const noexcept { return code == kRpcOk; }
};

// A connection of its own. Any number of threads may use it. Every call ends: after `patience` with DEADLINE_EXCEEDED.
class DaemonClient {
 public:
  // "127.0.0.1:port" or "unix:/path". With `keepalive` a connection on which nothing is heard for so long is pinged, and given up after
  // as long again.
  explicit DaemonClient(const std::string& address,
                        std::chrono::milliseconds keepalive = std::chrono::milliseconds(0));
  ~DaemonClient();
  DaemonClient(const DaemonClient&) = delete;
  DaemonClient& operator=(const DaemonClient&) = delete;

  static constexpr std::chrono::minutes kPatience{5};
  using Patience = std::chrono::milliseconds;

  Answer<v1::SubmitProofResponse> submit(const v1::SubmitProofRequest& request, Patience = kPatience);
  // timeout_ms of the request, 0: for ever; `patience` is the deadline of the call.
  Answer<v1::AwaitProofResponse> await(const std::string& job_id, std::uint64_t timeout_ms = 0,
                                       Patience = kPatience);
  Answer<v1::ProveResponse> prove(const v1::SubmitProofRequest& request);
  Answer<v1::CancelProofResponse> cancel(const std::string& job_id);
  Answer<v1::GetStatusResponse> status(Patience = kPatience);
  Answer<v1::GetMetricsResponse> metrics();
  Answer<v1::PreloadSrsResponse> preload(const std::string& circuit_id);
  Answer<v1::EvictSrsResponse> evict(const std::string& circuit_id);
  Answer<v1::ListJobsResponse> list_jobs(std::uint32_t limit);
  // The job as WatchJob tells it last, with all its spans; waits for its end.
  Answer<v1::JobInfo> watch(const std::string& job_id);
  Answer<v1::ValidateResponse> validate(const v1::SubmitProofRequest& request);
  Answer<v1::DrainResponse> drain();
  Answer<v1::UndrainResponse> undrain();

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

// The body of a GET, or an empty text if the status is not `wanted_status`.
std::string http_get(int port, const std::string& path, int wanted_status = 200);

}  // namespace cuzk
