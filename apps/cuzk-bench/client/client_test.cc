// The client against the real gRPC server over an engine without proofs: what is sent arrives as it was, a full daemon is asked again when
// it wants to be, and every way in which a job can end is told apart.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/stopwatch.h"
#include "client/figures.h"
#include "daemon_runner.h"
#include "server/fake_engine_test_support.h"
#include "server/grpc_server.h"

namespace cuzk {
namespace {

class ClientTest : public testing::Test {
 protected:
  void SetUp() override {
    engine_.retry_after = 30;
    engine_.on_submit = [this](ProofRequest&& request) -> Result<Submitted> {
      ++submissions_;
      last_ = std::move(request);
      return Submitted{"job", 0, false};
    };
    engine_.on_cancel = [this](const std::string&) -> Result<bool> {
      is_cancelled_ = true;
      return true;
    };
    GrpcOptions options;
    options.listen = {"127.0.0.1:0"};
    auto server = GrpcServer::create(options, engine_);
    ASSERT_TRUE(server.is_ok()) << server.status().message();
    server_ = std::move(server).value();
    DaemonOptions daemon;
    daemon.server = "127.0.0.1:" + std::to_string(server_->port());
    auto runner = make_daemon_runner(daemon);
    ASSERT_TRUE(runner.is_ok()) << runner.status().message();
    runner_ = std::move(runner).value();
  }

  static ClientRequest small_request() {
    ClientRequest request;
    request.message.kind = ProofKind::winning;
    request.message.request_id = "same";
    return request;
  }
  JobEnd run(JobState state, const RunOptions& options = {}) {
    engine_.put(sample_job("job", state));
    return runner_->run(small_request(), options);
  }

