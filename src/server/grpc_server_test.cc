// Waits without threads, streams, errors, clients that go away, shutdown, health and reflection.
#include "server/grpc_server.h"

#include <grpcpp/generic/generic_stub.h>

#include <atomic>
#include <future>

#include "server/grpc_test_support.h"
#include "server/process_figures.h"

namespace cuzk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class Grpc : public GrpcServerTest {};

// A receiver that sleeps gets the last state, not all that happened meanwhile.
TEST_F(Grpc, WatchMergesForASlowReceiver) {
  start();
  JobSnapshot job = sample_job("job-1", JobState::proving);
  job.spans.assign(2000, {"synth", 1, 0, 1, 1});
  engine_.put(job);
  grpc::ClientContext context;
  v1::WatchJobRequest request;
  request.set_job_id("job-1");
  const auto stream = stub_->WatchJob(&context, request);
  ASSERT_TRUE(soon([this] { return engine_.num_subscribers() == 1; }));
  constexpr unsigned kChanges = 2000;
  for (job.partitions_done = 1; job.partitions_done < kChanges; ++job.partitions_done) engine_.put(job);
  job.state = JobState::completed;
  engine_.put(job);
  unsigned messages = 0;
  v1::JobInfo info;
  while (stream->Read(&info)) ++messages;
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(info.partitions_done(), kChanges);
  EXPECT_LT(messages, kChanges / 2);
}

// Each code of the engine is the same number on the wire, with metadata for programs (D36).
TEST_F(Grpc, ErrorsCarryClassPhaseJobAndAdvice) {
  const std::vector<std::pair<StatusCode, grpc::StatusCode>> codes = {
      {StatusCode::invalid_argument, grpc::StatusCode::INVALID_ARGUMENT},
      {StatusCode::already_exists, grpc::StatusCode::ALREADY_EXISTS},
      {StatusCode::resource_exhausted, grpc::StatusCode::RESOURCE_EXHAUSTED},
      {StatusCode::not_satisfied, grpc::StatusCode::FAILED_PRECONDITION},
      {StatusCode::internal, grpc::StatusCode::INTERNAL},
      {StatusCode::unavailable, grpc::StatusCode::UNAVAILABLE},
      {StatusCode::prover_fault, grpc::StatusCode::DATA_LOSS}};
  std::atomic<std::size_t> calls = 0;
  engine_.on_submit = [&](ProofRequest&&) {
    return Status(codes.at(calls++).first, "one sentence with 7 numbers");
  };
  start();
  for (const auto& [code, wire] : codes) {
    grpc::ClientContext context;
    v1::SubmitProofResponse response;
    const grpc::Status status = stub_->SubmitProof(&context, winning_request(), &response);
    EXPECT_EQ(status.error_code(), wire);
    EXPECT_EQ(status.error_message(), "one sentence with 7 numbers");
    EXPECT_EQ(metadata(context, "cuzk-error-class"), status_code_name(code));
    EXPECT_EQ(metadata(context, "cuzk-phase"), code == StatusCode::invalid_argument ? "parse" : "admission");
    const bool may_come_back = code == StatusCode::resource_exhausted || code == StatusCode::unavailable;
    EXPECT_EQ(metadata(context, "retry-after-ms"), may_come_back ? "1500" : "");
    EXPECT_EQ(metadata(context, "cuzk-retryable"),
              may_come_back || code == StatusCode::prover_fault ? "true" : "false");
  }
}

