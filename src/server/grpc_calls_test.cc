// Every call of the service, over TCP and over the unix socket.
#include <future>

#include "server/grpc_test_support.h"

namespace cuzk {
namespace {

using std::chrono::milliseconds;

// The same over TCP (false) and over the socket (true).
class EveryCall : public GrpcServerTest, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    start();
    if (GetParam()) channel_ = open_channel("unix:" + socket_path().string());
    stub_ = v1::ProvingEngine::NewStub(channel_);
  }
  grpc::ClientContext context_;
};

INSTANTIATE_TEST_SUITE_P(Transport, EveryCall, testing::Bool());

TEST_P(EveryCall, SubmitProof) {
  std::promise<ProofRequest> promise;
  engine_.on_submit = [&promise](ProofRequest&& request) {
    promise.set_value(std::move(request));
    return Submitted{"job-7", 3, false};
  };
  v1::SubmitProofResponse response;
  const grpc::Status status = stub_->SubmitProof(&context_, winning_request(), &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.job_id(), "job-7");
  EXPECT_EQ(response.queue_position(), 3u);
  const ProofRequest seen = promise.get_future().get();
  EXPECT_EQ(seen.kind, ProofKind::winning);
  EXPECT_EQ(seen.vanilla_proofs, std::vector<std::string>{"vanilla"});
}

TEST_P(EveryCall, AwaitProofOfAJobThatEndsLater) {
  engine_.put(sample_job("job-1", JobState::queued));
  std::thread later([this] {
    EXPECT_TRUE(soon([this] { return engine_.num_subscribers() == 1; }));
    engine_.put(sample_job("job-1", JobState::proving));
    engine_.put(sample_job("job-1", JobState::completed));
  });
  v1::AwaitProofRequest request;
  request.set_job_id("job-1");
  v1::AwaitProofResponse response;
  const grpc::Status status = stub_->AwaitProof(&context_, request, &response);
  later.join();
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.status(), v1::AwaitProofResponse::COMPLETED);
  EXPECT_EQ(response.proof().size(), 1920u);
}

TEST_P(EveryCall, AwaitProofOfAJobThatHasEnded) {
  engine_.put(sample_job("job-1", JobState::cancelled));
  v1::AwaitProofRequest request;
  request.set_job_id("job-1");
  v1::AwaitProofResponse response;
  ASSERT_TRUE(stub_->AwaitProof(&context_, request, &response).ok());
  EXPECT_EQ(response.status(), v1::AwaitProofResponse::CANCELLED);
}

TEST_P(EveryCall, AwaitProofTimesOutInTheAnswer) {
  engine_.put(sample_job("job-1", JobState::proving));
  v1::AwaitProofRequest request;
  request.set_job_id("job-1");
  request.set_timeout_ms(50);
  v1::AwaitProofResponse response;
  ASSERT_TRUE(stub_->AwaitProof(&context_, request, &response).ok());
  EXPECT_EQ(response.status(), v1::AwaitProofResponse::TIMEOUT);
  EXPECT_EQ(response.job_id(), "job-1");
}

// A failed job is a good call with a bad result, and all its findings (D30).
TEST_P(EveryCall, Prove) {
  engine_.on_submit = [this](ProofRequest&&) {
    engine_.put(sample_job("job-1", JobState::failed));
    return Submitted{"job-1", 0, false};
  };
  v1::ProveRequest request;
  *request.mutable_submit() = winning_request();
  v1::ProveResponse response;
  const grpc::Status status = stub_->Prove(&context_, request, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.result().status(), v1::AwaitProofResponse::FAILED);
  EXPECT_EQ(response.result().error().findings_size(), 2);
}

TEST_P(EveryCall, CancelProof) {
  engine_.on_cancel = [](const std::string& job_id) { return job_id == "job-1"; };
  v1::CancelProofRequest request;
  request.set_job_id("job-1");
  v1::CancelProofResponse response;
  ASSERT_TRUE(stub_->CancelProof(&context_, request, &response).ok());
  EXPECT_TRUE(response.was_running());
}

