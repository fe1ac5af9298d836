// Each call is short: it reads the message, hands what may take time to a pool, and answers when that is done. Nothing here waits.
#include "server/proving_service.h"

#include <cuzk/v1/proving.grpc.pb.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/stopwatch.h"
#include "server/job_wait.h"
#include "server/prometheus.h"
#include "server/proto_conversions.h"
#include "server/unary_call.h"
#include "server/watch_call.h"

namespace cuzk {
namespace {

constexpr std::uint32_t kDefaultJobs = 50;
constexpr std::uint32_t kMaxJobs = 10'000;

using Rpc = grpc::CallbackServerContext*;
using Reactor = grpc::ServerUnaryReactor*;

class ProvingService final : public v1::ProvingEngine::CallbackService {
 public:
  explicit ProvingService(ServiceContext& context) : context_(context), engine_(context.engine) {}

  Reactor SubmitProof(Rpc rpc, const v1::SubmitProofRequest* request,
                      v1::SubmitProofResponse* response) override {
    const auto call = start("SubmitProof", "admission", rpc, response);
    submit(call, *request, [call](const Submitted& submitted) {
      v1::SubmitProofResponse message;
      message.set_job_id(submitted.job_id);
      message.set_queue_position(submitted.queue_position);
      call->succeed(std::move(message));
    });
    return call.get();
  }

  Reactor AwaitProof(Rpc rpc, const v1::AwaitProofRequest* request,
                     v1::AwaitProofResponse* response) override {
    const auto call = start("AwaitProof", "lookup", rpc, response);
    await(call, request->job_id(), request->timeout_ms(),
          [call](v1::AwaitProofResponse&& message) { call->succeed(std::move(message)); });
    return call.get();
  }

  Reactor Prove(Rpc rpc, const v1::ProveRequest* request, v1::ProveResponse* response) override {
    const auto call = start("Prove", "admission", rpc, response);
    submit(call, request->submit(), [this, call](const Submitted& submitted) {
      await(call, submitted.job_id, 0, [call](v1::AwaitProofResponse&& message) {
        v1::ProveResponse result;
        *result.mutable_result() = std::move(message);
        call->succeed(std::move(result));
      });
    });
    return call.get();
  }

  Reactor CancelProof(Rpc rpc, const v1::CancelProofRequest* request,
                      v1::CancelProofResponse* response) override {
    const auto call = start("CancelProof", "lookup", rpc, response);
    run(context_.quick, call, [this, call, job_id = request->job_id()] {
      const Result<bool> was_running = engine_.cancel(job_id);
      if (!was_running.is_ok()) return call->fail(was_running.status(), job_id);
      v1::CancelProofResponse message;
      message.set_was_running(was_running.value());
      call->succeed(std::move(message));
    });
    return call.get();
  }

  Reactor GetStatus(Rpc rpc, const v1::GetStatusRequest*, v1::GetStatusResponse* response) override {
    const auto call = start("GetStatus", "status", rpc, response);
    run(context_.quick, call,
        [this, call] { call->succeed(status_to_proto(engine_.status(), context_.options.version)); });
    return call.get();
  }

  Reactor GetMetrics(Rpc rpc, const v1::GetMetricsRequest*, v1::GetMetricsResponse* response) override {
    const auto call = start("GetMetrics", "status", rpc, response);
    run(context_.quick, call, [this, call] {
      v1::GetMetricsResponse message;
      message.set_prometheus_text(prometheus_text(engine_, context_.options.version));
      call->succeed(std::move(message));
    });
    return call.get();
  }

  Reactor PreloadSRS(Rpc rpc, const v1::PreloadSrsRequest* request,
                     v1::PreloadSrsResponse* response) override {
    const auto call = start("PreloadSRS", "srs_load", rpc, response);
    run(context_.slow, call, [this, call, circuit_id = request->circuit_id()] {
      const Stopwatch watch;
      const Result<bool> was_loaded = engine_.preload(circuit_id);
      if (!was_loaded.is_ok()) return call->fail(was_loaded.status());
      v1::PreloadSrsResponse message;
      message.set_already_loaded(was_loaded.value());
      if (!was_loaded.value()) message.set_load_time_ms(static_cast<std::uint64_t>(watch.elapsed_ms()));
      call->succeed(std::move(message));
    });
    return call.get();
  }

  Reactor EvictSRS(Rpc rpc, const v1::EvictSrsRequest* request, v1::EvictSrsResponse* response) override {
    const auto call = start("EvictSRS", "srs_evict", rpc, response);
    run(context_.slow, call, [this, call, circuit_id = request->circuit_id()] {
      const Result<std::optional<std::uint64_t>> freed = engine_.evict(circuit_id);
      if (!freed.is_ok()) return call->fail(freed.status());
      v1::EvictSrsResponse message;
      message.set_was_loaded(freed.value().has_value());
      message.set_freed_bytes(freed.value().value_or(0));
      call->succeed(std::move(message));
    });
    return call.get();
  }

  Reactor ListJobs(Rpc rpc, const v1::ListJobsRequest* request, v1::ListJobsResponse* response) override {
    const auto call = start("ListJobs", "lookup", rpc, response);
    const std::uint32_t limit = request->limit() == 0 ? kDefaultJobs : std::min(request->limit(), kMaxJobs);
    run(context_.quick, call, [this, call, limit] {
      v1::ListJobsResponse message;
      for (const JobSnapshot& job : engine_.list(limit)) *message.add_jobs() = job_to_proto(job);
      call->succeed(std::move(message));
    });
    return call.get();
  }