// An id of any bytes comes back in a header, and a sentence of any length in another.
TEST_F(Grpc, ForeignTextInErrorsDoesNoHarm) {
  start();
  v1::AwaitProofRequest request;
  request.set_job_id("caf\u00e9\n" + std::string(100'000, 'x'));
  grpc::ClientContext context;
  v1::AwaitProofResponse response;
  const grpc::Status status = stub_->AwaitProof(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_LT(status.error_message().size(), 2001u);
  EXPECT_EQ(metadata(context, "cuzk-job-id").substr(0, 7), "caf???x");
  EXPECT_EQ(metadata(context, "cuzk-phase"), "lookup");
}

// D32
TEST_F(Grpc, UnspecifiedKindIsRefusedBeforeTheEngine) {
  engine_.on_submit = [](ProofRequest&&) -> Result<Submitted> {
    return internal_error("reached the engine");
  };
  start();
  v1::SubmitProofRequest request = winning_request();
  request.clear_proof_kind();
  grpc::ClientContext context;
  v1::SubmitProofResponse response;
  const grpc::Status status = stub_->SubmitProof(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(metadata(context, "cuzk-phase"), "parse");
}

TEST_F(Grpc, UnknownJobs) {
  engine_.on_cancel = [](const std::string&) { return Status(StatusCode::not_found, "no such job"); };
  start();
  v1::CancelProofResponse cancelled;
  grpc::ClientContext first;
  EXPECT_EQ(stub_->CancelProof(&first, {}, &cancelled).error_code(), grpc::StatusCode::NOT_FOUND);
  grpc::ClientContext second;
  v1::WatchJobRequest request;
  request.set_job_id("gone");
  const auto stream = stub_->WatchJob(&second, request);
  v1::JobInfo info;
  EXPECT_FALSE(stream->Read(&info));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(metadata(second, "cuzk-error-class"), "not_found");
  EXPECT_EQ(metadata(second, "cuzk-job-id"), "gone");
}

// Waiters hold no threads, and other calls are answered while they wait.
TEST_F(Grpc, FiveHundredWaitAtOnce) {
  start();
  engine_.put(sample_job("job-1", JobState::proving));
  constexpr int kWaiters = 500;
  std::vector<grpc::ClientContext> contexts(kWaiters);
  std::vector<v1::AwaitProofResponse> responses(kWaiters);
  std::atomic<int> completed = 0;
  v1::AwaitProofRequest request;
  request.set_job_id("job-1");
  const std::uint64_t threads_before = read_process_figures().threads;
  for (int i = 0; i < kWaiters; ++i)
    stub_->async()->AwaitProof(
        &contexts[i], &request, &responses[i],
        [&completed](const grpc::Status& status) { completed += status.ok() ? 1 : 0; });
  ASSERT_TRUE(soon([this] { return engine_.num_subscribers() == kWaiters; }));
  EXPECT_LT(read_process_figures().threads, threads_before + 50);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + seconds(30));
  v1::GetStatusResponse status;
  EXPECT_TRUE(stub_->GetStatus(&context, {}, &status).ok());
  engine_.put(sample_job("job-1", JobState::completed));
  EXPECT_TRUE(soon([&completed] { return completed == kWaiters; }));
  for (const v1::AwaitProofResponse& response : responses)
    EXPECT_EQ(response.status(), v1::AwaitProofResponse::COMPLETED);
}

// D10: a client that gives up, or whose deadline passes, frees its place at once; the job goes on.
TEST_F(Grpc, WaitersThatGoAwayAreFreed) {
  std::atomic<int> cancels = 0;
  engine_.on_cancel = [&cancels](const std::string&) { return ++cancels > 0; };
  start();
  engine_.put(sample_job("job-1", JobState::proving));
  v1::AwaitProofRequest await;
  await.set_job_id("job-1");
  v1::ProveRequest prove;
  *prove.mutable_submit() = winning_request();
  v1::WatchJobRequest watch;
  watch.set_job_id("job-1");
  grpc::ClientContext contexts[3];
  v1::AwaitProofResponse awaited;
  v1::ProveResponse proved;
  std::promise<grpc::Status> ends[2];
  stub_->async()->AwaitProof(&contexts[0], &await, &awaited,
                             [&](grpc::Status status) { ends[0].set_value(status); });
  stub_->async()->Prove(&contexts[1], &prove, &proved,
                        [&](grpc::Status status) { ends[1].set_value(status); });
  const auto stream = stub_->WatchJob(&contexts[2], watch);
  ASSERT_TRUE(soon([this] { return engine_.num_subscribers() == 3; }));
  for (grpc::ClientContext& context : contexts) context.TryCancel();
  EXPECT_TRUE(soon([this] { return engine_.num_subscribers() == 0; }));
  for (auto& end : ends) EXPECT_EQ(end.get_future().get().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
  grpc::ClientContext late;
  late.set_deadline(std::chrono::system_clock::now() + milliseconds(100));
  EXPECT_EQ(stub_->AwaitProof(&late, await, &awaited).error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(soon([this] { return engine_.num_subscribers() == 0; }));
  EXPECT_EQ(cancels, 0);
}

// D28: who waits is told that the daemon goes, and that the job does not.
TEST_F(Grpc, ShutdownTellsWaiters) {
  start();
  engine_.put(sample_job("job-1", JobState::proving));
  v1::AwaitProofRequest await;
  await.set_job_id("job-1");
  v1::WatchJobRequest watch;
  watch.set_job_id("job-1");
  grpc::ClientContext contexts[2];
  v1::AwaitProofResponse awaited;
  std::promise<grpc::Status> end;
  stub_->async()->AwaitProof(&contexts[0], &await, &awaited,
                             [&end](grpc::Status status) { end.set_value(status); });
  const auto stream = stub_->WatchJob(&contexts[1], watch);
  ASSERT_TRUE(soon([this] { return engine_.num_subscribers() == 2; }));
  engine_.shut_down(milliseconds(0));
  server_->shut_down(seconds(5));
  const grpc::Status status = end.get_future().get();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_NE(status.error_message().find("shuts down before job job-1"), std::string::npos)
      << status.error_message();
  v1::JobInfo info;
  while (stream->Read(&info)) continue;
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_FALSE(std::filesystem::exists(socket_path()));
}

// Also without the engine's word a shutdown ends in bounded time.
TEST_F(Grpc, ShutdownCancelsWhatStillWaits) {
  start();
  engine_.put(sample_job("job-1", JobState::proving));
  v1::AwaitProofRequest await;
  await.set_job_id("job-1");
  grpc::ClientContext context;
  v1::AwaitProofResponse awaited;
  std::promise<grpc::Status> end;
  stub_->async()->AwaitProof(&context, &await, &awaited,
                             [&end](grpc::Status status) { end.set_value(status); });
  ASSERT_TRUE(soon([this] { return engine_.num_subscribers() == 1; }));
  const auto begin = std::chrono::steady_clock::now();
  server_->shut_down(milliseconds(100));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(5));
  EXPECT_FALSE(end.get_future().get().ok());
}

// One call of a service whose generated code is not at hand: a message of one string (field 1) and the answer's bytes.
std::pair<grpc::Status, std::string> raw_call(const std::shared_ptr<grpc::Channel>& channel,
                                              const std::string& method, const std::string& text) {
  grpc::GenericStub stub(channel);
  const std::string bytes =
      text.empty() ? "" : "\x0a" + std::string(1, static_cast<char>(text.size())) + text;
  grpc::Slice slice(bytes);
  const grpc::ByteBuffer request(&slice, 1);
  grpc::ByteBuffer response;
  grpc::ClientContext context;
  std::promise<grpc::Status> end;
  stub.UnaryCall(&context, method, {}, &request, &response,
                 [&end](grpc::Status status) { end.set_value(status); });
  const grpc::Status status = end.get_future().get();
  grpc::Slice whole;
  if (status.ok()) response.DumpToSingleSlice(&whole);
  return {status, std::string(reinterpret_cast<const char*>(whole.begin()), whole.size())};
}

// The standard health service: SERVING (1) only while proofs are accepted.
TEST_F(Grpc, HealthFollowsTheEngine) {
  engine_.set_status([](EngineStatus& status) { status.ready = false; });
  start();
  const auto is = [this](const std::string& service, char wanted) {
    const auto [status, bytes] = raw_call(channel_, "/grpc.health.v1.Health/Check", service);
    return status.ok() && bytes == std::string("\x08") + wanted;
  };
  constexpr char kServing = 1;
  constexpr char kNotServing = 2;
  EXPECT_TRUE(is("", kNotServing));
  EXPECT_TRUE(is("cuzk.v1.ProvingEngine", kNotServing));
  engine_.set_status([](EngineStatus& status) { status.ready = true; });
  EXPECT_TRUE(soon([&] { return is("", kServing) && is("cuzk.v1.ProvingEngine", kServing); }));
  grpc::ClientContext context;
  v1::DrainResponse drained;
  ASSERT_TRUE(stub_->Drain(&context, {}, &drained).ok());
  EXPECT_TRUE(is("", kNotServing));
  grpc::ClientContext second;
  v1::UndrainResponse undrained;
  ASSERT_TRUE(stub_->Undrain(&second, {}, &undrained).ok());
  EXPECT_TRUE(is("", kServing));
}

TEST_F(Grpc, ReflectionListsTheService) {
  start();
  grpc::GenericStub stub(channel_);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const auto call =
      stub.PrepareCall(&context, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  void* tag = nullptr;
  bool is_ok = false;
  const auto next = [&] { return queue.Next(&tag, &is_ok) && is_ok; };
  call->StartCall(nullptr);
  ASSERT_TRUE(next());
  grpc::Slice slice("\x3a\x01*");  // list_services = "*"
  call->Write(grpc::ByteBuffer(&slice, 1), nullptr);
  ASSERT_TRUE(next());
  grpc::ByteBuffer answer;
  call->Read(&answer, nullptr);
  ASSERT_TRUE(next());
  grpc::Slice whole;
  answer.DumpToSingleSlice(&whole);
  EXPECT_NE(
      std::string(reinterpret_cast<const char*>(whole.begin()), whole.size()).find("cuzk.v1.ProvingEngine"),
      std::string::npos);
  context.TryCancel();
  grpc::Status status;
  call->Finish(&status, nullptr);
  queue.Next(&tag, &is_ok);
  queue.Shutdown();
  while (queue.Next(&tag, &is_ok)) continue;
}

}  // namespace
}  // namespace cuzk
