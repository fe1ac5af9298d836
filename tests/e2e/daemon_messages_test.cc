// D37: messages of real size over TCP and unix sockets, one byte over the limit, ten at once, slowly; and answers of such a size.
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <thread>

#include "proof_requests.h"
#include "running_daemon.h"
#include "slow_wire.h"

namespace cuzk {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{256} << 20;

// A message of exactly so many bytes, that is read and found to be no vanilla proof. The request id fills it up.
v1::SubmitProofRequest message_of(std::uint64_t bytes) {
  v1::SubmitProofRequest request = proof_request(ProofKind::window, 1);
  request.clear_vanilla_proofs();
  request.add_vanilla_proofs(std::string(bytes - 150, 'x'));
  request.set_request_id("x");
  request.set_request_id(std::string(1 + bytes - request.ByteSizeLong(), 'x'));
  return request;
}

// It arrived whole: the refusal is about its content.
void expect_read(DaemonClient& client, std::uint64_t bytes) {
  const v1::SubmitProofRequest request = message_of(bytes);
  ASSERT_EQ(request.ByteSizeLong(), bytes);
  const auto answer = client.submit(request);
  EXPECT_EQ(answer.code, kRpcInvalidArgument) << bytes << ": " << answer.message;
  EXPECT_NE(answer.message.find("vanilla_proofs[0]"), std::string::npos) << answer.message;
}

class DaemonMessages : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(daemon_.start()); }
  void expect_alive() {
    const auto proved = daemon_.client().prove(proof_request(ProofKind::window, ++seed_));
    EXPECT_EQ(proved.value.result().status(), v1::AwaitProofResponse::COMPLETED) << proved.message;
  }

  RunningDaemon daemon_{{ProofKind::window}};
  std::uint64_t seed_ = 0;
};

TEST_F(DaemonMessages, D37RealSizesPassAndOneByteOverIsRefused) {
  for (const std::string& address : {daemon_.tcp_address(), daemon_.socket_address()}) {
    SCOPED_TRACE(address);
    DaemonClient client(address);
    for (const std::uint64_t bytes : {3'900'000, 4'100'000, 50'000'000, 200'000'000})
      expect_read(client, bytes);
    expect_read(client, kLimit);
    const auto over = client.submit(message_of(kLimit + 1));
    EXPECT_EQ(over.code, kRpcResourceExhausted) << over.message;
    EXPECT_NE(over.message.find(std::to_string(kLimit + 1)), std::string::npos) << over.message;
    EXPECT_NE(over.message.find(std::to_string(kLimit)), std::string::npos) << over.message;
  }
  expect_alive();
}

TEST_F(DaemonMessages, D37TenLargeOnesAtOnceAreReadOrToldToComeBack) {
  const v1::SubmitProofRequest request = message_of(50'000'000);
  std::vector<std::thread> clients;
  std::vector<RpcFailure> answers(10);
  for (RpcFailure& answer : answers)
    clients.emplace_back([&] { answer = DaemonClient(daemon_.tcp_address()).submit(request); });
  expect_alive();
  for (std::thread& client : clients) client.join();
  for (const RpcFailure& answer : answers) {
    EXPECT_TRUE(answer.code == kRpcInvalidArgument || answer.code == kRpcResourceExhausted) << answer.message;
    if (answer.code == kRpcResourceExhausted) {
      EXPECT_GT(answer.retry_after_ms, 0) << answer.message;
    }
  }
  EXPECT_LT(process_use(daemon_.process().pid()).private_bytes, std::uint64_t{2} << 30);
  EXPECT_EQ(daemon_.metric("cuzk_jobs_submitted_total"), 1) << "none of them is a job";
}

// Six clients whose messages trickle in, 100 s each at that pace: others are served meanwhile, and all of them arrive whole in the end.
TEST_F(DaemonMessages, D37SlowSendersHoldUpNobody) {
  constexpr std::uint64_t kBytes = 20'000'000;
  const v1::SubmitProofRequest request = message_of(kBytes);
  std::vector<std::unique_ptr<SlowWire>> wires;
  std::vector<RpcFailure> answers(6);
  std::vector<std::thread> clients;
  for (RpcFailure& answer : answers) {
    wires.push_back(std::make_unique<SlowWire>(daemon_.process().grpc_port(), SlowWire::Pace::trickle));
    clients.emplace_back(
        [&, address = wires.back()->address()] { answer = DaemonClient(address).submit(request); });
  }
  for (const auto& wire : wires)
    for (int i = 0; i < 3000 && wire->carried() < 50'000; ++i) ::usleep(20'000);
  for (int i = 0; i < 3; ++i) expect_alive();
  for (const auto& wire : wires) {
    EXPECT_GE(wire->carried(), 50'000u) << "nothing has come yet";
    EXPECT_LT(wire->carried(), kBytes) << "all has come already";
    wire->set_pace(SlowWire::Pace::full);
  }
  for (std::thread& client : clients) client.join();
  for (const RpcFailure& answer : answers) {
    EXPECT_EQ(answer.code, kRpcInvalidArgument) << answer.message;
    EXPECT_NE(answer.message.find("vanilla_proofs[0]"), std::string::npos) << answer.message;
  }
}

// A list of jobs that failed, with all that was wrong with each, beyond the 4 MiB of a library's default; and beyond the daemon's own limit.
TEST_F(DaemonMessages, D37LargeAnswersArriveWhole) {
  constexpr std::uint64_t kFailures = 400;
  v1::SubmitProofRequest request = faulty_request(ProofKind::window, 1);
  for (std::uint64_t i = 0; i < kFailures; ++i) {
    request.set_request_id(std::to_string(i) + std::string(12'000, 'x'));
    const auto submitted = daemon_.client().submit(request);
    ASSERT_TRUE(submitted.is_ok()) << submitted.message;
  }
  ASSERT_TRUE(daemon_.wait_until_idle());
  const auto all = daemon_.client().list_jobs(1000);
  ASSERT_TRUE(all.is_ok()) << all.message;
  EXPECT_GT(all.value.ByteSizeLong(), std::size_t{4} << 20);
  std::set<std::string> ids;
  for (const v1::JobInfo& job : all.value.jobs()) {
    ids.insert(job.request_id());
    EXPECT_GT(job.error().findings_size(), 0);
  }
  EXPECT_EQ(ids.size(), kFailures);

  daemon_.stop();
  daemon_.add_flags({"--server-max-message-bytes", "2MiB"});
  ASSERT_NO_FATAL_FAILURE(daemon_.start());
  const auto too_large = daemon_.client().list_jobs(1000);
  EXPECT_EQ(too_large.code, kRpcResourceExhausted) << too_large.message;
  EXPECT_NE(too_large.message.find(std::to_string(2 << 20)), std::string::npos) << too_large.message;
  EXPECT_EQ(daemon_.client().list_jobs(50).value.jobs_size(), 50);
  expect_alive();
}

// Bodies count in the budget: one that does not fit is refused with the figures.
TEST_F(DaemonMessages, D37ABodyBeyondTheMemoryBudgetIsRefusedWithTheNumbers) {
  daemon_.stop();
  daemon_.add_flags({"--memory-host-limit", "300MB"});
  ASSERT_NO_FATAL_FAILURE(daemon_.start());
  const auto answer = daemon_.client().submit(message_of(200'000'000));
  EXPECT_EQ(answer.code, kRpcResourceExhausted) << answer.message;
  EXPECT_NE(answer.message.find("300000000"), std::string::npos) << answer.message;
  expect_alive();
}

}  // namespace
}  // namespace cuzk
