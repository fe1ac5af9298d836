// Each call is short: it reads the message, hands what may take time to a pool, and answers when that is done. Nothing here waits.
// gRPC hands over bytes, not messages: those of a request for proofs are counted in the engine's memory budget before they are read.
#include "server/proving_service.h"

#include <cuzk/v1/proving.grpc.pb.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/stopwatch.h"
#include "engine/guarded.h"
#include "server/job_wait.h"
#include "server/prometheus.h"
#include "server/proto_conversions.h"
#include "server/request_intake.h"
#include "server/unary_call.h"
#include "server/watch_call.h"

namespace cuzk {
namespace {

constexpr std::uint32_t kDefaultJobs = 50;
constexpr std::uint32_t kMaxJobs = 10'000;

using Rpc = grpc::CallbackServerContext*;
using Bytes = grpc::ByteBuffer;
using Reactor = grpc::ServerUnaryReactor*;

using Api = v1::ProvingEngine;
using JobCalls = Api::WithRawCallbackMethod_SubmitProof<
    Api::WithRawCallbackMethod_AwaitProof<Api::WithRawCallbackMethod_Prove<
        Api::WithRawCallbackMethod_CancelProof<Api::WithRawCallbackMethod_ListJobs<
            Api::WithRawCallbackMethod_Validate<Api::WithRawCallbackMethod_WatchJob<Api::Service>>>>>>>;
using EveryCall = Api::WithRawCallbackMethod_GetStatus<Api::WithRawCallbackMethod_GetMetrics<
    Api::WithRawCallbackMethod_PreloadSRS<Api::WithRawCallbackMethod_EvictSRS<
        Api::WithRawCallbackMethod_Drain<Api::WithRawCallbackMethod_Undrain<JobCalls>>>>>>;

class ProvingService final : public EveryCall {
 public:
  explicit ProvingService(ServiceContext& context) : context_(context), engine_(context.engine) {}

  Reactor SubmitProof(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::SubmitProofResponse>("SubmitProof", "admission", rpc, response);
    submit<v1::SubmitProofRequest>(call, bytes, [call](const Submitted& submitted) {
      v1::SubmitProofResponse message;
      message.set_job_id(submitted.job_id);
      message.set_queue_position(submitted.queue_position);
      call->succeed(message);
    });
    return call.get();
  }

  Reactor AwaitProof(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::AwaitProofResponse>("AwaitProof", "lookup", rpc, response);
    return run<v1::AwaitProofRequest>(
        context_.quick, call, bytes, [this, call](const v1::AwaitProofRequest& request) {
          await(call, request.job_id(), request.timeout_ms(),
                [call](v1::AwaitProofResponse&& message) { call->succeed(message); });
        });
  }

  Reactor Prove(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::ProveResponse>("Prove", "admission", rpc, response);
    submit<v1::ProveRequest>(call, bytes, [this, call](const Submitted& submitted) {
      await(call, submitted.job_id, 0, [call](v1::AwaitProofResponse&& message) {
        v1::ProveResponse result;
        *result.mutable_result() = std::move(message);
        call->succeed(result);
      });
    });
    return call.get();
  }

  Reactor CancelProof(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::CancelProofResponse>("CancelProof", "lookup", rpc, response);
    return run<v1::CancelProofRequest>(context_.quick, call, bytes,
                                       [this, call](const v1::CancelProofRequest& request) {
                                         const Result<bool> was_running = engine_.cancel(request.job_id());
                                         if (!was_running.is_ok())
                                           return call->fail(was_running.status(), request.job_id());
                                         v1::CancelProofResponse message;
                                         message.set_was_running(was_running.value());
                                         call->succeed(message);
                                       });
  }

  Reactor GetStatus(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::GetStatusResponse>("GetStatus", "status", rpc, response);
    return run<v1::GetStatusRequest>(context_.quick, call, bytes, [this, call](const auto&) {
      call->succeed(status_to_proto(engine_.status(), context_.options.version));
    });
  }

