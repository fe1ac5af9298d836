// D01, D03, D04, D05, D06: parameter files that are missing, damaged or of something else, and when they are loaded and let go.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <set>
#include <thread>

#include "proof_requests.h"
#include "run_program.h"
#include "running_daemon.h"

namespace cuzk {
namespace {

void expect_proves(RunningDaemon& daemon, ProofKind kind, std::uint64_t seed) {
  const v1::SubmitProofRequest request = proof_request(kind, seed);
  const auto proved = daemon.client().prove(request);
  ASSERT_TRUE(proved.is_ok()) << proved.message;
  ASSERT_EQ(proved.value.result().status(), v1::AwaitProofResponse::COMPLETED)
      << proved.value.result().error_message();
  const Status valid = check_proof(request, proved.value.result().proof());
  EXPECT_TRUE(valid.is_ok()) << valid.to_string();
}

// Refused when it is submitted, by a sentence with each of these texts in it.
void expect_refused(RunningDaemon& daemon, ProofKind kind, const std::vector<std::string>& texts) {
  const auto answer = daemon.client().submit(proof_request(kind, 1));
  EXPECT_EQ(answer.code, kRpcUnavailable) << answer.message;
  EXPECT_EQ(answer.error_class, "unavailable");
  for (const std::string& text : texts)
    EXPECT_NE(answer.message.find(text), std::string::npos) << text << " in: " << answer.message;
}

struct Damage {
  std::string name;
  std::string reason;  // in the refusal
  std::function<void(const std::filesystem::path& file)> apply;
};

// In place of the link to the good file.
std::filesystem::path own_copy(const RunningDaemon& daemon, ProofKind kind) {
  const std::filesystem::path file = params_path(daemon.params_dir(), kind);
  const std::filesystem::path target = std::filesystem::read_symlink(file);
  std::filesystem::remove(file);
  std::filesystem::copy_file(target, file);
  return file;
}

std::vector<Damage> damages(std::uint64_t size) {
  const auto resized = [](std::uint64_t to) {
    return [to](const std::filesystem::path& file) { std::filesystem::resize_file(file, to); };
  };
  std::vector<Damage> all = {{"0 bytes", "0", resized(0)},
                             {"cut at half", std::to_string(size / 2), resized(size / 2)},
                             {"cut by a byte", std::to_string(size - 1), resized(size - 1)},
                             {"a byte more", std::to_string(size + 1), resized(size + 1)},
                             {"a folder", "directory", [](const std::filesystem::path& file) {
                                std::filesystem::remove(file);
                                std::filesystem::create_directory(file);
                              }}};
  all.push_back(
      {"mode 000", "ermission", [](const std::filesystem::path& file) { ::chmod(file.c_str(), 0); }});
  return all;
}

TEST(DaemonParameters, D01ADamagedFileConcernsItsOwnKindOnly) {
  RunningDaemon daemon({ProofKind::winning, ProofKind::window});
  const std::filesystem::path target =
      std::filesystem::read_symlink(params_path(daemon.params_dir(), ProofKind::winning));
  std::uint64_t seed = 0;
  for (const Damage& damage : damages(std::filesystem::file_size(target))) {
    SCOPED_TRACE(damage.name);
    const std::filesystem::path file = params_path(daemon.params_dir(), ProofKind::winning);
    damage.apply(own_copy(daemon, ProofKind::winning));
    ASSERT_NO_FATAL_FAILURE(daemon.start());
    expect_refused(daemon, ProofKind::winning, {file.string(), damage.reason});
    EXPECT_FALSE(daemon.client().preload("winning-2k").is_ok());
    const v1::CircuitInfo circuit = daemon.circuit(ProofKind::winning);
    EXPECT_EQ(circuit.state(), "invalid");
    EXPECT_NE(circuit.reason().find(file.string()), std::string::npos) << circuit.reason();
    EXPECT_NE(circuit.tier(), "hot");
    EXPECT_EQ(circuit.loads(), 0u);
    EXPECT_EQ(daemon.client().status().value.pinned_memory_bytes(), 0u) << "a refused load is not counted";
    expect_proves(daemon, ProofKind::window, ++seed);
    daemon.stop();
    std::filesystem::remove_all(file);
    std::filesystem::create_symlink(target, file);
  }
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

TEST(DaemonParameters, D03NothingIsMadeOrTakenInPlaceOfWhatIsMissing) {
  RunningDaemon daemon({});
  const std::filesystem::path wanted = params_path(daemon.params_dir(), ProofKind::window);
  const std::filesystem::path good = shared_parameters(ProofKind::window).front();
  const std::string name = wanted.filename().string();
  const std::string other_circuit = params_path(daemon.params_dir(), ProofKind::winning).filename().string();
  // None; of another version; of another circuit under its own name.
  for (const std::string& present : {std::string(), "v27" + name.substr(3), other_circuit}) {
    SCOPED_TRACE("present: " + present);
    if (!present.empty())
      std::filesystem::create_symlink(good, std::filesystem::path(daemon.params_dir()) / present);
    const std::set<std::string> before = names_in(daemon.params_dir());
    ASSERT_NO_FATAL_FAILURE(daemon.start());
    expect_refused(daemon, ProofKind::window, {daemon.params_dir(), name});
    daemon.stop();
    EXPECT_EQ(names_in(daemon.params_dir()), before);
  }
}

TEST(DaemonParameters, D03ParametersOfAnotherCircuitUnderTheRightName) {
  RunningDaemon daemon({});
  const std::filesystem::path file = params_path(daemon.params_dir(), ProofKind::window);
  std::filesystem::create_symlink(shared_parameters(ProofKind::winning).front(), file);
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  // Found when the file is read for the first job, and remembered.
  const auto first = daemon.client().prove(proof_request(ProofKind::window, 1));
  EXPECT_EQ(first.value.result().status(), v1::AwaitProofResponse::FAILED) << first.message;
  EXPECT_EQ(first.value.result().error().error_class(), "unavailable");
  EXPECT_NE(first.value.result().error_message().find(file.string()), std::string::npos);
  expect_refused(daemon, ProofKind::window, {file.string(), "another circuit"});
  EXPECT_EQ(daemon.circuit(ProofKind::window).state(), "invalid");
  EXPECT_EQ(daemon.client().status().value.pinned_memory_bytes(), 0u);
  daemon.stop();
}

TEST(DaemonParameters, D04EachKindIsReadyOrNamesWhatIsMissing) {
  RunningDaemon daemon({ProofKind::winning});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  EXPECT_EQ(daemon.circuit(ProofKind::winning).state(), "ready");
  for (const ProofKind kind : {ProofKind::window, ProofKind::update, ProofKind::porep}) {
    const std::string file = params_path(daemon.params_dir(), kind).filename().string();
    const v1::CircuitInfo circuit = daemon.circuit(kind);
    EXPECT_EQ(circuit.state(), "missing");
    EXPECT_NE(circuit.reason().find(file), std::string::npos) << circuit.reason();
    expect_refused(daemon, kind, {daemon.params_dir(), file});
  }
  EXPECT_EQ(daemon.metric("cuzk_jobs_submitted_total"), 0);
  expect_proves(daemon, ProofKind::winning, 1);
  daemon.stop();
}

// A file that is put right is used without a restart.
TEST(DaemonParameters, D04AFileThatComesLaterIsFound) {
  RunningDaemon daemon({});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  expect_refused(daemon, ProofKind::window, {daemon.params_dir()});
  link_parameters(daemon.params_dir(), {ProofKind::window});
  expect_proves(daemon, ProofKind::window, 1);
  daemon.stop();
}

TEST(DaemonParameters, D05EightClientsPreloadOnce) {
  RunningDaemon daemon({ProofKind::winning});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  std::vector<std::thread> clients;
  std::vector<Answer<v1::PreloadSrsResponse>> answers(8);
  for (auto& answer : answers)
    clients.emplace_back([&] { answer = DaemonClient(daemon.tcp_address()).preload("winning-2k"); });
  for (std::thread& client : clients) client.join();
  for (const auto& answer : answers) EXPECT_TRUE(answer.is_ok()) << answer.message;
  EXPECT_TRUE(daemon.client().preload("winning-2k").value.already_loaded());
  EXPECT_EQ(daemon.circuit(ProofKind::winning).loads(), 1u);
  EXPECT_EQ(daemon.metric("cuzk_srs_loads_total"), 1);
  EXPECT_EQ(daemon.client().preload("snap-3k").code, kRpcNotFound);
  daemon.stop();
}

TEST(DaemonParameters, D05AJobOfAnotherCircuitThanTheLoadedOne) {
  RunningDaemon daemon({ProofKind::window, ProofKind::winning});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  expect_proves(daemon, ProofKind::window, 1);  // nothing is loaded
  ASSERT_TRUE(daemon.client().preload("wpost-2k").value.already_loaded());
  expect_proves(daemon, ProofKind::winning, 1);
  daemon.stop();
}

// Evicted again and again while jobs are queued, in synthesis and in proof: refused or done, and every proof is right.
TEST(DaemonParameters, D05EvictionHarmsNoJob) {
  RunningDaemon daemon({ProofKind::winning, ProofKind::window});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  std::vector<v1::SubmitProofRequest> requests;
  std::vector<std::string> ids;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    requests.push_back(proof_request(seed % 2 == 0 ? ProofKind::winning : ProofKind::window, seed));
    ids.push_back(daemon.client().submit(requests.back()).value.job_id());
  }
  int refused = 0;
  const auto is_open = [&] {
    return daemon.client().await(ids.back(), 1).value.status() == v1::AwaitProofResponse::TIMEOUT;
  };
  for (int i = 0; i < 3000 && is_open(); ++i) {
    for (const char* circuit : {"winning-2k", "wpost-2k"}) {
      const auto answer = daemon.client().evict(circuit);
      EXPECT_TRUE(answer.is_ok() || answer.code == kRpcUnavailable) << answer.message;
      refused += answer.code == kRpcUnavailable;
    }
    ::usleep(50'000);
  }
  EXPECT_GT(refused, 0) << "no eviction met a circuit in use";
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto ended = daemon.client().await(ids[i]);
    ASSERT_EQ(ended.value.status(), v1::AwaitProofResponse::COMPLETED) << ended.value.error_message();
    EXPECT_TRUE(check_proof(requests[i], ended.value.proof()).is_ok());
  }
  daemon.stop();
}

// Proves them in the order of the queue's choice, all submitted together, each verified.
void prove_together(RunningDaemon& daemon, const std::vector<ProofKind>& kinds) {
  std::vector<v1::SubmitProofRequest> requests;
  for (const ProofKind kind : kinds) {
    requests.push_back(proof_request(kind, requests.size()));
    requests.back().set_priority(v1::NORMAL);
  }
  std::vector<std::string> ids;
  for (const v1::SubmitProofRequest& request : requests) {
    const auto submitted = daemon.client().submit(request);
    ASSERT_TRUE(submitted.is_ok()) << submitted.message;
    ids.push_back(submitted.value.job_id());
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto ended = daemon.client().await(ids[i]);
    ASSERT_EQ(ended.value.status(), v1::AwaitProofResponse::COMPLETED)
        << ended.message << ended.value.error_message();
    EXPECT_TRUE(check_proof(requests[i], ended.value.proof()).is_ok());
  }
}

TEST(DaemonParameters, D06TwoCircuitsThatFitAreLoadedOnceEach) {
  RunningDaemon daemon({ProofKind::window, ProofKind::winning});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  std::vector<ProofKind> kinds(4, ProofKind::window);
  for (int i = 0; i < 6; ++i) kinds.push_back(i % 2 == 0 ? ProofKind::winning : ProofKind::window);
  ASSERT_NO_FATAL_FAILURE(prove_together(daemon, kinds));
  expect_proves(daemon, ProofKind::window, 50);
  const Scrape all = daemon.scrape();
  EXPECT_EQ(all.sum("cuzk_srs_loads_total"), 2) << "a resident circuit costs no load";
  EXPECT_EQ(all.sum("cuzk_srs_evictions_total"), 0);
  EXPECT_EQ(all.sum("cuzk_phase_seconds_count", {{"phase", "srs_load"}}), 2);
  daemon.stop();
}

TEST(DaemonParameters, D06OneAtATimeIsGroupedAndCounted) {
  RunningDaemon daemon({ProofKind::update, ProofKind::porep});
  const std::uint64_t limit = daemon.least_budget(ProofKind::porep);
  daemon.add_flags({"--memory-host-limit", std::to_string(limit) + "B"});
  ASSERT_NO_FATAL_FAILURE(daemon.start());
  ASSERT_NO_FATAL_FAILURE(prove_together(daemon, {ProofKind::update, ProofKind::porep, ProofKind::update}));
  EXPECT_EQ(daemon.metric("cuzk_srs_loads_total"), 2) << "equal jobs go one after the other";
  EXPECT_EQ(daemon.metric("cuzk_srs_evictions_total"), 1);
  EXPECT_LE(daemon.metric("cuzk_host_memory_reserved_bytes"), static_cast<double>(limit));
  daemon.stop();
}

}  // namespace
}  // namespace cuzk
