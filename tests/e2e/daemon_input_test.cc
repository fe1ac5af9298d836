// D17, D30, D32, D33, D36: what clients get for input that is wrong, each fault by its class, with names and numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "proof_requests.h"
#include "running_daemon.h"

namespace cuzk {
namespace {

class DaemonInput : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    daemon_ = std::make_unique<RunningDaemon>(
        std::vector<ProofKind>{std::begin(kClientKinds), std::end(kClientKinds)});
    daemon_->start();
  }
  static void TearDownTestSuite() {
    daemon_->stop();
    daemon_.reset();
  }
  static DaemonClient& client() { return daemon_->client(); }
  // The end of a job that is accepted and fails.
  static v1::AwaitProofResponse prove(const v1::SubmitProofRequest& request) {
    const auto answer = client().prove(request);
    EXPECT_TRUE(answer.is_ok()) << answer.message;
    return answer.value.result();
  }
  // A sentence that says class, job and advice, and is in the log under the job's id.
  static void expect_told(const v1::AwaitProofResponse& failed, const std::string& error_class,
                          bool retryable);

  static std::unique_ptr<RunningDaemon> daemon_;
};

std::unique_ptr<RunningDaemon> DaemonInput::daemon_;

void DaemonInput::expect_told(const v1::AwaitProofResponse& failed, const std::string& error_class,
                              bool retryable) {
  EXPECT_EQ(failed.status(), v1::AwaitProofResponse::FAILED);
  EXPECT_EQ(failed.proof(), "");
  EXPECT_EQ(failed.error().error_class(), error_class);
  EXPECT_EQ(failed.error().retryable(), retryable);
  EXPECT_NE(failed.error().phase(), "");
  EXPECT_NE(failed.error().message(), "");
  ASSERT_EQ(failed.job_id().size(), 36u);
  for (const std::string& part :
       {error_class, failed.error().phase(), failed.job_id(), failed.error().message()})
    EXPECT_NE(failed.error_message().find(part), std::string::npos)
        << part << " in: " << failed.error_message();
  EXPECT_TRUE(daemon_->process().wait_for_line(failed.job_id())) << "the log does not have the job";
  EXPECT_EQ(daemon_->job(failed.job_id())->error().message(), failed.error().message());
}

// Every registered proof with every sector size and the vanilla proofs of 2 KiB: what is accepted can only be of 2 KiB.
TEST_F(DaemonInput, D17OnlyWhatBelongsTogetherIsAccepted) {
  std::set<std::pair<std::string, std::uint64_t>> accepted;
  for (const ProofKind kind : kClientKinds) {
    v1::SubmitProofRequest request = proof_request(kind, 1);
    for (std::uint64_t number = 0; number <= 30; ++number)
      for (const std::uint64_t size :
           {std::uint64_t{0}, std::uint64_t{2048}, std::uint64_t{8} << 20, std::uint64_t{512} << 20,
            std::uint64_t{32} << 30, std::uint64_t{64} << 30}) {
        request.set_registered_proof(number);
        request.set_sector_size(size);
        const auto answer = client().submit(request);
        if (answer.is_ok()) {
          EXPECT_EQ(size, 2048u) << number;
          accepted.emplace(proof_kind_name(kind), number);
          client().cancel(answer.value.job_id());
          continue;
        }
        EXPECT_EQ(answer.code, kRpcInvalidArgument) << answer.message;
        EXPECT_NE(answer.message, "");
      }
  }
  // 5 and 10 are two versions of one proof with the same vanilla form; which one it is shows in the challenges.
  EXPECT_EQ(accepted, (std::set<std::pair<std::string, std::uint64_t>>{
                          {"winning", 0}, {"window", 5}, {"window", 10}, {"update", 0}, {"porep", 5}}));
}

