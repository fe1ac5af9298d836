// kill -9 at random moments of a stream of jobs. What was accepted ends exactly once, with a proof of its own inputs, and the next start
// needs no cleaning.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "proof_requests.h"
#include "running_daemon.h"
#include "slow_wire.h"

namespace cuzk {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kJobs = 50;
constexpr int kKills = 20;

// CUZK_TEST_SEED, or one of the clock.
std::uint64_t test_seed() {
  const char* const given = std::getenv("CUZK_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  std::printf("CUZK_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

// Mostly window PoSts, which are cheapest; ten winning PoSts, three updates and a PoRep, so that every kind is interrupted.
ProofKind kind_of_job(std::size_t i) {
  if (i == 7) return ProofKind::porep;
  if (i % 20 == 3) return ProofKind::update;
  return i % 5 == 0 ? ProofKind::winning : ProofKind::window;
}

struct Job {
  v1::SubmitProofRequest request;
  std::set<std::string> ids;  // that it was ever told
};

class DaemonCrash : public testing::Test {
 protected:
  void make_stream() {
    for (std::size_t i = 0; i < kJobs; ++i) {
      Job job{proof_request(kind_of_job(i), i), {}};
      job.request.set_request_id("stream-" + std::to_string(i));
      jobs_.push_back(std::move(job));
    }
  }

  // A client that keeps no state but its requests: submits each until it is accepted. Some are submitted again after that.
  void submit_all(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < kJobs; ++i) {
      submit_until_accepted(i);
      if (random() % 3 == 0) submit_until_accepted(random() % (i + 1));
      std::this_thread::sleep_for(milliseconds(random() % 60));
    }
  }
  void submit_until_accepted(std::size_t i) {
    for (int attempt = 0; attempt < 3000; ++attempt) {
      DaemonClient client(daemon_.socket_address());
      const auto answer = client.submit(jobs_[i].request, std::chrono::seconds(30));
      if (answer.is_ok()) {
        jobs_[i].ids.insert(answer.value.job_id());
        return;
      }
      EXPECT_EQ(answer.code, kRpcUnavailable) << answer.message;
      ::usleep(20'000);
    }
    ADD_FAILURE() << "job " << i << " was never accepted";
  }
  void expect_ended_once();

  RunningDaemon daemon_{{ProofKind::winning, ProofKind::window, ProofKind::update, ProofKind::porep}};
  std::vector<Job> jobs_;
};

void DaemonCrash::expect_ended_once() {
  std::set<std::string> all_ids;
  for (Job& job : jobs_) {
    ASSERT_EQ(job.ids.size(), 1u) << job.request.request_id() << ": one request id is one job";
    const std::string& id = *job.ids.begin();
    EXPECT_TRUE(all_ids.insert(id).second) << id << " stands for two requests";
    const auto ended = daemon_.client().await(id);
    ASSERT_TRUE(ended.is_ok()) << ended.message;
    ASSERT_EQ(ended.value.status(), v1::AwaitProofResponse::COMPLETED) << ended.value.error_message();
    const Status valid = check_proof(job.request, ended.value.proof());
    EXPECT_TRUE(valid.is_ok()) << job.request.request_id() << ": " << valid.to_string();
    EXPECT_EQ(daemon_.client().await(id).value.proof(), ended.value.proof()) << "a result does not change";
    EXPECT_EQ(daemon_.client().submit(job.request).value.job_id(), id) << "submitted again after its end";
  }
  std::map<std::string, int> listed;
  const auto jobs = daemon_.client().list_jobs(1000);
  for (const v1::JobInfo& job : jobs.value.jobs()) {
    EXPECT_EQ(job.state(), "completed") << job.job_id();
    ++listed[job.request_id()];
  }
  EXPECT_EQ(listed.size(), kJobs);
  for (const auto& [request_id, count] : listed) EXPECT_EQ(count, 1) << request_id;
}

TEST_F(DaemonCrash, D27D28KilledTwentyTimesInAStreamOfJobs) {
  const std::uint64_t seed = test_seed();
  std::mt19937_64 random(seed);
  make_stream();
  ASSERT_NO_FATAL_FAILURE(daemon_.start());
  std::thread submitter([&] { submit_all(seed + 1); });
  for (int kill = 0; kill < kKills; ++kill) {
    std::this_thread::sleep_for(milliseconds(random() % 1000));
    daemon_.kill();
    daemon_.start();
    if (HasFatalFailure()) break;
  }
  submitter.join();
  ASSERT_FALSE(HasFailure());
  expect_ended_once();
  EXPECT_EQ(daemon_.metric("cuzk_jobs_failed_total") + daemon_.metric("cuzk_jobs_cancelled_total"), 0);
  EXPECT_EQ(daemon_.metric("cuzk_self_check_failures_total"), 0);
  daemon_.stop();
  struct stat info {};
  EXPECT_NE(::stat(daemon_.file("s").c_str(), &info), 0) << "the socket goes with an orderly stop";
}

// A client that waits is told at once, finds its job by the old id after the restart, and gets the same job for the same request.
TEST_F(DaemonCrash, D28AWaitingClientFindsItsJobAgain) {
  ASSERT_NO_FATAL_FAILURE(daemon_.start());
  v1::SubmitProofRequest request = proof_request(ProofKind::porep, 100);
  request.set_request_id("interrupted");
  const auto submitted = daemon_.client().submit(request);
  ASSERT_TRUE(submitted.is_ok()) << submitted.message;
  const std::string id = submitted.value.job_id();
  ASSERT_TRUE(daemon_.wait_for_state(id, {"synthesizing", "proving"}));
  DaemonClient waiter(daemon_.socket_address());
  Answer<v1::AwaitProofResponse> told;
  std::thread waiting([&] { told = waiter.await(id); });
  std::this_thread::sleep_for(milliseconds(100));
  const auto killed = std::chrono::steady_clock::now();
  daemon_.kill();
  waiting.join();
  EXPECT_LT(std::chrono::steady_clock::now() - killed, std::chrono::seconds(5));
  EXPECT_EQ(told.code, kRpcUnavailable) << told.message;

  ASSERT_NO_FATAL_FAILURE(daemon_.start());
  EXPECT_EQ(daemon_.metric("cuzk_jobs_recovered_total"), 1);
  EXPECT_EQ(daemon_.client().submit(request).value.job_id(), id);
  const auto ended = waiter.await(id);  // the connection of before finds the new process
  ASSERT_EQ(ended.value.status(), v1::AwaitProofResponse::COMPLETED) << ended.message;
  EXPECT_TRUE(check_proof(request, ended.value.proof()).is_ok());
  const auto unknown = daemon_.client().await("00000000-0000-4000-8000-000000000000");
  EXPECT_EQ(unknown.code, kRpcNotFound) << "an id that never was: " << unknown.message;
}

// A daemon that does not move: a client with keep-alive learns it within that time, and the daemon goes on afterwards.
TEST_F(DaemonCrash, D28AFrozenDaemonIsUnavailableInKeepAliveTime) {
  ASSERT_NO_FATAL_FAILURE(daemon_.start());
  const std::string address = daemon_.tcp_address();
  const v1::SubmitProofRequest request = proof_request(ProofKind::porep, 101);
  const auto submitted = daemon_.client().submit(request);
  ASSERT_TRUE(submitted.is_ok()) << submitted.message;
  DaemonClient waiter(address, milliseconds(3000));
  ASSERT_TRUE(waiter.status().is_ok()) << "the connection that is to fall silent";
  Answer<v1::AwaitProofResponse> told;
  const auto begin = std::chrono::steady_clock::now();
  std::thread waiting([&] { told = waiter.await(submitted.value.job_id()); });
  std::this_thread::sleep_for(milliseconds(200));
  daemon_.process().send(SIGSTOP);
  waiting.join();
  const auto took = std::chrono::steady_clock::now() - begin;
  daemon_.process().send(SIGCONT);
  EXPECT_EQ(told.code, kRpcUnavailable) << told.message;
  EXPECT_LT(took, std::chrono::seconds(60))
      << "keep-alive twice is 6 s; without it the patience of five minutes";
  // The same client finds it again once its connection has been made anew.
  Answer<v1::AwaitProofResponse> ended = waiter.await(submitted.value.job_id());
  for (int attempt = 0; attempt < 60 && ended.code == kRpcUnavailable; ++attempt) {
    ::usleep(500'000);
    ended = waiter.await(submitted.value.job_id());
  }
  ASSERT_EQ(ended.value.status(), v1::AwaitProofResponse::COMPLETED) << ended.message;
  EXPECT_TRUE(check_proof(request, ended.value.proof()).is_ok());
}

// A wire on which nothing passes any more and of which nobody is told, as when packets are dropped: the client learns it in keep-alive time,
// the daemon lets go of what it held for the client, and the job goes on.
TEST_F(DaemonCrash, D28ASilentWireIsUnavailableInKeepAliveTime) {
  daemon_.add_flags({"--server-keepalive-time", "1s", "--server-keepalive-timeout", "1s"});
  ASSERT_NO_FATAL_FAILURE(daemon_.start());
  const v1::SubmitProofRequest request = proof_request(ProofKind::porep, 102);
  const auto submitted = daemon_.client().submit(request);
  ASSERT_TRUE(submitted.is_ok()) << submitted.message;
  SlowWire wire(daemon_.process().grpc_port(), SlowWire::Pace::full);
  DaemonClient waiter(wire.address(), milliseconds(1000));
  ASSERT_TRUE(waiter.status().is_ok());
  const std::uint64_t carried = wire.carried();
  const std::uint64_t files = process_use(daemon_.process().pid()).files;
  Answer<v1::AwaitProofResponse> told;
  std::thread waiting([&] { told = waiter.await(submitted.value.job_id()); });
  for (int i = 0; i < 3000 && wire.carried() == carried; ++i) ::usleep(1000);
  wire.set_pace(SlowWire::Pace::silent);
  waiting.join();
  EXPECT_EQ(told.code, kRpcUnavailable) << told.message;
  const auto has_let_go = [&] { return process_use(daemon_.process().pid()).files < files; };
  for (int i = 0; i < 600 && !has_let_go(); ++i) ::usleep(100'000);
  EXPECT_TRUE(has_let_go()) << "the daemon keeps a dead connection";
  const auto ended = daemon_.client().await(submitted.value.job_id());
  ASSERT_EQ(ended.value.status(), v1::AwaitProofResponse::COMPLETED) << ended.message;
  EXPECT_TRUE(check_proof(request, ended.value.proof()).is_ok());
  daemon_.stop();
}

// Says when something is made in a folder.
class FolderWatch {
 public:
  explicit FolderWatch(const std::string& folder) : fd_(::inotify_init1(IN_CLOEXEC)) {
    EXPECT_GE(::inotify_add_watch(fd_, folder.c_str(), IN_CREATE), 0);
  }
  ~FolderWatch() { ::close(fd_); }
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;
  bool wait() const {
    pollfd poll{fd_, POLLIN, 0};
    return ::poll(&poll, 1, 60'000) > 0;
  }

 private:
  const int fd_;
};

std::set<std::string> endings_in(const std::string& folder) {
  std::set<std::string> endings;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    endings.insert(entry.path().extension());
  return endings;
}

// Killed as soon as the file of a recorded circuit appears: what there is of it is not taken for one, and the next start proves.
TEST_F(DaemonCrash, D27KilledWhileACacheFileIsWritten) {
  const std::string cache = daemon_.file("cache-of-its-own");
  std::filesystem::create_directory(cache);
  daemon_.add_flags({"--cache-dir", cache});
  for (int i = 0; i < 2; ++i) {
    ASSERT_NO_FATAL_FAILURE(daemon_.start());
    const FolderWatch watch(cache);
    std::thread loading([&] { EXPECT_EQ(daemon_.client().preload("porep-2k").code, kRpcUnavailable); });
    EXPECT_TRUE(watch.wait());
    daemon_.kill();
    loading.join();
    EXPECT_EQ(endings_in(cache), std::set<std::string>{".partial"}) << "killed too late";
  }
  ASSERT_NO_FATAL_FAILURE(daemon_.start());
  const v1::SubmitProofRequest request = proof_request(ProofKind::porep, 1);
  const auto proved = daemon_.client().prove(request);
  ASSERT_EQ(proved.value.result().status(), v1::AwaitProofResponse::COMPLETED) << proved.message;
  EXPECT_TRUE(check_proof(request, proved.value.result().proof()).is_ok());
  EXPECT_TRUE(endings_in(cache).contains(".r1cs"));
  daemon_.stop();
}

// As a file system without order leaves it after a power cut: the right name, half the content.
TEST_F(DaemonCrash, D27AHalfCacheFileIsReplaced) {
  const std::string cache = daemon_.file("cache-of-its-own");
  daemon_.add_flags({"--cache-dir", cache});
  ASSERT_NO_FATAL_FAILURE(daemon_.start());
  ASSERT_TRUE(daemon_.client().preload("wpost-2k").is_ok());
  daemon_.stop();
  const std::filesystem::path file = std::filesystem::directory_iterator(cache)->path();
  const std::uint64_t size = std::filesystem::file_size(file);
  std::filesystem::resize_file(file, size / 2);
  ASSERT_NO_FATAL_FAILURE(daemon_.start());
  const v1::SubmitProofRequest request = proof_request(ProofKind::window, 1);
  const auto proved = daemon_.client().prove(request);
  ASSERT_EQ(proved.value.result().status(), v1::AwaitProofResponse::COMPLETED) << proved.message;
  EXPECT_TRUE(check_proof(request, proved.value.result().proof()).is_ok());
  EXPECT_EQ(std::filesystem::file_size(file), size);
  EXPECT_TRUE(daemon_.process().wait_for_line(file.string())) << "the log does not say so";
  daemon_.stop();
}

}  // namespace
}  // namespace cuzk
