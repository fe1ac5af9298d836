// D39: figures are true and come at once while much is asked of the daemon: a thousand scrapes a second, jobs that are proved, that fail
// and that are cancelled, and parameters that are being loaded.
#include <gtest/gtest.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

#include "proof_requests.h"
#include "running_daemon.h"

namespace cuzk {
namespace {

using Clock = std::chrono::steady_clock;

// Every job that was submitted is open or has ended, in each text.
bool adds_up(const std::string& text) {
  const auto families = read_exposition(text);
  EXPECT_TRUE(families.is_ok()) << families.status().to_string();
  if (!families.is_ok()) return false;
  const Scrape now(families.value());
  const double ended = now.sum("cuzk_jobs_completed_total") + now.sum("cuzk_jobs_failed_total") +
                       now.sum("cuzk_jobs_cancelled_total");
  return now.sum("cuzk_jobs_submitted_total") ==
         ended + now.sum("cuzk_jobs_pending") + now.sum("cuzk_jobs_in_progress");
}

// Asks for a path at a steady pace, over connections that stay open, until it is stopped.
class ScrapeFire {
 public:
  static constexpr std::chrono::milliseconds kEvery{10};  // each connection
  // Called with each text; several threads at once.
  using Look = std::function<void(const std::string& text)>;

  ScrapeFire(int port, std::string path, int connections, Look look)
      : port_(port), path_(std::move(path)), look_(std::move(look)) {
    for (int i = 0; i < connections; ++i) threads_.emplace_back([this] { fire(); });
  }
  ~ScrapeFire() { stop(); }
  ScrapeFire(const ScrapeFire&) = delete;
  ScrapeFire& operator=(const ScrapeFire&) = delete;
  void stop() {
    is_over_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  int answered() const { return answered_; }
  int failed() const { return failed_; }
  double longest_ms() const { return longest_ms_; }

 private:
  void fire() {
    httplib::Client client("127.0.0.1", port_);
    client.set_keep_alive(true);
    client.set_read_timeout(60);
    for (Clock::time_point due = Clock::now(); !is_over_;) {
      const auto begin = Clock::now();
      const httplib::Result result = client.Get(path_);
      const double took = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
      for (double longest = longest_ms_; took > longest && !longest_ms_.compare_exchange_weak(longest, took);)
        continue;
      const bool is_good = result && result->status == 200;
      ++(is_good ? answered_ : failed_);
      if (is_good) look_(result->body);
      due = std::max(due + kEvery, Clock::now() - kEvery);
      std::this_thread::sleep_until(due);
    }
  }

  const int port_;
  const std::string path_;
  const Look look_;
  std::atomic<int> answered_ = 0, failed_ = 0;
  std::atomic<double> longest_ms_ = 0;
  std::atomic<bool> is_over_ = false;
  std::vector<std::thread> threads_;
};

TEST(DaemonScrapes, D39AThousandScrapesASecondDoNoHarm) {
  RunningDaemon daemon({ProofKind::window, ProofKind::porep});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  std::vector<v1::SubmitProofRequest> good = {proof_request(ProofKind::porep, 1)};
  for (std::uint64_t seed = 0; seed < 4; ++seed) good.push_back(proof_request(ProofKind::window, seed));
  const v1::SubmitProofRequest faulty = faulty_request(ProofKind::window, 9);
  const v1::SubmitProofRequest unwanted = proof_request(ProofKind::porep, 2);

  std::vector<std::string> ids;
  for (const v1::SubmitProofRequest& request : good)
    ids.push_back(daemon.client().submit(request).value.job_id());
  const std::uint64_t threads_before = process_use(daemon.process().pid()).threads;
  const auto begin = Clock::now();
  std::atomic<int> wrong = 0, looked_at = 0, while_loading = 0;
  ScrapeFire fire(daemon.process().http_port(), "/metrics", 10, [&](const std::string& text) {
    if (++looked_at % 50 == 0) wrong += !adds_up(text);
  });
  ScrapeFire status(daemon.process().http_port(), "/api/status.json", 1, [&](const std::string& text) {
    while_loading += text.find("\"loading\"") != std::string::npos;
  });
  const auto failed = daemon.client().prove(faulty);
  const std::string cancelled = daemon.client().submit(unwanted).value.job_id();
  EXPECT_TRUE(daemon.client().cancel(cancelled).is_ok());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto ended = daemon.client().await(ids[i]);
    ASSERT_EQ(ended.value.status(), v1::AwaitProofResponse::COMPLETED) << ended.message;
    EXPECT_TRUE(check_proof(good[i], ended.value.proof()).is_ok());
  }
  EXPECT_EQ(daemon.client().await(cancelled).value.status(), v1::AwaitProofResponse::CANCELLED);
  EXPECT_EQ(failed.value.result().status(), v1::AwaitProofResponse::FAILED);
  EXPECT_LE(process_use(daemon.process().pid()).threads, threads_before + 8);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  fire.stop();
  status.stop();

  std::printf("%d scrapes in %.1f s, %.0f a second, the longest %.0f ms; %d while parameters were loaded\n",
              fire.answered(), seconds, fire.answered() / seconds, fire.longest_ms(), while_loading.load());
  EXPECT_EQ(fire.failed() + status.failed(), 0);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(fire.answered(), 100);
  EXPECT_GT(while_loading, 5) << "a scrape waits for the load of parameters";
  const Scrape last = daemon.scrape();
  EXPECT_EQ(last.sum("cuzk_jobs_submitted_total"), 7);
  EXPECT_EQ(last.sum("cuzk_jobs_completed_total"), 5);
  EXPECT_EQ(last.sum("cuzk_jobs_failed_total"), 1);
  EXPECT_EQ(last.sum("cuzk_jobs_cancelled_total"), 1);
  daemon.stop();
}

}  // namespace
}  // namespace cuzk