  FakeEngine engine_;
  std::unique_ptr<GrpcServer> server_;
  std::unique_ptr<JobRunner> runner_;
  std::atomic<int> submissions_ = 0;
  std::atomic<bool> is_cancelled_ = false;
  ProofRequest last_;
};

TEST_F(ClientTest, GeneratedRequestsOfAllKindsArriveAsTheyWere) {
  engine_.put(sample_job("job", JobState::completed));
  for (const char* kind : {"porep", "winning", "window", "update"}) {
    auto request = generate_request(kind, "2KiB", 3);
    ASSERT_TRUE(request.is_ok()) << kind << ": " << request.status().message();
    const JobEnd end = runner_->run(request.value(), {});
    EXPECT_EQ(end.kind, kind);
    EXPECT_EQ(last_.content_digest(), request.value().message.content_digest()) << kind;
    const auto parsed = parse_request(last_);
    ASSERT_TRUE(parsed.is_ok()) << kind << ": " << parsed.status().message();
    ASSERT_EQ(parsed.value()->num_proofs(), request.value().input->num_proofs());
    EXPECT_EQ(parsed.value()->public_inputs(0), request.value().input->public_inputs(0)) << kind;
  }
}

TEST_F(ClientTest, AFullDaemonIsAskedAgainAfterItsHint) {
  std::vector<std::string> ids;
  engine_.on_submit = [&](ProofRequest&& request) -> Result<Submitted> {
    ids.push_back(request.request_id);
    if (ids.size() < 3) return resource_exhausted("the queue is full");
    return Submitted{"job", 0, false};
  };
  const Stopwatch watch;
  const JobEnd end = run(JobState::completed);
  EXPECT_EQ(end.status, "COMPLETED") << end.error.to_string();
  EXPECT_EQ(end.retries, 2u);
  EXPECT_EQ(ids, (std::vector<std::string>{"same", "same", "same"}));
  EXPECT_GE(watch.elapsed_ms(), 2 * 30);
}

TEST_F(ClientTest, PatienceEnds) {
  engine_.on_submit = [&](ProofRequest&&) -> Result<Submitted> {
    ++submissions_;
    return resource_exhausted("the queue is full");
  };
  RunOptions options;
  options.max_retries = 2;
  const JobEnd end = runner_->run(small_request(), options);
  EXPECT_EQ(end.status, "REFUSED");
  EXPECT_EQ(end.error.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(submissions_, 3);
}

TEST_F(ClientTest, AnAcceptedJobIsAskedForAgainAfterItsDaemonStopped) {
  std::vector<std::string> ids;
  engine_.on_submit = [&](ProofRequest&& request) -> Result<Submitted> {
    ids.push_back(request.request_id);
    if (ids.size() == 1) return Submitted{"job", 0, false};
    if (ids.size() == 2) return unavailable("starting");
    engine_.put(sample_job("job", JobState::completed));
    return Submitted{"job", 0, true};
  };
  engine_.put(sample_job("job", JobState::proving));
  std::jthread stop([this] {
    while (engine_.num_subscribers() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    engine_.abandon();
  });
  const JobEnd end = runner_->run(small_request(), {});
  EXPECT_EQ(end.status, "COMPLETED") << end.error.to_string();
  EXPECT_TRUE(end.error.is_ok());
  EXPECT_EQ(end.retries, 2u);
  EXPECT_EQ(ids, (std::vector<std::string>{"same", "same", "same"}));
}

TEST_F(ClientTest, ADaemonThatStaysAwayEndsTheWaiting) {
  engine_.on_submit = [&](ProofRequest&&) -> Result<Submitted> {
    if (++submissions_ == 1) return Submitted{"job", 0, false};
    return unavailable("draining");
  };
  engine_.put(sample_job("job", JobState::proving));
  std::jthread stop([this] {
    while (engine_.num_subscribers() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    engine_.abandon();
  });
  RunOptions options;
  options.max_retries = 3;
  const JobEnd end = runner_->run(small_request(), options);
  EXPECT_EQ(end.status, "LOST");
  EXPECT_EQ(end.error.code(), StatusCode::unavailable);
  EXPECT_EQ(exit_code_of({end}), kExitParameters);
  EXPECT_EQ(submissions_, 4);
}

TEST_F(ClientTest, OtherRefusalsAreNotRepeated) {
  engine_.on_submit = [&](ProofRequest&&) -> Result<Submitted> {
    ++submissions_;
    return invalid_argument("sector_size is 7");
  };
  const JobEnd end = runner_->run(small_request(), {});
  EXPECT_EQ(end.status, "REFUSED");
  EXPECT_EQ(end.error.code(), StatusCode::invalid_argument);
  EXPECT_EQ(end.error.message(), "sector_size is 7");
  EXPECT_EQ(submissions_, 1);
  EXPECT_EQ(exit_code_of({end}), kExitBadInput);
}

TEST_F(ClientTest, EveryEndIsToldApart) {
  const JobEnd completed = run(JobState::completed);
  EXPECT_EQ(completed.status, "COMPLETED");
  EXPECT_FALSE(completed.proof.empty());
  EXPECT_TRUE(completed.error.is_ok());
  const JobEnd failed = run(JobState::failed);
  EXPECT_EQ(failed.status, "FAILED");
  EXPECT_EQ(failed.error.code(), sample_job("job", JobState::failed).error->code);
  EXPECT_EQ(exit_code_of({failed}), kExitFailure);
  const JobEnd cancelled = run(JobState::cancelled);
  EXPECT_EQ(cancelled.status, "CANCELLED");
  EXPECT_EQ(cancelled.error.code(), StatusCode::cancelled);
}

TEST_F(ClientTest, AJobThatTakesTooLongIsCancelled) {
  RunOptions options;
  options.timeout_s = 0.2;
  const JobEnd end = run(JobState::proving, options);
  EXPECT_EQ(end.status, "TIMEOUT");
  EXPECT_TRUE(is_cancelled_);
}

TEST_F(ClientTest, SpansComeWithATimeline) {
  JobSnapshot job = sample_job("job", JobState::completed);
  job.spans = {{"synth", 1, -1, 5, 7.5}, {"msm_h", 1, 0, 12.5, 30}};
  engine_.put(job);
  RunOptions options;
  options.with_spans = true;
  const JobEnd end = runner_->run(small_request(), options);
  ASSERT_EQ(end.spans.size(), 2u);
  EXPECT_EQ(end.spans[1].phase, "msm_h");
  EXPECT_EQ(end.spans[1].start_ms, 12.5);
  EXPECT_EQ(end.spans[0].partition, 1);
}

TEST_F(ClientTest, TimeOnAWorkerIsCalledAfterItsBackend) {
  const auto word = [this](const std::vector<std::string>& backends) {
    engine_.set_status([&](EngineStatus& status) {
      status.workers.clear();
      for (const std::string& backend : backends) status.workers.emplace_back().backend = backend;
    });
    DaemonOptions daemon;
    daemon.server = "127.0.0.1:" + std::to_string(server_->port());
    runner_ = std::move(make_daemon_runner(daemon)).value();
    const std::string text = job_end_text(run(JobState::completed));
    const std::size_t begin = text.rfind(", ", text.find(" ms)")) + 2;
    return text.substr(begin, text.find('=', begin) - begin);
  };
  EXPECT_EQ(word({"cpu"}), "cpu");
  EXPECT_EQ(word({"cuda", "cuda"}), "gpu");
  EXPECT_EQ(word({"cuda", "cpu"}), "prove");
}

TEST(StatusReport, SaysWhyOnlyWhereTheDaemonIsNotReady) {
  v1::GetStatusResponse status;
  status.set_ready(true);
  EXPECT_FALSE(status_report(status).contains("not_ready_because"));
  status.set_ready(false);
  status.set_not_ready_because("starting");
  EXPECT_EQ(status_report(status)["not_ready_because"], "starting");
}

TEST(Client, NoDaemonIsSaidInTime) {
  DaemonOptions daemon;
  daemon.server = "unix:/nonexistent/cuzk.sock";
  daemon.connect_timeout_s = 0.2;
  const Stopwatch watch;
  const auto runner = make_daemon_runner(daemon);
  ASSERT_FALSE(runner.is_ok());
  EXPECT_EQ(runner.status().code(), StatusCode::unavailable);
  EXPECT_NE(runner.status().message().find("/nonexistent/cuzk.sock"), std::string::npos);
  EXPECT_LT(watch.elapsed_ms(), 5000);
}

TEST(Client, ClassesHaveOneName) {
  for (const StatusCode code :
       {StatusCode::cancelled, StatusCode::invalid_argument, StatusCode::not_satisfied,
        StatusCode::resource_exhausted, StatusCode::unavailable, StatusCode::prover_fault}) {
    EXPECT_EQ(code_from_name(status_code_name(code)), code);
  }
  EXPECT_EQ(code_from_name("something else"), StatusCode::internal);
}

}  // namespace
}  // namespace cuzk
