#include "server/fake_engine_test_support.h"

#include <algorithm>
#include <utility>

namespace cuzk {

class FakeEngine::FakeSubscription final : public Subscription {
 public:
  FakeSubscription(FakeEngine& engine, int number) : engine_(engine), number_(number) {}
  ~FakeSubscription() override {
    const std::lock_guard lock(engine_.mutex_);
    engine_.subscribers_.erase(number_);
  }

 private:
  FakeEngine& engine_;
  const int number_;
};

FakeEngine::FakeEngine() {
  on_submit = [](ProofRequest&&) { return Submitted{"job-1", 0, false}; };
  on_cancel = [](const std::string&) { return true; };
  on_preload = [](const std::string&) { return false; };
  on_evict = [](const std::string&) { return std::optional<std::uint64_t>(); };
  on_validate = [](const ProofRequest&) { return std::vector<InputFinding>(); };
  on_lookup = [] {};
  status_.ready = true;
  for (const ProofKind kind : {ProofKind::porep, ProofKind::winning, ProofKind::window, ProofKind::update,
                               ProofKind::update_poseidon}) {
    KindCounts counts;
    counts.kind = kind;
    status_.kinds.push_back(counts);
  }
}

void FakeEngine::put(JobSnapshot job) {
  const std::lock_guard lock(mutex_);
  const std::string job_id = job.job_id;
  const JobEvent event = is_final(job.state) ? JobEvent::ended : JobEvent::changed;
  if (jobs_.insert_or_assign(job_id, std::move(job)).second) order_.push_back(job_id);
  for (const auto& [number, subscriber] : subscribers_)
    if (subscriber.job_id == job_id) subscriber.told(event);
}

void FakeEngine::abandon() {
  const std::lock_guard lock(mutex_);
  for (const auto& [number, subscriber] : subscribers_) subscriber.told(JobEvent::abandoned);
}

void FakeEngine::set_status(const std::function<void(EngineStatus&)>& change) {
  const std::lock_guard lock(mutex_);
  change(status_);
}

void FakeEngine::set_metrics(MetricsSnapshot metrics) {
  const std::lock_guard lock(mutex_);
  metrics_ = std::move(metrics);
}

std::size_t FakeEngine::num_subscribers() const {
  const std::lock_guard lock(mutex_);
  return subscribers_.size();
}

std::vector<std::pair<ProofKind, StatusCode>> FakeEngine::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

Result<MessageMemory> FakeEngine::reserve_message(std::uint64_t bytes) {
  CUZK_ASSIGN(Reservation message, host.try_reserve("a message", bytes));
  CUZK_ASSIGN(Reservation input, host.try_reserve("what is parsed from a message", bytes));
  return MessageMemory(std::move(message), std::move(input), in_flight_);
}

void FakeEngine::count_refused(ProofKind kind, StatusCode code) {
  const std::lock_guard lock(mutex_);
  refused_.emplace_back(kind, code);
}

Result<Submitted> FakeEngine::submit(ProofRequest request, MessageMemory) {
  return on_submit(std::move(request));
}

Result<Submitted> FakeEngine::submit(std::shared_ptr<const ProofInput>, Priority, JobOptions) {
  return internal_error("a server submits requests, not inputs");
}

Result<JobSnapshot> FakeEngine::await(const std::string&, std::optional<std::chrono::milliseconds>,
                                      const std::function<bool()>&) {
  return internal_error("a server must not block a thread in await()");
}

Result<JobSnapshot> FakeEngine::find(const std::string& job_id) {
  on_lookup();
  const std::lock_guard lock(mutex_);
  const auto job = jobs_.find(job_id);
  if (job == jobs_.end()) return Status(StatusCode::not_found, "no job has the id '" + job_id + "'");
  return job->second;
}

std::vector<JobSnapshot> FakeEngine::list(std::size_t limit) {
  on_lookup();
  const std::lock_guard lock(mutex_);
  std::vector<JobSnapshot> listed;
  std::vector<JobSnapshot> finished;
  for (const std::string& job_id : order_) {
    JobSnapshot job = jobs_.at(job_id);
    job.proof.clear();
    (is_final(job.state) ? finished : listed).push_back(std::move(job));
  }
  std::reverse(finished.begin(), finished.end());
  finished.resize(std::min(finished.size(), limit));
  listed.insert(listed.end(), finished.begin(), finished.end());
  return listed;
}

Status FakeEngine::watch(const std::string&, const std::function<bool(const JobSnapshot&)>&) {
  return internal_error("a server must not block a thread in watch()");
}

Result<std::unique_ptr<Subscription>> FakeEngine::subscribe(const std::string& job_id,
                                                            std::function<void(JobEvent)> told) {
  const std::lock_guard lock(mutex_);
  const auto job = jobs_.find(job_id);
  if (job == jobs_.end()) return Status(StatusCode::not_found, "no job has the id '" + job_id + "'");
  if (is_final(job->second.state)) told(JobEvent::ended);
  const int number = next_subscriber_++;
  subscribers_[number] = {job_id, std::move(told)};
  return std::unique_ptr<Subscription>(std::make_unique<FakeSubscription>(*this, number));
}

void FakeEngine::drain() {
  set_status([](EngineStatus& status) { status.draining = true; });
}

void FakeEngine::undrain() {
  set_status([](EngineStatus& status) { status.draining = false; });
}

bool FakeEngine::wait_idle(std::chrono::milliseconds) {
  return true;
}

void FakeEngine::shut_down(std::chrono::milliseconds) {
  abandon();
}

EngineStatus FakeEngine::status() const {
  const std::lock_guard lock(mutex_);
  EngineStatus status = status_;
  if (status.host_memory.limit_bytes == 0) status.host_memory = {host.used_bytes(), host.limit_bytes()};
  return status;
}

MetricsSnapshot FakeEngine::metrics() const {
  if (on_metrics) on_metrics();
  const std::lock_guard lock(mutex_);
  return metrics_;
}

JobSnapshot sample_job(const std::string& job_id, JobState state) {
  JobSnapshot job;
  job.job_id = job_id;
  job.request_id = "porep-1000-7";
  job.sector_size = std::uint64_t{32} << 30;
  job.miner_id = 1000;
  job.sector_number = 7;
  job.state = state;
  job.partitions = 10;
  job.accepted_at_ms = 1'700'000'000'000;
  if (!is_final(state)) return job;
  job.finished_at_ms = job.accepted_at_ms + 94'000;
  job.timings = {228.4, 12.6, 60'525.2, 33'229.5, 93'984};
  job.spans = {{"parse", -1, -1, 0, 300.5}, {"msm_h", 3, 0, 61'000, 412.7}};
  if (state == JobState::completed) {
    job.partitions_done = job.partitions;
    job.proof.assign(1920, 0x8e);
  }
  if (state == JobState::failed) {
    JobError error;
    error.code = StatusCode::not_satisfied;
    error.phase = "validate";
    error.message = "2 of 4 sectors do not hold: 12, 17";
    error.findings = {{12, 0, 3, "comm_r_last", "aa", "bb", "sector 12, challenge 3: comm_r_last"},
                      {17, 0, std::nullopt, "comm_r", "cc", "dd", "sector 17: comm_r"}};
    job.error = error;
  }
  return job;
}

}  // namespace cuzk
