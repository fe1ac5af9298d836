// D24, D25: a WinningPoSt is as fast when it is the first as later, waits for one phase of a partition at most, and nobody starves.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "proof_requests.h"
#include "running_daemon.h"

namespace cuzk {
namespace {

// CUZK_TEST_COUNT, or the number of the default suite.
int rounds(int by_default) {
  const char* const given = std::getenv("CUZK_TEST_COUNT");
  return given != nullptr ? std::atoi(given) : by_default;
}

// What the log says of a critical job's wait, in the daemon's own order of events: no clock of a loaded machine decides.
struct LoggedWait {
  unsigned partitions =
      0;  // of other jobs, that a worker had in hand between its acceptance and the start of its proof
  std::string submitted_in;  // the phase of another job that was the next to end
  double ms = 0;             // of its witness, for a worker
  bool has_started = false;
};

// From "... info job=<id> <text>".
LoggedWait logged_wait(const std::string& log, const std::string& job_id) {
  struct Other {
    bool has_witness = false, is_in_hand = false, has_proof = false;
  };
  std::map<std::string, Other> others;
  LoggedWait wait;
  bool is_waiting = false, has_witness = false;
  std::istringstream lines(log);
  static const std::regex form("job=([-0-9a-f]{36}) (.*)"),
      timing("CUZK_TIMING phase=([a-z0-9_]+) .*ms=([0-9.]+)$");
  for (std::string line; std::getline(lines, line);) {
    std::smatch job, span;
    if (!std::regex_search(line, job, form)) continue;
    const std::string text = job[2];
    const bool is_span = std::regex_search(text, span, timing);
    const std::string phase = is_span ? span[1].str() : "";
    if (job[1] == job_id) {
      if (text.starts_with("queued: ")) {
        is_waiting = true;
        for (const auto& [id, other] : others) wait.partitions += other.is_in_hand;
      }
      has_witness |= phase == "synth";
      if (!has_witness || phase != "wait") continue;
      wait.ms = std::stod(span[2]);
      wait.has_started = true;
      return wait;
    }
    Other& other = others[job[1]];
    if (phase == "synth") other.has_witness = true;
    if (phase == "assemble") other.has_proof = true;
    if (phase == "wait" && other.has_witness && !other.has_proof) {  // its end: a worker has begun
      other.is_in_hand = true;
      wait.partitions += is_waiting;
    }
    if (phase == "overhead") other.is_in_hand = false;  // a worker has returned
    if (is_waiting && wait.submitted_in.empty() && is_span && phase != "wait" && phase != "queue")
      wait.submitted_in = phase;
  }
  return wait;
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

// Submitted at random phases of the PoReps before it. Each has one partition, so that none may begin before the urgent proof does.
TEST(DaemonPriority, D25WinningWaitsForOnePartitionAtMost) {
  RunningDaemon daemon({ProofKind::winning, ProofKind::porep}, {"--params-preload", "winning-2k,porep-2k"});
  ASSERT_NO_FATAL_FAILURE(daemon.start_ready());
  std::vector<std::string> background;
  const auto fill = [&](std::uint64_t seed) {
    const auto submitted = daemon.client().submit(proof_request(ProofKind::porep, seed));
    ASSERT_TRUE(submitted.is_ok()) << submitted.message;
    background.push_back(submitted.value.job_id());
  };
  for (std::uint64_t seed = 0; seed < 4; ++seed) fill(seed);
  ASSERT_TRUE(daemon.wait_for_state(background.front(), {"proving"}));
  std::mt19937_64 random(7);
  std::vector<std::string> urgent;
  for (int i = 0; i < rounds(4); ++i) {
    ::usleep(static_cast<useconds_t>(random() % 1'500'000));
    fill(100 + static_cast<std::uint64_t>(i));
    const v1::SubmitProofRequest request = proof_request(ProofKind::winning, static_cast<std::uint64_t>(i));
    const auto proved = daemon.client().prove(request);
    ASSERT_EQ(proved.value.result().status(), v1::AwaitProofResponse::COMPLETED) << proved.message;
    EXPECT_TRUE(check_proof(request, proved.value.result().proof()).is_ok());
    urgent.push_back(proved.value.result().job_id());
    ASSERT_TRUE(daemon.process().wait_for_line("job=" + urgent.back() + " completed"));
  }
  const auto first = daemon.client().await(background.front());
  ASSERT_EQ(first.value.status(), v1::AwaitProofResponse::COMPLETED) << first.message;
  for (const std::string& id : background) daemon.client().cancel(id);

  const std::string log = daemon.process().log();
  std::vector<double> waits;
  std::map<std::string, int> phases;
  for (const std::string& id : urgent) {
    const LoggedWait wait = logged_wait(log, id);
    EXPECT_TRUE(wait.has_started) << id;
    EXPECT_LE(wait.partitions, 1u) << id;
    waits.push_back(wait.ms);
    ++phases[wait.submitted_in];
  }
  std::printf(
      "WinningPoSt behind PoReps, %zu times: wait for the worker p50 %.0f ms, p99 %.0f ms; a PoRep partition "
      "%llu ms\n",
      waits.size(), percentile(waits, 0.5), percentile(waits, 0.99),
      static_cast<unsigned long long>(first.value.gpu_compute_ms()));
  for (const auto& [phase, count] : phases) std::printf("  submitted in %s: %d\n", phase.c_str(), count);
  daemon.stop();
}

// Behind a stream of high jobs that never ends, a low one gains a level each age step, and is proved.
TEST(DaemonPriority, D25ALowJobAgesAndEnds) {
  RunningDaemon daemon({ProofKind::winning, ProofKind::window}, {"--engine-age-step", "1s"});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  v1::SubmitProofRequest low = proof_request(ProofKind::window, 0);
  low.set_priority(v1::LOW);
  std::atomic<bool> is_done = false;
  std::atomic<std::uint64_t> seed = 1;
  std::atomic<int> high_jobs = 0;
  std::vector<std::thread> stream;
  for (int i = 0; i < 4; ++i)
    stream.emplace_back([&] {
      while (!is_done) {
        v1::SubmitProofRequest high = proof_request(ProofKind::window, seed++);
        high.set_priority(v1::HIGH);
        EXPECT_TRUE(daemon.client().prove(high).is_ok());
        ++high_jobs;
      }
    });
  while (high_jobs < 4) ::usleep(10'000);
  const auto proved = daemon.client().prove(low);
  const int high_meanwhile = high_jobs;
  is_done = true;
  for (std::thread& thread : stream) thread.join();
  EXPECT_EQ(proved.value.result().status(), v1::AwaitProofResponse::COMPLETED) << proved.message;
  EXPECT_TRUE(check_proof(low, proved.value.result().proof()).is_ok());
  EXPECT_GT(high_meanwhile, 4) << "the stream did not go on";
  std::printf("a low job ended after %llu ms behind a stream of high ones\n",
              static_cast<unsigned long long>(proved.value.result().total_ms()));
  EXPECT_LT(proved.value.result().total_ms(), 60'000u);
  daemon.stop();
}

// One WinningPoSt, verified.
v1::JobInfo prove_winning(RunningDaemon& daemon, std::uint64_t seed) {
  const v1::SubmitProofRequest request = proof_request(ProofKind::winning, seed);
  const auto proved = daemon.client().prove(request);
  EXPECT_EQ(proved.value.result().status(), v1::AwaitProofResponse::COMPLETED) << proved.message;
  EXPECT_TRUE(check_proof(request, proved.value.result().proof()).is_ok());
  const auto watched = daemon.client().watch(proved.value.result().job_id());
  EXPECT_TRUE(watched.is_ok()) << watched.message;
  return watched.value;
}

std::set<std::string> phases_of(const v1::JobInfo& job) {
  std::set<std::string> phases;
  for (const v1::PhaseSpan& span : job.spans()) phases.insert(span.phase());
  return phases;
}

struct FirstAndWarm {
  double first_ms, warm_ms;
};

FirstAndWarm time_first_winning(RunningDaemon& daemon) {
  const v1::JobInfo first = prove_winning(daemon, 0);
  std::vector<double> later;
  std::set<std::string> later_phases;
  for (std::uint64_t i = 1; i < 6; ++i) {
    const v1::JobInfo job = prove_winning(daemon, i);
    later.push_back(job.total_ms());
    later_phases = phases_of(job);
  }
  EXPECT_EQ(phases_of(first), later_phases) << "nothing is done for the first one only";
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const v1::JobInfo rested = prove_winning(daemon, 6);
  EXPECT_EQ(phases_of(rested), later_phases) << "nothing is let go in a pause";
  EXPECT_FALSE(later_phases.contains("srs_load"));
  const FirstAndWarm times{first.total_ms(), percentile(later, 0.5)};
  std::printf("first WinningPoSt %.0f ms, later ones %.0f ms (median), after a pause %.0f ms\n",
              times.first_ms, times.warm_ms, rested.total_ms());
  return times;
}

// What only the first has to do, it has to do at each start; what a loaded machine does, not at all three.
TEST(DaemonPriority, D24TheFirstWinningIsAsFastAsALaterOne) {
  RunningDaemon daemon({ProofKind::winning, ProofKind::update},
                       {"--params-preload", "snap-2k,winning-2k", "--params-warm-up", "true"});
  bool is_warm = false;
  for (int start = 0; start < 3 && !is_warm; ++start) {
    ASSERT_NO_FATAL_FAILURE(daemon.start());
    // Not ready before the parameters are loaded.
    const v1::GetStatusResponse early = daemon.client().status().value;
    if (!early.ready() && http_get(daemon.process().http_port(), "/readyz", 503).empty()) {
      EXPECT_TRUE(daemon.client().status().value.ready()) << "it became ready in between";
    }
    ASSERT_TRUE(daemon.process().wait_for_line(" info ready")) << daemon.process().log();
    EXPECT_EQ(daemon.circuit(ProofKind::winning).tier(), "hot");
    EXPECT_NE(http_get(daemon.process().http_port(), "/readyz", 200), "");
    const FirstAndWarm times = time_first_winning(daemon);
    is_warm = times.first_ms <= 1.2 * times.warm_ms + 20;
    daemon.stop();
  }
  EXPECT_TRUE(is_warm);
}

// Its parameters are no victim: loads of other circuits that have to evict evict each other.
TEST(DaemonPriority, D24PorepWorkDoesNotCoolTheWinningCircuit) {
  RunningDaemon daemon({ProofKind::winning, ProofKind::update, ProofKind::porep});
  const std::uint64_t winning = daemon.least_budget(ProofKind::winning);
  const std::uint64_t porep = daemon.least_budget(ProofKind::porep);
  daemon.add_flags({"--params-preload", "winning-2k", "--params-warm-up", "true", "--memory-host-limit",
                    std::to_string(porep + winning) + "B"});
  ASSERT_NO_FATAL_FAILURE(daemon.start_ready());
  for (const ProofKind kind : {ProofKind::update, ProofKind::porep, ProofKind::update})
    EXPECT_EQ(daemon.client().prove(proof_request(kind, 1)).value.result().status(),
              v1::AwaitProofResponse::COMPLETED);
  const Scrape after = daemon.scrape();
  EXPECT_EQ(after.sum("cuzk_srs_evictions_total"), 2) << "the others had to make room";
  EXPECT_EQ(after.sum("cuzk_srs_evictions_total", {{"circuit", "winning-2k"}}), 0);
  const v1::JobInfo first = prove_winning(daemon, 0);
  const v1::JobInfo second = prove_winning(daemon, 1);
  EXPECT_EQ(phases_of(first), phases_of(second));
  EXPECT_FALSE(phases_of(first).contains("srs_load"));
  EXPECT_EQ(daemon.circuit(ProofKind::winning).loads(), 1u);
  std::printf("WinningPoSt after other work %.0f ms, the next %.0f ms\n", first.total_ms(),
              second.total_ms());
  daemon.stop();
}

}  // namespace
}  // namespace cuzk