TEST_P(EveryCall, GetStatusAndMetrics) {
  engine_.set_status([](EngineStatus& status) { status.kinds[0].pending = 4; });
  v1::GetStatusResponse status;
  ASSERT_TRUE(stub_->GetStatus(&context_, {}, &status).ok());
  EXPECT_EQ(status.version(), "1.2.3");
  EXPECT_EQ(status.queues(0).pending(), 4u);
  grpc::ClientContext second;
  v1::GetMetricsResponse metrics;
  ASSERT_TRUE(stub_->GetMetrics(&second, {}, &metrics).ok());
  EXPECT_NE(metrics.prometheus_text().find("cuzk_jobs_pending{kind=\"porep\"} 4\n"), std::string::npos);
}

TEST_P(EveryCall, PreloadAndEvict) {
  engine_.on_preload = [](const std::string& circuit_id) -> Result<bool> {
    std::this_thread::sleep_for(milliseconds(20));
    return circuit_id == "porep-32g";
  };
  engine_.on_evict = [](const std::string&) { return std::optional<std::uint64_t>(47); };
  v1::PreloadSrsRequest preload;
  preload.set_circuit_id("wpost-32g");
  v1::PreloadSrsResponse loaded;
  ASSERT_TRUE(stub_->PreloadSRS(&context_, preload, &loaded).ok());
  EXPECT_FALSE(loaded.already_loaded());
  EXPECT_GE(loaded.load_time_ms(), 19u);
  grpc::ClientContext second;
  v1::EvictSrsResponse evicted;
  ASSERT_TRUE(stub_->EvictSRS(&second, {}, &evicted).ok());
  EXPECT_TRUE(evicted.was_loaded());
  EXPECT_EQ(evicted.freed_bytes(), 47u);
}

TEST_P(EveryCall, ListJobs) {
  for (int i = 0; i < 60; ++i) engine_.put(sample_job("job-" + std::to_string(i), JobState::completed));
  v1::ListJobsResponse response;
  ASSERT_TRUE(stub_->ListJobs(&context_, {}, &response).ok());
  EXPECT_EQ(response.jobs_size(), 50);
  EXPECT_EQ(response.jobs(0).job_id(), "job-59");
  grpc::ClientContext second;
  v1::ListJobsRequest three;
  three.set_limit(3);
  ASSERT_TRUE(stub_->ListJobs(&second, three, &response).ok());
  EXPECT_EQ(response.jobs_size(), 3);
}

TEST_P(EveryCall, Validate) {
  engine_.on_validate = [](const ProofRequest&) { return sample_job("", JobState::failed).error->findings; };
  v1::ValidateRequest request;
  *request.mutable_submit() = winning_request();
  v1::ValidateResponse response;
  ASSERT_TRUE(stub_->Validate(&context_, request, &response).ok());
  ASSERT_EQ(response.findings_size(), 2);
  EXPECT_EQ(response.findings(1).sector_id(), 17u);
}

TEST_P(EveryCall, DrainAndUndrain) {
  engine_.set_status([](EngineStatus& status) { status.kinds[0].pending = status.kinds[1].in_progress = 2; });
  v1::DrainResponse drained;
  ASSERT_TRUE(stub_->Drain(&context_, {}, &drained).ok());
  EXPECT_EQ(drained.unfinished_jobs(), 4u);
  EXPECT_TRUE(engine_.status().draining);
  grpc::ClientContext second;
  v1::UndrainResponse undrained;
  ASSERT_TRUE(stub_->Undrain(&second, {}, &undrained).ok());
  EXPECT_FALSE(engine_.status().draining);
}

TEST_P(EveryCall, WatchJob) {
  engine_.put(sample_job("job-1", JobState::queued));
  v1::WatchJobRequest request;
  request.set_job_id("job-1");
  const auto stream = stub_->WatchJob(&context_, request);
  v1::JobInfo info;
  ASSERT_TRUE(stream->Read(&info));
  EXPECT_EQ(info.state(), "queued");
  engine_.put(sample_job("job-1", JobState::proving));
  ASSERT_TRUE(stream->Read(&info));
  EXPECT_EQ(info.state(), "proving");
  engine_.put(sample_job("job-1", JobState::completed));
  ASSERT_TRUE(stream->Read(&info));
  EXPECT_EQ(info.state(), "completed");
  EXPECT_FALSE(stream->Read(&info));
  EXPECT_TRUE(stream->Finish().ok());
}

}  // namespace
}  // namespace cuzk