TEST_F(DaemonInput, D17MismatchesNameBothValues) {
  v1::SubmitProofRequest request = proof_request(ProofKind::window, 1);
  request.set_sector_size(std::uint64_t{32} << 30);
  const auto sizes = client().submit(request);
  EXPECT_NE(sizes.message.find("34359738368"), std::string::npos) << sizes.message;
  EXPECT_NE(sizes.message.find("2048"), std::string::npos) << sizes.message;
  request.set_registered_proof(13);  // of 32 GiB, with data of 2 KiB
  EXPECT_EQ(client().submit(request).code, kRpcInvalidArgument);
  // The proofs of a winning PoSt in a window PoSt, and of an update in a PoSt.
  request = proof_request(ProofKind::window, 1);
  *request.mutable_vanilla_proofs() = proof_request(ProofKind::winning, 1).vanilla_proofs();
  const auto winning = client().submit(request);
  EXPECT_EQ(winning.code, kRpcInvalidArgument);
  EXPECT_NE(winning.message.find("66"), std::string::npos) << winning.message;
  EXPECT_NE(winning.message.find("10"), std::string::npos) << winning.message;
  *request.mutable_vanilla_proofs() = proof_request(ProofKind::update, 1).vanilla_proofs();
  EXPECT_EQ(client().submit(request).code, kRpcInvalidArgument);
  // A PoRep of V1 with data of V1_1.
  request = proof_request(ProofKind::porep, 1);
  request.set_registered_proof(0);
  const auto versions = client().submit(request);
  EXPECT_NE(versions.message.find("StackedDrg2KiBV1_1"), std::string::npos) << versions.message;
  EXPECT_NE(versions.message.find("0 is StackedDrg2KiBV1"), std::string::npos) << versions.message;
}

// The data of a window PoSt of version 1.2.0 asked for as 1.0.0: the challenges of the second sector are others.
TEST_F(DaemonInput, D17DataOfAnotherVersionFailsByItsChallenges) {
  v1::SubmitProofRequest request = proof_request(ProofKind::window, 1);
  request.set_registered_proof(5);
  const v1::AwaitProofResponse failed = prove(request);
  expect_told(failed, "invalid_argument", false);
  EXPECT_EQ(failed.error().phase(), "validate");
}

TEST_F(DaemonInput, D30AllFaultySectorsAreListedBeforeAnyProof) {
  const std::string good_randomness = proof_request(ProofKind::window, 1).randomness();
  ASSERT_TRUE(daemon_->wait_until_idle()) << "a cancelled job of another test still counts its proof";
  const double proofs_before = daemon_->metric("cuzk_worker_proofs_total");
  for (const std::set<std::uint64_t>& bad : {std::set<std::uint64_t>{1}, {2}, {1, 2}}) {
    v1::SubmitProofRequest request = proof_request(ProofKind::window, 1);
    for (const std::uint64_t sector : bad)
      (*request.mutable_vanilla_proofs(static_cast<int>(sector) - 1))[8 + 3] ^= 1;  // comm_r
    const v1::AwaitProofResponse failed = prove(request);
    expect_told(failed, "invalid_argument", false);
    std::set<std::uint64_t> named;
    for (const v1::Finding& finding : failed.error().findings()) named.insert(finding.sector_id());
    EXPECT_EQ(named, bad);
    const auto validated = client().validate(request);
    ASSERT_TRUE(validated.is_ok()) << validated.message;
    std::set<std::uint64_t> found;
    for (const v1::Finding& finding : validated.value.findings()) found.insert(finding.sector_id());
    EXPECT_EQ(found, bad) << "a call that only validates says the same";
  }
  EXPECT_EQ(client().validate(proof_request(ProofKind::window, 1)).value.findings_size(), 0);
  EXPECT_EQ(daemon_->metric("cuzk_worker_proofs_total"), proofs_before);
}