  Reactor GetMetrics(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::GetMetricsResponse>("GetMetrics", "status", rpc, response);
    return run<v1::GetMetricsRequest>(context_.quick, call, bytes, [this, call](const auto&) {
      v1::GetMetricsResponse message;
      message.set_prometheus_text(prometheus_text(engine_, context_.options.version));
      call->succeed(message);
    });
  }

  Reactor PreloadSRS(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::PreloadSrsResponse>("PreloadSRS", "srs_load", rpc, response);
    return run<v1::PreloadSrsRequest>(
        context_.slow, call, bytes, [this, call](const v1::PreloadSrsRequest& request) {
          const Stopwatch watch;
          const Result<bool> was_loaded = engine_.preload(request.circuit_id());
          if (!was_loaded.is_ok()) return call->fail(was_loaded.status());
          v1::PreloadSrsResponse message;
          message.set_already_loaded(was_loaded.value());
          if (!was_loaded.value()) message.set_load_time_ms(static_cast<std::uint64_t>(watch.elapsed_ms()));
          call->succeed(message);
        });
  }

  Reactor EvictSRS(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::EvictSrsResponse>("EvictSRS", "srs_evict", rpc, response);
    return run<v1::EvictSrsRequest>(
        context_.slow, call, bytes, [this, call](const v1::EvictSrsRequest& request) {
          const Result<std::optional<std::uint64_t>> freed = engine_.evict(request.circuit_id());
          if (!freed.is_ok()) return call->fail(freed.status());
          v1::EvictSrsResponse message;
          message.set_was_loaded(freed.value().has_value());
          message.set_freed_bytes(freed.value().value_or(0));
          call->succeed(message);
        });
  }

  Reactor ListJobs(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::ListJobsResponse>("ListJobs", "lookup", rpc, response);
    return run<v1::ListJobsRequest>(
        context_.quick, call, bytes, [this, call](const v1::ListJobsRequest& request) {
          const std::uint32_t limit =
              request.limit() == 0 ? kDefaultJobs : std::min(request.limit(), kMaxJobs);
          v1::ListJobsResponse message;
          for (const JobSnapshot& job : engine_.list(limit)) *message.add_jobs() = job_to_proto(job);
          call->succeed(message);
        });
  }

  Reactor Validate(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::ValidateResponse>("Validate", "parse", rpc, response);
    const auto use = [this, call](ProofRequest&& request, MessageMemory memory) {
      const auto findings = engine_.validate(request, std::move(memory));
      if (!findings.is_ok()) return refuse(call, findings.status());
      v1::ValidateResponse message;
      for (const InputFinding& finding : findings.value())
        *message.add_findings() = finding_to_proto(finding);
      call->succeed(message);
    };
    const Status taken = take_in<v1::ValidateRequest>(context_.slow, call, bytes, nullptr, use);
    if (!taken.is_ok()) refuse(call, taken);
    return call.get();
  }

  Reactor Drain(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::DrainResponse>("Drain", "drain", rpc, response);
    return run<v1::DrainRequest>(context_.quick, call, bytes, [this, call](const auto&) {
      engine_.drain();
      context_.health_changed();
      std::uint32_t unfinished = 0;
      for (const KindCounts& kind : engine_.status().kinds) unfinished += kind.pending + kind.in_progress;
      v1::DrainResponse message;
      message.set_unfinished_jobs(unfinished);
      call->succeed(message);
    });
  }

  Reactor Undrain(Rpc rpc, const Bytes* bytes, Bytes* response) override {
    const auto call = start<v1::UndrainResponse>("Undrain", "drain", rpc, response);
    return run<v1::UndrainRequest>(context_.quick, call, bytes, [this, call](const auto&) {
      engine_.undrain();
      context_.health_changed();
      call->succeed({});
    });
  }

