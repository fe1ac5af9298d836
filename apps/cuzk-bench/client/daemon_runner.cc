// Jobs for a daemon: submitted again while it is full, after the time that it asks for; awaited in short calls, so that Ctrl-C works.
#include "daemon_runner.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/stopwatch.h"
#include "client/channel.h"
#include "client/figures.h"
#include "cuzk/v1/proving.grpc.pb.h"
#include "interrupt.h"
#include "timing_text.h"

namespace cuzk {
namespace {

constexpr std::uint64_t kAwaitMs = 2000;
constexpr std::int64_t kDefaultRetryMs = 1000, kLongestRetryMs = 60'000;

// What the daemon asks for in "retry-after-ms", within reason.
std::int64_t retry_after_ms(const grpc::ClientContext& call) {
  const auto& trailers = call.GetServerTrailingMetadata();
  const auto found = trailers.find("retry-after-ms");
  if (found == trailers.end()) return kDefaultRetryMs;
  const std::string text(found->second.data(), found->second.size());
  const long long value = std::strtoll(text.c_str(), nullptr, 10);
  return std::clamp<std::int64_t>(value, 1, kLongestRetryMs);
}

// Whether it was not the daemon that said "unavailable": what it says has its class with it.
bool is_gone(const grpc::Status& status, const grpc::ClientContext& call) {
  return status.error_code() == grpc::StatusCode::UNAVAILABLE &&
         !call.GetServerTrailingMetadata().contains("cuzk-error-class");
}

// In steps, so that an interrupt ends it.
void sleep_ms(std::int64_t ms) {
  for (; ms > 0 && !interrupted(); ms -= 100)
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min<std::int64_t>(ms, 100)));
}