// The proofs of two sectors under each other's number: challenges and replica of neither hold.
TEST_F(DaemonInput, D30SwappedSectorsAreNamed) {
  v1::SubmitProofRequest request = proof_request(ProofKind::window, 1);
  constexpr std::size_t kNumberBytes = 8;  // a vanilla proof begins with the sector's number
  std::string& first = *request.mutable_vanilla_proofs(0);
  std::string& second = *request.mutable_vanilla_proofs(1);
  std::swap_ranges(first.begin(), first.begin() + kNumberBytes, second.begin());
  const v1::AwaitProofResponse failed = prove(request);
  expect_told(failed, "invalid_argument", false);
  std::set<std::uint64_t> named;
  for (const v1::Finding& finding : failed.error().findings()) named.insert(finding.sector_id());
  EXPECT_EQ(named, (std::set<std::uint64_t>{1, 2}));
}

struct Empty {
  std::string field;  // named in the refusal
  ProofKind kind;
  std::function<void(v1::SubmitProofRequest&)> change;
};

std::vector<Empty> empty_cases() {
  std::vector<Empty> cases;
  for (const ProofKind kind : {ProofKind::winning, ProofKind::window, ProofKind::update}) {
    cases.push_back({"vanilla_proofs", kind, [](auto& r) { r.clear_vanilla_proofs(); }});
    cases.push_back({"vanilla_proofs[0]", kind, [](auto& r) { r.set_vanilla_proofs(0, ""); }});
  }
  cases.push_back({"vanilla_proofs[1]", ProofKind::window, [](auto& r) { r.set_vanilla_proofs(1, ""); }});
  for (const std::string c1 : {"", "{}", "[]", "null", "0", "\"\"", "{\"SectorNum\":1}"})
    cases.push_back({"vanilla_proof", ProofKind::porep, [c1](auto& r) { r.set_vanilla_proof(c1); }});
  for (const std::size_t bytes : {0, 31, 33})
    for (const ProofKind kind : {ProofKind::winning, ProofKind::window})
      cases.push_back({"randomness", kind, [bytes](auto& r) { r.mutable_randomness()->resize(bytes); }});
  for (const std::size_t bytes : {0, 31, 33}) {
    cases.push_back(
        {"comm_r_old", ProofKind::update, [bytes](auto& r) { r.mutable_comm_r_old()->resize(bytes); }});
    cases.push_back(
        {"comm_r_new", ProofKind::update, [bytes](auto& r) { r.mutable_comm_r_new()->resize(bytes); }});
    cases.push_back(
        {"comm_d_new", ProofKind::update, [bytes](auto& r) { r.mutable_comm_d_new()->resize(bytes); }});
  }
  cases.push_back(
      {"vanilla_proofs", ProofKind::update, [](auto& r) { r.add_vanilla_proofs(r.vanilla_proofs(0)); }});
  cases.push_back({"proof_kind", ProofKind::window, [](auto& r) { r.clear_proof_kind(); }});
  return cases;
}

TEST_F(DaemonInput, D32WhatIsEmptyIsRefusedByTheNameOfTheField) {
  const double submitted_before = daemon_->metric("cuzk_jobs_submitted_total");
  for (const Empty& c : empty_cases()) {
    v1::SubmitProofRequest request = proof_request(c.kind, 1);
    c.change(request);
    const auto answer = client().submit(request);
    EXPECT_EQ(answer.code, kRpcInvalidArgument) << c.field << ": " << answer.message;
    EXPECT_EQ(answer.error_class, "invalid_argument");
    EXPECT_EQ(answer.phase, "parse");
    EXPECT_EQ(answer.retryable, "false");
    EXPECT_NE(answer.message.find(c.field), std::string::npos) << c.field << " in: " << answer.message;
  }
  EXPECT_EQ(client().submit({}).code, kRpcInvalidArgument);
  EXPECT_EQ(daemon_->metric("cuzk_jobs_submitted_total"), submitted_before);
}

