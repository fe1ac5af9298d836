#include "daemon_client.h"

#include <cuzk/v1/proving.grpc.pb.h>
#include <grpcpp/grpcpp.h>
#include <httplib.h>

#include <atomic>
#include <cstdlib>

namespace cuzk {

using Stub = v1::ProvingEngine::Stub;

struct DaemonClient::Connection {
  std::unique_ptr<Stub> stub;
};

namespace {

std::string trailer(const grpc::ClientContext& context, const char* key) {
  const auto found = context.GetServerTrailingMetadata().find(key);
  if (found == context.GetServerTrailingMetadata().end()) return {};
  return {found->second.data(), found->second.size()};
}

template <typename Request, typename Response>
using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);

void read_failure(RpcFailure& answer, const grpc::Status& status, const grpc::ClientContext& context) {
  answer.code = status.error_code();
  answer.message = status.error_message();
  answer.error_class = trailer(context, "cuzk-error-class");
  answer.phase = trailer(context, "cuzk-phase");
  answer.job_id = trailer(context, "cuzk-job-id");
  answer.retryable = trailer(context, "cuzk-retryable");
  const std::string hint = trailer(context, "retry-after-ms");
  if (!hint.empty()) answer.retry_after_ms = std::atol(hint.c_str());
}

template <typename Request, typename Response>
Answer<Response> call(Stub& stub, Method<Request, Response> method, const Request& request,
                      DaemonClient::Patience patience = DaemonClient::kPatience) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + patience);
  Answer<Response> answer;
  const grpc::Status status = (stub.*method)(&context, request, &answer.value);
  read_failure(answer, status, context);
  return answer;
}

}  // namespace

DaemonClient::DaemonClient(const std::string& address, std::chrono::milliseconds keepalive)
    : connection_(std::make_unique<Connection>()) {
  static std::atomic<int> number = 0;
  // An idle client learns that a server goes when its connection is next looked at, which by default is every five seconds; the server
  // waits for that.
  ::setenv("GRPC_CLIENT_CHANNEL_BACKUP_POLL_INTERVAL_MS", "50", 0);
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetInt("cuzk-test-channel", ++number);  // equal arguments share a connection
  if (keepalive.count() > 0) {
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, static_cast<int>(keepalive.count()));
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, static_cast<int>(keepalive.count()));
  }
  connection_->stub = v1::ProvingEngine::NewStub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
}

DaemonClient::~DaemonClient() = default;

Answer<v1::SubmitProofResponse> DaemonClient::submit(const v1::SubmitProofRequest& request,
                                                     Patience patience) {
  return call(*connection_->stub, &Stub::SubmitProof, request, patience);
}

Answer<v1::AwaitProofResponse> DaemonClient::await(const std::string& job_id, std::uint64_t timeout_ms,
                                                   Patience patience) {
  v1::AwaitProofRequest request;
  request.set_job_id(job_id);
  request.set_timeout_ms(timeout_ms);
  return call(*connection_->stub, &Stub::AwaitProof, request, patience);
}

Answer<v1::ProveResponse> DaemonClient::prove(const v1::SubmitProofRequest& request) {
  v1::ProveRequest message;
  *message.mutable_submit() = request;
  return call(*connection_->stub, &Stub::Prove, message);
}

Answer<v1::CancelProofResponse> DaemonClient::cancel(const std::string& job_id) {
  v1::CancelProofRequest request;
  request.set_job_id(job_id);
  return call(*connection_->stub, &Stub::CancelProof, request);
}

Answer<v1::GetStatusResponse> DaemonClient::status(Patience patience) {
  return call(*connection_->stub, &Stub::GetStatus, {}, patience);
}

Answer<v1::GetMetricsResponse> DaemonClient::metrics() {
  return call(*connection_->stub, &Stub::GetMetrics, {});
}

Answer<v1::PreloadSrsResponse> DaemonClient::preload(const std::string& circuit_id) {
  v1::PreloadSrsRequest request;
  request.set_circuit_id(circuit_id);
  return call(*connection_->stub, &Stub::PreloadSRS, request);
}

Answer<v1::EvictSrsResponse> DaemonClient::evict(const std::string& circuit_id) {
  v1::EvictSrsRequest request;
  request.set_circuit_id(circuit_id);
  return call(*connection_->stub, &Stub::EvictSRS, request);
}

Answer<v1::ListJobsResponse> DaemonClient::list_jobs(std::uint32_t limit) {
  v1::ListJobsRequest request;
  request.set_limit(limit);
  return call(*connection_->stub, &Stub::ListJobs, request);
}

Answer<v1::JobInfo> DaemonClient::watch(const std::string& job_id) {
  v1::WatchJobRequest request;
  request.set_job_id(job_id);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kPatience);
  const auto stream = connection_->stub->WatchJob(&context, request);
  Answer<v1::JobInfo> answer;
  while (stream->Read(&answer.value)) continue;
  read_failure(answer, stream->Finish(), context);
  return answer;
}

Answer<v1::ValidateResponse> DaemonClient::validate(const v1::SubmitProofRequest& request) {
  v1::ValidateRequest message;
  *message.mutable_submit() = request;
  return call(*connection_->stub, &Stub::Validate, message);
}

Answer<v1::DrainResponse> DaemonClient::drain() {
  return call(*connection_->stub, &Stub::Drain, {});
}

Answer<v1::UndrainResponse> DaemonClient::undrain() {
  return call(*connection_->stub, &Stub::Undrain, {});
}

std::string http_get(int port, const std::string& path, int wanted_status) {
  httplib::Client client("127.0.0.1", port);
  client.set_read_timeout(60);
  const httplib::Result result = client.Get(path);
  return result && result->status == wanted_status ? result->body : std::string();
}

}  // namespace cuzk
