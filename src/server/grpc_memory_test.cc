// Bytes of requests are in the engine's memory budget from their receipt on, and nothing else of a client makes the process large (D09, D37).
#include <atomic>
#include <deque>

#include "server/grpc_test_support.h"
#include "server/process_figures.h"

namespace cuzk {
namespace {

using std::chrono::milliseconds;

class GrpcMemory : public GrpcServerTest {
 protected:
  static v1::SubmitProofRequest request_of(std::size_t size) {
    v1::SubmitProofRequest request;
    request.set_proof_kind(v1::POREP_SEAL_COMMIT);
    request.set_vanilla_proof(std::string(size, 'x'));
    return request;
  }
  // Calls that stay in the engine until leave().
  void hold_calls() {
    engine_.on_submit = [this](ProofRequest&&) {
      ++inside_;
      soon([this] { return may_leave_.load(); });
      return Submitted{"job", 0, false};
    };
    engine_.on_validate = [this](const ProofRequest&) {
      ++inside_;
      soon([this] { return may_leave_.load(); });
      return std::vector<InputFinding>();
    };
  }
  void start_submit(std::size_t size) {
    Call& call = calls_.emplace_back();
    call.request = request_of(size);
    stub_->async()->SubmitProof(&call.context, &call.request, &call.response,
                                [this](const grpc::Status& status) {
                                  ++(status.ok()                                                   ? good_
                                     : status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED ? refused_
                                                                                                   : other_);
                                });
  }
  void leave() {
    may_leave_ = true;
    EXPECT_TRUE(soon([this] { return good_ + refused_ + other_ == static_cast<int>(calls_.size()); }));
  }
  std::uint64_t used() const { return engine_.host.used_bytes(); }