// An update of 32 GiB has 16 partitions.
TEST_F(DaemonInput, D32APartitionTooFewOrTooManyIsRefusedWithBothNumbers) {
  const v1::SubmitProofRequest whole = large_update_request(1);
  ASSERT_EQ(whole.vanilla_proofs_size(), 16);
  const auto validated = client().validate(whole);
  EXPECT_TRUE(validated.is_ok()) << validated.message;
  EXPECT_EQ(validated.value.findings_size(), 0);
  v1::SubmitProofRequest fewer = whole, more = whole;
  fewer.mutable_vanilla_proofs()->RemoveLast();
  more.add_vanilla_proofs(whole.vanilla_proofs(0));
  for (const auto& [request, number] : {std::pair{fewer, "15"}, std::pair{more, "17"}}) {
    const auto answer = client().submit(request);
    EXPECT_EQ(answer.code, kRpcInvalidArgument) << answer.message;
    for (const char* part : {"partition proofs", number, "16"})
      EXPECT_NE(answer.message.find(part), std::string::npos) << part << " in: " << answer.message;
  }
}

// Data that hold in themselves, for another replica, another sector and another miner than the request says.
TEST_F(DaemonInput, D33AnotherStatementIsPermanentAndNotRetried) {
  const double retries = daemon_->metric("cuzk_retries_total");
  for (const ProofKind kind : kClientKinds) {
    SCOPED_TRACE(proof_kind_name(kind));
    expect_told(prove(faulty_request(kind, 1)), "invalid_argument", false);
  }
  EXPECT_EQ(daemon_->metric("cuzk_retries_total"), retries);
  EXPECT_EQ(daemon_->metric("cuzk_self_check_failures_total"), 0);
  EXPECT_GE(daemon_->metric("cuzk_jobs_failed_total", {{"class", "invalid_argument"}}), 4);
}

// What a client gets for each way in which a call can fail.
TEST_F(DaemonInput, D36EveryFailureSaysClassPhaseAndAdvice) {
  const auto unknown = client().cancel("no-such-job");
  EXPECT_EQ(unknown.code, kRpcNotFound);
  EXPECT_EQ(unknown.error_class, "not_found");
  EXPECT_NE(unknown.message.find("no-such-job"), std::string::npos) << unknown.message;
  EXPECT_EQ(client().await("no-such-job").error_class, "not_found");
  EXPECT_EQ(client().preload("no-such-circuit").error_class, "not_found");
  EXPECT_EQ(client().evict("no-such-circuit").error_class, "not_found");

  v1::SubmitProofRequest request = proof_request(ProofKind::winning, 1);
  request.set_request_id("twice");
  const auto first = client().submit(request);
  ASSERT_TRUE(first.is_ok()) << first.message;
  v1::SubmitProofRequest other = proof_request(ProofKind::winning, 2);
  other.set_request_id("twice");
  const auto conflict = client().submit(other);
  EXPECT_EQ(conflict.code, kRpcAlreadyExists) << conflict.message;
  EXPECT_EQ(conflict.error_class, "already_exists");
  EXPECT_EQ(conflict.retryable, "false");
  EXPECT_NE(conflict.message.find("twice"), std::string::npos) << conflict.message;
  ASSERT_EQ(client().await(first.value.job_id()).value.status(), v1::AwaitProofResponse::COMPLETED);
  const auto too_late = client().cancel(first.value.job_id());
  EXPECT_EQ(too_late.code, kRpcInvalidArgument);
  EXPECT_NE(too_late.message.find("completed"), std::string::npos) << too_late.message;
  EXPECT_EQ(too_late.job_id, first.value.job_id());
}

TEST_F(DaemonInput, D36ACancelledJobSaysSo) {
  const auto submitted = client().submit(proof_request(ProofKind::porep, 1));
  ASSERT_TRUE(submitted.is_ok()) << submitted.message;
  ASSERT_TRUE(client().cancel(submitted.value.job_id()).is_ok());
  const auto ended = client().await(submitted.value.job_id());
  EXPECT_EQ(ended.value.status(), v1::AwaitProofResponse::CANCELLED);
  EXPECT_NE(ended.value.error_message().find(submitted.value.job_id()), std::string::npos);
  EXPECT_TRUE(daemon_->process().wait_for_line(submitted.value.job_id()));
}

}  // namespace
}  // namespace cuzk
