// More than the threads can do, and memory that runs out: calls are refused or fail, the others go on, the process too.
#include <atomic>
#include <deque>
#include <new>

#include "server/grpc_test_support.h"

namespace cuzk {
namespace {

class GrpcOverload : public GrpcServerTest {
 protected:
  // Both threads for short calls are taken until leave().
  void take_threads() {
    engine_.on_cancel = [this](const std::string&) {
      ++inside_;
      soon([this] { return may_leave_.load(); });
      return true;
    };
    start();
    for (Call& call : blocking_)
      stub_->async()->CancelProof(&call.context, &call.request, &call.response,
                                  [this](const grpc::Status&) { ++left_; });
    ASSERT_TRUE(soon([this] { return inside_ == 2; }));
  }
  void leave() {
    may_leave_ = true;
    EXPECT_TRUE(soon([this] { return left_ == 2; }));
  }

  struct Call {
    grpc::ClientContext context;
    v1::CancelProofRequest request;
    v1::CancelProofResponse response;
  };
  Call blocking_[2];
  std::atomic<int> inside_ = 0, left_ = 0;
  std::atomic<bool> may_leave_ = false;
};

// Changes of a job that nobody has time to send are one task, however many.
TEST_F(GrpcOverload, ChangesOfAWatchedJobTakeOnePlace) {
  take_threads();
  engine_.put(sample_job("job-1", JobState::proving));
  may_leave_ = true;
  grpc::ClientContext watch_context;
  v1::WatchJobRequest watch;
  watch.set_job_id("job-1");
  const auto stream = stub_->WatchJob(&watch_context, watch);
  v1::JobInfo info;
  ASSERT_TRUE(stream->Read(&info));
  ASSERT_TRUE(soon([this] { return left_ == 2 && engine_.num_subscribers() == 1; }));
  may_leave_ = false;
  Call again[2];
  for (Call& call : again)
    stub_->async()->CancelProof(&call.context, &call.request, &call.response,
                                [this](const grpc::Status&) { ++left_; });
  ASSERT_TRUE(soon([this] { return inside_ == 4; }));
  JobSnapshot job = sample_job("job-1", JobState::proving);
  for (int i = 0; i < 10'000; ++i) engine_.put(job);
  grpc::ClientContext context;
  v1::GetStatusResponse status;
  std::thread client([&] { EXPECT_TRUE(stub_->GetStatus(&context, {}, &status).ok()) << "refused"; });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  may_leave_ = true;
  client.join();
  EXPECT_TRUE(soon([this] { return left_ == 4; }));
  engine_.put(sample_job("job-1", JobState::completed));
  while (stream->Read(&info)) continue;
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(info.state(), "completed");
}

TEST_F(GrpcOverload, TooManyWaitsAreRefusedAtOnce) {
  take_threads();
  engine_.put(sample_job("job-1", JobState::completed));
  constexpr int kConnections = 3;
  constexpr int kCalls = 2000;  // on each; 4,096 find a place
  v1::AwaitProofRequest request;
  request.set_job_id("job-1");
  std::deque<grpc::ClientContext> contexts(kConnections * kCalls);
  std::deque<v1::AwaitProofResponse> responses(kConnections * kCalls);
  std::vector<std::unique_ptr<v1::ProvingEngine::Stub>> stubs;
  std::atomic<int> good = 0, refused = 0, other = 0;
  for (int i = 0; i < kConnections; ++i) {
    stubs.push_back(v1::ProvingEngine::NewStub(open_channel(tcp_address())));
    for (int j = 0; j < kCalls; ++j)
      stubs.back()->async()->AwaitProof(
          &contexts[i * kCalls + j], &request, &responses[i * kCalls + j], [&](const grpc::Status& status) {
            ++(status.ok()                                                   ? good
               : status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED ? refused
                                                                             : other);
          });
  }
  EXPECT_TRUE(soon([&] { return refused == kConnections * kCalls - 4096; })) << refused;
  grpc::ClientContext context;
  v1::WatchJobRequest watch;
  watch.set_job_id("job-1");
  const auto stream = stub_->WatchJob(&context, watch);
  v1::JobInfo info;
  EXPECT_FALSE(stream->Read(&info));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(metadata(context, "retry-after-ms"), "1500");
  leave();
  EXPECT_TRUE(soon([&] { return good == 4096; })) << good;
  EXPECT_EQ(other, 0);
}

TEST_F(GrpcOverload, NoMemoryFailsTheCallAndNothingElse) {
  std::atomic<bool> has_memory = true;
  engine_.on_lookup = [&has_memory] {
    if (!has_memory) throw std::bad_alloc();
  };
  start();
  engine_.put(sample_job("job-1", JobState::proving));
  v1::WatchJobRequest watch;
  watch.set_job_id("job-1");
  grpc::ClientContext watch_context;
  const auto stream = stub_->WatchJob(&watch_context, watch);
  v1::JobInfo info;
  ASSERT_TRUE(stream->Read(&info));
  has_memory = false;
  engine_.put(sample_job("job-1", JobState::verifying));
  EXPECT_FALSE(stream->Read(&info));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(metadata(watch_context, "cuzk-job-id"), "job-1");
  v1::AwaitProofRequest await;
  await.set_job_id("job-1");
  await.set_timeout_ms(1);
  grpc::ClientContext await_context;
  v1::AwaitProofResponse awaited;
  EXPECT_EQ(stub_->AwaitProof(&await_context, await, &awaited).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
  grpc::ClientContext list_context;
  v1::ListJobsResponse listed;
  const grpc::Status status = stub_->ListJobs(&list_context, {}, &listed);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(status.error_message().find("the system has no memory left"), std::string::npos)
      << status.error_message();
  has_memory = true;
  grpc::ClientContext context;
  EXPECT_TRUE(stub_->ListJobs(&context, {}, &listed).ok());
}

}  // namespace
}  // namespace cuzk