  struct Call {
    grpc::ClientContext context;
    v1::SubmitProofRequest request;
    v1::SubmitProofResponse response;
  };
  std::deque<Call> calls_;
  std::atomic<int> inside_ = 0, good_ = 0, refused_ = 0, other_ = 0;
  std::atomic<bool> may_leave_ = false;
};

TEST_F(GrpcMemory, RequestsCountUntilTheyAreDone) {
  hold_calls();
  start();
  // Two are with the engine, the others wait for a thread.
  for (int i = 0; i < 5; ++i) start_submit(1'000'000);
  ASSERT_TRUE(soon([this] { return inside_ == 2 && used() >= 5 * 2'000'000; })) << used();
  EXPECT_LT(used(), 5 * 2'020'000u);
  grpc::ClientContext context;
  v1::GetStatusResponse status;
  ASSERT_TRUE(stub_->GetStatus(&context, {}, &status).ok());
  EXPECT_EQ(status.pinned_memory_bytes(), used());
  leave();
  EXPECT_EQ(good_, 5);
  EXPECT_TRUE(soon([this] { return used() == 0; })) << used();
}

TEST_F(GrpcMemory, ValidationCountsToo) {
  hold_calls();
  start();
  v1::ValidateRequest request;
  *request.mutable_submit() = request_of(1'000'000);
  std::thread client([&] {
    grpc::ClientContext context;
    v1::ValidateResponse response;
    EXPECT_TRUE(stub_->Validate(&context, request, &response).ok());
  });
  EXPECT_TRUE(soon([this] { return inside_ == 1; }));
  EXPECT_GE(used(), 2'000'000u);
  may_leave_ = true;
  client.join();
  EXPECT_TRUE(soon([this] { return used() == 0; })) << used();
}

TEST_F(GrpcMemory, NoRoomIsSaidAtOnceWithTheNumbers) {
  hold_calls();
  const Reservation others =
      engine_.host.try_reserve("others", engine_.host.limit_bytes() - 9'000'000).value();
  start();
  for (int i = 0; i < 4; ++i) start_submit(1'000'000);
  ASSERT_TRUE(soon([&] { return inside_ == 2 && used() >= others.bytes() + 8'000'000; }));
  // Two of them wait in line; this one must not.
  grpc::ClientContext context;
  v1::SubmitProofResponse response;
  const grpc::Status status = stub_->SubmitProof(&context, request_of(1'500'000), &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(status.error_message().find("host memory: a message needs 15"), 0u) << status.error_message();
  const std::string free = std::to_string(engine_.host.free_bytes());
  const std::string limit = std::to_string(engine_.host.limit_bytes());
  EXPECT_NE(status.error_message().find(free + " of " + limit + " are free"), std::string::npos)
      << status.error_message();
  EXPECT_EQ(metadata(context, "cuzk-phase"), "admission");
  EXPECT_EQ(metadata(context, "cuzk-retryable"), "true");
  EXPECT_EQ(metadata(context, "retry-after-ms"), "1500");
  EXPECT_EQ(
      engine_.refused(),
      (std::vector<std::pair<ProofKind, StatusCode>>{{ProofKind::porep, StatusCode::resource_exhausted}}));
  leave();
  EXPECT_EQ(good_, 4);
  EXPECT_TRUE(soon([&] { return used() == others.bytes(); })) << used();
}

TEST_F(GrpcMemory, D09AFloodStaysWithinTheBudget) {
  constexpr std::uint64_t kFree = 12'500'000;
  const Reservation others = engine_.host.try_reserve("others", engine_.host.limit_bytes() - kFree).value();
  std::atomic<std::uint64_t> held = 0;
  std::atomic<int> over = 0;
  engine_.on_submit = [&](ProofRequest&& request) {
    const std::uint64_t bytes = 2 * request.memory_bytes();
    over += (held += bytes) > kFree || held > used() - others.bytes();
    std::this_thread::sleep_for(milliseconds(5));
    held -= bytes;
    return Submitted{"job", 0, false};
  };
  start();
  constexpr int kCalls = 100;
  for (int i = 0; i < kCalls; ++i) start_submit(1'000'000);
  leave();
  EXPECT_EQ(good_ + refused_, kCalls);
  EXPECT_GT(good_, 0);
  EXPECT_EQ(over, 0);
  EXPECT_EQ(static_cast<int>(engine_.refused().size()), refused_);
  EXPECT_TRUE(soon([&] { return used() == others.bytes(); })) << used();
}

TEST_F(GrpcMemory, ClientsThatGoAwayGiveTheirBytesBack) {
  hold_calls();
  start();
  for (int i = 0; i < 4; ++i) start_submit(1'000'000);
  ASSERT_TRUE(soon([this] { return inside_ == 2 && used() >= 4 * 2'000'000; }));
  for (Call& call : calls_) call.context.TryCancel();
  ASSERT_TRUE(soon([this] { return other_ == 4; }));
  // On the same connection, so that it comes after the news; then a while for that to reach the calls.
  grpc::ClientContext context;
  v1::GetStatusResponse status;
  EXPECT_TRUE(stub_->GetStatus(&context, {}, &status).ok());
  std::this_thread::sleep_for(std::chrono::seconds(1));
  leave();
  EXPECT_TRUE(soon([this] { return used() == 0; })) << used();
  EXPECT_EQ(inside_, 2) << "a request whose client has gone was handed over";
}

// The allocator keeps what was freed in pieces, as bodies are.
TEST_F(GrpcMemory, TheProcessIsSmallAgainAfterAFlood) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers have an allocator of their own";
#endif
  constexpr std::uint64_t kSlack = std::uint64_t{50} << 20;
  start();
  const std::uint64_t before = read_process_figures().resident_bytes;
  {
    const v1::SubmitProofRequest request = request_of(40'000'000);
    std::vector<std::thread> clients;
    for (int i = 0; i < 12; ++i)
      clients.emplace_back([&] {
        grpc::ClientContext context;
        v1::SubmitProofResponse response;
        const auto stub = v1::ProvingEngine::NewStub(open_channel(tcp_address()));
        EXPECT_TRUE(stub->SubmitProof(&context, request, &response).ok());
      });
    for (std::thread& client : clients) client.join();
  }
  EXPECT_TRUE(soon([&] { return read_process_figures().resident_bytes < before + kSlack; }))
      << read_process_figures().resident_bytes - before;
}

// What cannot be read is an error of ours, with class and phase, and costs nothing.
TEST_F(GrpcMemory, UnreadableRequestsAreInvalid) {
  start();
  v1::SubmitProofRequest request = request_of(10);
  for (int i = 0; i < 20'001; ++i) request.add_vanilla_proofs();
  grpc::ClientContext context;
  v1::SubmitProofResponse response;
  const grpc::Status status = stub_->SubmitProof(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(status.error_message().find("more than 20000 fields"), std::string::npos)
      << status.error_message();
  EXPECT_EQ(metadata(context, "cuzk-error-class"), "invalid_argument");
  EXPECT_EQ(metadata(context, "cuzk-phase"), "parse");
  EXPECT_EQ(used(), 0u);
}

TEST_F(GrpcMemory, OnlyRequestsForProofsMayBeLarge) {
  start();
  v1::AwaitProofRequest await;
  await.set_job_id(std::string(300'000, 'x'));
  grpc::ClientContext context;
  v1::AwaitProofResponse awaited;
  const grpc::Status status = stub_->AwaitProof(&context, await, &awaited);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(status.error_message().find("cuzk.v1.AwaitProofRequest has 262144 at most"), std::string::npos)
      << status.error_message();
  EXPECT_EQ(metadata(context, "cuzk-phase"), "parse");
  v1::WatchJobRequest watch;
  watch.set_job_id(await.job_id());
  grpc::ClientContext second;
  v1::JobInfo info;
  const auto stream = stub_->WatchJob(&second, watch);
  EXPECT_FALSE(stream->Read(&info));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(metadata(second, "cuzk-phase"), "parse");
  v1::PreloadSrsRequest preload;
  preload.set_circuit_id(await.job_id());
  grpc::ClientContext third;
  v1::PreloadSrsResponse preloaded;
  EXPECT_EQ(stub_->PreloadSRS(&third, preload, &preloaded).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

// A message of 100 bytes may become one of 100,000.
TEST_F(GrpcMemory, CompressedMessagesAreRefused) {
  start();
  for (const grpc_compression_algorithm algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    grpc::ClientContext context;
    context.set_compression_algorithm(algorithm);
    v1::SubmitProofResponse response;
    const grpc::Status status = stub_->SubmitProof(&context, request_of(100'000), &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << status.error_message();
  }
  EXPECT_EQ(used(), 0u);
}

// What gRPC may hold while it receives follows from the budget, but the largest message always passes.
TEST_F(GrpcMemory, TheLargestMessagePassesHoweverSmallTheBudget) {
  engine_.set_status([](EngineStatus& status) { status.host_memory.limit_bytes = 100'000'000; });
  GrpcOptions options;
  options.max_message_bytes = 64u << 20;
  start(options);
  v1::SubmitProofRequest request = request_of(options.max_message_bytes - 20);
  while (request.ByteSizeLong() < options.max_message_bytes) request.mutable_request_id()->push_back('x');
  while (request.ByteSizeLong() > options.max_message_bytes) request.mutable_vanilla_proof()->pop_back();
  for (const std::string& address : {tcp_address(), "unix:" + socket_path().string()})
    for (int i = 0; i < 3; ++i) {
      grpc::ClientContext context;
      v1::SubmitProofResponse response;
      const grpc::Status status =
          v1::ProvingEngine::NewStub(open_channel(address))->SubmitProof(&context, request, &response);
      EXPECT_TRUE(status.ok()) << address << ": " << status.error_message();
    }
}

}  // namespace
}  // namespace cuzk