class DaemonRunner final : public JobRunner {
 public:
  explicit DaemonRunner(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(v1::ProvingEngine::NewStub(channel)), device_(device_of(*stub_)) {}

  JobEnd run(const ClientRequest& request, const RunOptions& options) override {
    JobEnd end;
    end.kind = proof_kind_name(request.message.kind);
    end.device = device_;
    const v1::SubmitProofRequest message = request_to_proto(request.message);
    const Stopwatch wall;
    end.error = submit(message, options, end);
    end.submit_ms = wall.elapsed_ms();
    if (!end.error.is_ok()) {
      if (end.status != "LOST") end.status = "REFUSED";
      end.wall_ms = wall.elapsed_ms();
      return end;
    }
    const Stopwatch waited;
    while (!await(options, waited, end) && ask_again(message, options, end)) {
    }
    end.wall_ms = wall.elapsed_ms();
    if (options.with_spans) end.spans = spans_of(end.job_id);
    return end;
  }

 private:
  Status submit(const v1::SubmitProofRequest& message, const RunOptions& options, JobEnd& end) {
    for (;;) {
      grpc::ClientContext call;
      v1::SubmitProofResponse answer;
      const grpc::Status status = stub_->SubmitProof(&call, message, &answer);
      end.job_id = answer.job_id();
      const bool is_full = status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED;
      const bool has_no_answer = is_gone(status, call);
      if (!(is_full || has_no_answer) || end.retries >= options.max_retries || interrupted()) {
        if (has_no_answer) end.status = "LOST";
        return status_of(status);
      }
      ++end.retries;
      sleep_ms(retry_after_ms(call));
    }
  }

  // False if the daemon is gone: the job, once accepted, is not.
  bool await(const RunOptions& options, const Stopwatch& waited, JobEnd& end) {
    v1::AwaitProofRequest request;
    request.set_job_id(end.job_id);
    for (;;) {
      const double left_ms = options.timeout_s > 0 ? options.timeout_s * 1000 - waited.elapsed_ms() : 1e18;
      request.set_timeout_ms(
          static_cast<std::uint64_t>(std::clamp(left_ms, 1.0, static_cast<double>(kAwaitMs))));
      grpc::ClientContext call;
      v1::AwaitProofResponse answer;
      const grpc::Status status = stub_->AwaitProof(&call, request, &answer);
      if (!status.ok()) {
        const bool is_lost = status.error_code() == grpc::StatusCode::UNAVAILABLE;
        end.status = is_lost ? "LOST" : "FAILED";
        end.error = status_of(status);
        if (!is_lost) return true;
        sleep_ms(retry_after_ms(call));
        return false;
      }
      if (answer.status() != v1::AwaitProofResponse::TIMEOUT) {
        fill(answer, end);
        return true;
      }
      if (interrupted() || left_ms <= static_cast<double>(kAwaitMs)) {
        give_up(end);
        return true;
      }
    }
  }

  // The same request with the same id: a daemon that has started again knows the job. False if none answers in the end.
  bool ask_again(const v1::SubmitProofRequest& message, const RunOptions& options, JobEnd& end) {
    while (end.retries < options.max_retries && !interrupted()) {
      ++end.retries;
      grpc::ClientContext call;
      v1::SubmitProofResponse answer;
      const grpc::Status status = stub_->SubmitProof(&call, message, &answer);
      if (status.ok()) {
        end.error = Status::ok();
        end.job_id = answer.job_id();
        return true;
      }
      end.error = status_of(status);
      if (status.error_code() != grpc::StatusCode::UNAVAILABLE) return false;
      sleep_ms(retry_after_ms(call));
    }
    return false;
  }

  void give_up(JobEnd& end) {
    set_given_up(end);
    grpc::ClientContext call;
    call.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    v1::CancelProofRequest request;
    v1::CancelProofResponse answer;
    request.set_job_id(end.job_id);
    (void)stub_->CancelProof(&call, request, &answer).ok();
  }

  static void fill(const v1::AwaitProofResponse& answer, JobEnd& end) {
    end.status = v1::AwaitProofResponse::Status_Name(answer.status());
    end.proof.assign(answer.proof().begin(), answer.proof().end());
    end.timings.queue = static_cast<double>(answer.queue_wait_ms());
    end.timings.srs = static_cast<double>(answer.srs_load_ms());
    end.timings.synth = static_cast<double>(answer.synthesis_ms());
    end.timings.prove = static_cast<double>(answer.gpu_compute_ms());
    end.timings.total = static_cast<double>(answer.total_ms());
    if (answer.status() == v1::AwaitProofResponse::COMPLETED) return;
    if (answer.status() == v1::AwaitProofResponse::CANCELLED) {
      end.error = Status(StatusCode::cancelled,
                         answer.error_message().empty() ? "cancelled" : answer.error_message());
    } else {
      end.error = Status(code_from_name(answer.error().error_class()), answer.error_message());
    }
  }

  // Of a job that has ended: the first message of WatchJob is its last.
  std::vector<PhaseSpan> spans_of(const std::string& job_id) {
    grpc::ClientContext call;
    call.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    v1::WatchJobRequest request;
    request.set_job_id(job_id);
    const auto reader = stub_->WatchJob(&call, request);
    v1::JobInfo info;
    std::vector<PhaseSpan> spans;
    while (reader->Read(&info)) spans = spans_from_proto(info);
    (void)reader->Finish().ok();
    return spans;
  }

  // What a proof's time on a worker is called. A daemon that does not answer is said when a job is submitted.
  static std::string device_of(v1::ProvingEngine::Stub& stub) {
    grpc::ClientContext call;
    call.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    v1::GetStatusResponse status;
    (void)stub.GetStatus(&call, v1::GetStatusRequest(), &status).ok();
    std::vector<std::string> backends;
    for (const v1::WorkerInfo& worker : status.workers()) backends.push_back(worker.backend());
    return device_word(backends);
  }

  const std::unique_ptr<v1::ProvingEngine::Stub> stub_;
  const std::string device_;
};

}  // namespace

Result<std::unique_ptr<JobRunner>> make_daemon_runner(const DaemonOptions& options) {
  CUZK_ASSIGN(const std::shared_ptr<grpc::Channel> channel, connect(options));
  return std::unique_ptr<JobRunner>(std::make_unique<DaemonRunner>(channel));
}

}  // namespace cuzk
