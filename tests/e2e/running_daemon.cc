#include "running_daemon.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace cuzk {

RunningDaemon::RunningDaemon(const std::vector<ProofKind>& kinds, std::vector<std::string> more_flags) {
  link_parameters(params_dir(), kinds);
  add_flags(quiet_daemon_flags(scratch_.path().string(), params_dir()));
  add_flags({"--cache-dir", shared_circuit_cache(), "--server-listen", "127.0.0.1:0," + socket_address()});
  add_flags(more_flags);
}

void RunningDaemon::add_flags(const std::vector<std::string>& flags) {
  for (std::size_t i = 0; i < flags.size(); i += 2) flags_[flags[i]] = flags[i + 1];
}

std::vector<std::string> RunningDaemon::flags() const {
  std::vector<std::string> all;
  for (const auto& [flag, value] : flags_) all.insert(all.end(), {flag, value});
  return all;
}

void RunningDaemon::start() {
  client_.reset();
  process_.reset();
  process_ = std::make_unique<DaemonProcess>(flags());
  ASSERT_NE(process_->http_port(), 0) << process_->log();
  client_ = std::make_unique<DaemonClient>(socket_address());
}

void RunningDaemon::start_ready() {
  ASSERT_NO_FATAL_FAILURE(start());
  ASSERT_TRUE(process_->wait_for_line(" info ready")) << process_->log();
}

void RunningDaemon::stop() {
  process_->send(SIGTERM);
  EXPECT_EQ(process_->wait_for_exit(), 0) << process_->log();
}

void RunningDaemon::kill() {
  process_->send(SIGKILL);
  EXPECT_EQ(process_->wait_for_exit(), 128 + SIGKILL) << process_->log();
}

Scrape RunningDaemon::scrape() {
  auto families = read_exposition(http_get(process_->http_port(), "/metrics"));
  EXPECT_TRUE(families.is_ok()) << families.status().to_string();
  return families.is_ok() ? Scrape(std::move(families).value()) : Scrape({});
}

double RunningDaemon::metric(const std::string& name, const std::map<std::string, std::string>& labels) {
  return scrape().sum(name, labels);
}

double Scrape::sum(const std::string& name, const std::map<std::string, std::string>& labels) const {
  double sum = 0;
  for (const auto& [family, content] : families_)
    for (const Sample& sample : content.samples) {
      const bool is_wanted = std::all_of(labels.begin(), labels.end(), [&](const auto& label) {
        const auto found = sample.labels.find(label.first);
        return found != sample.labels.end() && found->second == label.second;
      });
      if (sample.name == name && is_wanted) sum += sample.value;
    }
  return sum;
}

v1::CircuitInfo RunningDaemon::circuit(ProofKind kind) {
  const auto status = client_->status();
  EXPECT_TRUE(status.is_ok()) << status.message;
  for (const v1::CircuitInfo& circuit : status.value.circuits())
    if (circuit.circuit_id() == small_circuit_id(kind)) return circuit;
  ADD_FAILURE() << small_circuit_id(kind) << " is not in the status";
  return {};
}

std::optional<v1::JobInfo> RunningDaemon::job(const std::string& job_id) {
  const auto jobs = client_->list_jobs(10'000);
  for (const v1::JobInfo& job : jobs.value.jobs())
    if (job.job_id() == job_id) return job;
  return std::nullopt;
}

std::uint64_t RunningDaemon::least_budget(ProofKind kind) {
  constexpr std::uint64_t kTooLittle = std::uint64_t{64} << 20;
  add_flags({"--memory-host-limit", std::to_string(kTooLittle) + "B"});
  start();
  const auto refused = client_->preload(small_circuit_id(kind));
  EXPECT_EQ(refused.code, kRpcResourceExhausted) << refused.message;
  EXPECT_NE(refused.message.find("the limit is " + std::to_string(kTooLittle)), std::string::npos)
      << refused.message;
  stop();
  const std::string before = small_circuit_id(kind) + " needs ";
  const std::size_t at = refused.message.find(before);
  EXPECT_NE(at, std::string::npos) << refused.message;
  if (at == std::string::npos) return kTooLittle;
  const std::uint64_t needed = std::strtoull(refused.message.c_str() + at + before.size(), nullptr, 10);
  EXPECT_GT(needed, kTooLittle) << refused.message;
  return needed;
}

bool RunningDaemon::wait_for_state(const std::string& job_id, const std::vector<std::string>& states) {
  const auto deadline = std::chrono::steady_clock::now() + kDaemonPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    const std::optional<v1::JobInfo> found = job(job_id);
    if (found && std::find(states.begin(), states.end(), found->state()) != states.end()) return true;
    ::usleep(5000);
  }
  return false;
}

bool RunningDaemon::wait_until_idle() {
  const auto deadline = std::chrono::steady_clock::now() + kDaemonPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    const Scrape now = scrape();
    if (now.sum("cuzk_jobs_pending") + now.sum("cuzk_jobs_in_progress") + now.sum("cuzk_worker_busy") == 0)
      return true;
    ::usleep(20'000);
  }
  return false;
}

ProcessUse process_use(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  ProcessUse use;
  std::ifstream status(folder + "/status");
  for (std::string key; status >> key;) {
    if (key == "RssAnon:") {
      status >> use.private_bytes;
      use.private_bytes *= 1024;
    } else if (key == "Threads:") {
      status >> use.threads;
    }
  }
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder + "/fd")) ++use.files;
  return use;
}

}  // namespace cuzk