  grpc::ServerWriteReactor<Bytes>* WatchJob(Rpc rpc, const Bytes* bytes) override {
    const auto request = read_small<v1::WatchJobRequest>(*bytes);
    return WatchCall::start(context_, rpc,
                            request.is_ok() ? Result(request.value().job_id()) : request.status());
  }

 private:
  template <typename Response>
  using Call = std::shared_ptr<UnaryCall<Response>>;

  template <typename Response>
  Call<Response> start(const char* name, const char* phase, Rpc rpc, Bytes* response) {
    return UnaryCall<Response>::start(context_, name, phase, rpc, response);
  }

  // Runs `task` on `pool`, unless the client has gone by then. resource_exhausted if too many wait already.
  template <typename Response, typename Task>
  Status post(TaskPool& pool, const Call<Response>& call, Task task) {
    const bool is_posted = pool.try_post([call, task = std::move(task)] {
      if (call->is_over()) return;
      const Status done = guarded("the call", [&] {
        task();
        return Status::ok();
      });
      if (!done.is_ok()) call->fail(done);
    });
    return is_posted ? Status::ok() : too_many_calls();
  }

  // Reads a request without vanilla proofs, and hands it to `use` on `pool`.
  template <typename Request, typename Response, typename Use>
  Reactor run(TaskPool& pool, const Call<Response>& call, const Bytes* bytes, Use use) {
    Result<Request> request = read_small<Request>(*bytes);
    if (request.is_ok()) {
      const Status posted =
          post(pool, call, [use = std::move(use), request = std::move(request).value()] { use(request); });
      if (!posted.is_ok()) call->fail(posted);
    } else {
      call->fail(request.status(), {}, "parse");
    }
    return call.get();
  }

  template <typename Response>
  void refuse(const Call<Response>& call, const Status& error) {
    call->fail(error, {}, error.code() == StatusCode::invalid_argument ? "parse" : "admission");
  }

  // Hands a request for proofs, read, to `use` on `pool`, and the memory that is reserved for it. `kind`: where to put what it is for,
  // as far as that is known; null: of no interest.
  template <typename Envelope, typename Response, typename Use>
  Status take_in(TaskPool& pool, const Call<Response>& call, const Bytes* bytes,
                 std::optional<ProofKind>* kind, Use use) {
    // gRPC keeps the bytes until the call ends, which may be minutes from now. They are no const object, and nobody else reads them.
    const auto intake = std::make_shared<RequestIntake>(*const_cast<Bytes*>(bytes));
    CUZK_TRY(intake->admit(*Envelope::descriptor(), context_, kind));
    return post(pool, call, [this, call, intake, use = std::move(use)] {
      Result<ProofRequest> request = intake->read<Envelope>();
      if (!request.is_ok()) return refuse(call, request.status());
      use(std::move(request).value(), intake->take_memory());
    });
  }

  template <typename Envelope, typename Response, typename Accepted>
  void submit(const Call<Response>& call, const Bytes* bytes, Accepted accepted) {
    std::optional<ProofKind> kind;
    const auto use = [this, call, accepted](ProofRequest&& request, MessageMemory memory) {
      const Result<Submitted> submitted = engine_.submit(std::move(request), std::move(memory));
      if (!submitted.is_ok()) return refuse(call, submitted.status());
      accepted(submitted.value());
    };
    const Status taken = take_in<Envelope>(context_.intake, call, bytes, &kind, use);
    if (taken.is_ok()) return;
    if (kind) engine_.count_refused(*kind, taken.code());
    refuse(call, taken);
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
                         const Status answered = guarded("job " + job_id, [&]() -> Status {
                           CUZK_TRY(job.status());
                           if (is_timeout && !is_final(job.value().state)) {
                             answer(waiting_job_to_proto(job.value(), timeout_ms));
                             return Status::ok();
                           }
                           CUZK_ASSIGN(v1::AwaitProofResponse message, ended_job_to_proto(job.value()));
                           answer(std::move(message));
                           return Status::ok();
                         });
                         if (!answered.is_ok()) call->fail(answered, job_id, "lookup");
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