  Reactor Validate(Rpc rpc, const v1::ValidateRequest* request, v1::ValidateResponse* response) override {
    const auto call = start("Validate", "parse", rpc, response);
    with_request(context_.slow, call, request->submit(), [this, call](ProofRequest&& proof_request) {
      const Result<std::vector<InputFinding>> findings = engine_.validate(proof_request);
      if (!findings.is_ok()) return call->fail(findings.status());
      v1::ValidateResponse message;
      for (const InputFinding& finding : findings.value())
        *message.add_findings() = finding_to_proto(finding);
      call->succeed(std::move(message));
    });
    return call.get();
  }

  Reactor Drain(Rpc rpc, const v1::DrainRequest*, v1::DrainResponse* response) override {
    const auto call = start("Drain", "drain", rpc, response);
    run(context_.quick, call, [this, call] {
      engine_.drain();
      context_.health_changed();
      std::uint32_t unfinished = 0;
      for (const KindCounts& kind : engine_.status().kinds) unfinished += kind.pending + kind.in_progress;
      v1::DrainResponse message;
      message.set_unfinished_jobs(unfinished);
      call->succeed(std::move(message));
    });
    return call.get();
  }

  Reactor Undrain(Rpc rpc, const v1::UndrainRequest*, v1::UndrainResponse* response) override {
    const auto call = start("Undrain", "drain", rpc, response);
    run(context_.quick, call, [this, call] {
      engine_.undrain();
      context_.health_changed();
      call->succeed({});
    });
    return call.get();
  }

  grpc::ServerWriteReactor<v1::JobInfo>* WatchJob(Rpc rpc, const v1::WatchJobRequest* request) override {
    return WatchCall::start(context_, rpc, request->job_id());
  }

 private:
  template <typename Response>
  using Call = std::shared_ptr<UnaryCall<Response>>;

  template <typename Response>
  Call<Response> start(const char* name, const char* phase, Rpc rpc, Response* response) {
    return UnaryCall<Response>::start(context_, name, phase, rpc, response);
  }

  // Runs `task` on `pool`, unless the client has gone by then. The call fails if too many wait already.
  template <typename Response, typename Task>
  void run(TaskPool& pool, const Call<Response>& call, Task task) {
    const bool is_posted = pool.try_post([call, task = std::move(task)] {
      if (!call->is_over()) task();
    });
    if (!is_posted) call->fail(resource_exhausted("too many calls wait to be handled; try again later"));
  }

  // Hands the request to `use` on `pool`. Its bytes count as in flight until then.
  template <typename Response, typename Use>
  void with_request(TaskPool& pool, const Call<Response>& call, const v1::SubmitProofRequest& message,
                    Use use) {
    const std::uint64_t size = message.ByteSizeLong();
    ByteGauge::Hold hold = context_.bytes->hold(size);
    if (!hold)
      return call->fail(resource_exhausted(
          "the request has " + std::to_string(size) + " bytes; requests being handled hold " +
          std::to_string(context_.bytes->held()) + " of the " + std::to_string(context_.bytes->limit()) +
          " bytes allowed; try again later"));
    // gRPC keeps the message until the call ends, which may be minutes from now. It is no const object, and nobody else reads it.
    auto owned = std::make_shared<v1::SubmitProofRequest>();
    owned->Swap(const_cast<v1::SubmitProofRequest*>(&message));
    run(pool, call, [call, owned, hold = std::move(hold), use = std::move(use)] {
      Result<ProofRequest> request = request_from_proto(std::move(*owned));
      if (!request.is_ok()) return call->fail(request.status(), {}, "parse");
      use(std::move(request).value());
    });
  }

  template <typename Response, typename Accepted>
  void submit(const Call<Response>& call, const v1::SubmitProofRequest& message, Accepted accepted) {
    with_request(context_.intake, call, message, [this, call, accepted](ProofRequest&& request) {
      const Result<Submitted> submitted = engine_.submit(std::move(request));
      if (submitted.is_ok()) return accepted(submitted.value());
      const bool is_input = submitted.status().code() == StatusCode::invalid_argument;
      call->fail(submitted.status(), {}, is_input ? "parse" : nullptr);
    });
  }

  // timeout_ms 0: for ever.
  template <typename Response, typename Answer>
  void await(const Call<Response>& call, const std::string& job_id, std::uint64_t timeout_ms, Answer answer) {
    constexpr std::uint64_t kMaxMs = std::uint64_t{1} << 50;
    std::optional<std::chrono::milliseconds> timeout;
    if (timeout_ms > 0) timeout = std::chrono::milliseconds(std::min(timeout_ms, kMaxMs));
    const auto wait =
        JobWait::start(engine_, context_.quick, job_id, timeout,
                       [call, job_id, timeout_ms, answer](Result<JobSnapshot> job, bool is_timeout) {
                         if (!job.is_ok()) return call->fail(job.status(), job_id, "lookup");
                         if (is_timeout && !is_final(job.value().state))
                           return answer(waiting_job_to_proto(job.value(), timeout_ms));
                         Result<v1::AwaitProofResponse> message = ended_job_to_proto(job.value());
                         if (!message.is_ok()) return call->fail(message.status(), job_id);
                         answer(std::move(message).value());
                       });
    call->when_gone([wait] { wait->give_up(); });
  }

  ServiceContext& context_;
  Engine& engine_;
};

}  // namespace

std::unique_ptr<grpc::Service> make_proving_service(ServiceContext& context) {
  return std::make_unique<ProvingService>(context);
}

}  // namespace cuzk
