#include "engine/submission.h"

#include <algorithm>

#include "engine/guarded.h"
#include "engine/job_id.h"

namespace cuzk {
namespace {

constexpr std::uint32_t kMinRetryMs = 500, kMaxRetryMs = 60'000;

Status other_content(const std::string& request_id, const std::string& job_id) {
  return {StatusCode::already_exists,
          "request id \"" + request_id + "\" is that of job " + job_id + ", which has other content"};
}

bool frees_its_request_id(JobState state) noexcept {
  return state == JobState::failed || state == JobState::cancelled;
}

// What the journal is given, and the memory that is reserved for it.
struct HeldEntry {
  Reservation memory;  // given back after the entry is gone
  JournalEntry entry;
};

}  // namespace

// A place in the queue while a request is on its way to be a job. It is given up in the moment in which the job is counted itself, so
// that no job ever takes two.
class Submission::Place {
 public:
  explicit Place(EngineCore& core) : core_(core) {}
  ~Place() {
    if (is_given_up_) return;
    const std::lock_guard lock(core_.mutex);
    --core_.being_submitted;
    core_.work.notify_all();  // it may be the last thing that an engine did
  }
  // With the core's mutex held.
  void give_up() noexcept {
    --core_.being_submitted;
    is_given_up_ = true;
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  EngineCore& core_;
  bool is_given_up_ = false;
};

// A request id that one thread is about to give a job; others wait for it. Empty: claims nothing.
class Submission::Claim {
 public:
  Claim(EngineCore& core, std::string request_id) : core_(core), request_id_(std::move(request_id)) {
    if (request_id_.empty()) return;
    std::unique_lock lock(core_.mutex);
    core_.work.wait(lock, [&] { return core_.requests_being_submitted.insert(request_id_).second; });
  }
  ~Claim() {
    if (request_id_.empty()) return;
    {
      const std::lock_guard lock(core_.mutex);
      core_.requests_being_submitted.erase(request_id_);
    }
    core_.work.notify_all();
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  EngineCore& core_;
  const std::string request_id_;
};

std::uint32_t Submission::retry_after_ms() const {
  const std::lock_guard lock(core_.mutex);
  return static_cast<std::uint32_t>(
      std::clamp(core_.typical_job_ms, double{kMinRetryMs}, double{kMaxRetryMs}));
}

Result<std::optional<Submitted>> Submission::find_known(const ProofRequest& request, const Bytes32& digest) {
  const std::string& id = request.request_id;
  if (id.empty()) return std::optional<Submitted>();
  {
    const std::lock_guard lock(core_.mutex);
    const auto found = core_.by_request.find(id);
    if (found != core_.by_request.end()) {
      const JobRecord& job = *found->second;
      if (frees_its_request_id(job.state)) return std::optional<Submitted>();
      if (job.content_digest != digest) return other_content(id, job.id);
      return std::optional<Submitted>({job.id, core_.scheduler.position(job.key), true});
    }
  }
  return find_in_journal(id, digest);
}

Result<std::optional<Submitted>> Submission::find_in_journal(const std::string& request_id,
                                                             const Bytes32& digest) {
  if (core_.journal == nullptr) return std::optional<Submitted>();
  CUZK_ASSIGN(const std::optional<Journal::Known> known, core_.journal->find_request(request_id));
  if (!known) return std::optional<Submitted>();
  CUZK_ASSIGN(const std::optional<JobSnapshot> job, core_.journal->find(known->job_id));
  if (job && frees_its_request_id(job->state)) return std::optional<Submitted>();
  if (known->content_digest != digest) return other_content(request_id, known->job_id);
  return std::optional<Submitted>({known->job_id, 0, true});
}

Status Submission::take_place() {
  const std::lock_guard lock(core_.mutex);
  if (core_.is_shutting_down) return unavailable("the prover is shutting down; no new job is accepted");
  if (core_.is_draining) return unavailable("the prover drains; no new job is accepted");
  if (!core_.has_usable_worker())
    return unavailable("no usable worker is left: " + core_.workers.front().unusable_because);
  const std::size_t taken = core_.open.size() + core_.being_submitted;
  if (taken >= core_.config.max_jobs) {
    return resource_exhausted("the queue is full: " + std::to_string(taken) + " jobs of " +
                              std::to_string(core_.config.max_jobs) + " are queued or running");
  }
  ++core_.being_submitted;
  return Status::ok();
}

// Reserved for all messages, those on their way included.
std::uint64_t Submission::message_bytes() const {
  const std::lock_guard lock(core_.mutex);
  return core_.message_bytes + in_flight_;
}

// Messages must leave room for the largest circuit in the queue, and for `circuit`, else it could never be loaded.
Status Submission::check_room(const CircuitParameters* circuit, std::uint64_t bytes, std::uint64_t beside) {
  CircuitSet circuits;
  {
    const std::lock_guard lock(core_.mutex);
    for (const auto& [key, job] : core_.open) circuits.insert(job->circuit);
  }
  if (circuit != nullptr) circuits.insert(circuit);
  for (const CircuitParameters* needed : circuits) {
    const Status status = core_.srs->check(*needed, bytes + beside);
    if (status.code() == StatusCode::resource_exhausted)
      return status.with_context("a message that takes " + std::to_string(bytes) + " bytes, beside " +
                                 std::to_string(beside) + " of others");
  }
  return Status::ok();
}

Result<MessageMemory> Submission::try_reserve(std::uint64_t bytes) {
  CUZK_ASSIGN(Reservation message, core_.host.try_reserve("a message", bytes));
  CUZK_ASSIGN(Reservation input, core_.host.try_reserve("what is parsed from a message", bytes));
  return MessageMemory(std::move(message), std::move(input), in_flight_);
}

Result<MessageMemory> Submission::reserve_message(std::uint64_t bytes) {
  Result<MessageMemory> memory = try_reserve(bytes);
  if (!memory.is_ok()) {
    CUZK_TRY(check_room(nullptr, 2 * bytes, message_bytes()));
    // Two at once would evict more than they need.
    const std::lock_guard lock(making_room_);
    core_.srs->make_host_room(2 * bytes, nullptr);
    memory = try_reserve(bytes);
  }
  // It is counted by now, so that of two at once neither overlooks the other.
  if (memory.is_ok()) CUZK_TRY(check_room(nullptr, 2 * bytes, message_bytes() - 2 * bytes));
  return memory;
}

Status Submission::fit_memory(MessageMemory& memory, std::uint64_t bytes) {
  if (memory.bytes() < bytes) {
    memory = MessageMemory();
    CUZK_ASSIGN(memory, reserve_message(bytes));
  }
  memory.shrink_to(bytes);
  return Status::ok();
}

Result<Submitted> Submission::submit(ProofRequest request, MessageMemory memory) {
  const ProofKind kind = request.kind;
  Result<Submitted> submitted = guarded("the request", [&] {
    return find_or_accept(std::move(request), std::move(memory), EngineClock::now());
  });
  if (!submitted.is_ok()) core_.metrics.refused(kind, status_code_name(submitted.status().code()));
  return submitted;
}

Result<Submitted> Submission::find_or_accept(ProofRequest request, MessageMemory memory, EngineTime begin) {
  const Bytes32 digest = request.request_id.empty() ? Bytes32{} : request.content_digest();
  const Claim claim(core_, request.request_id);
  CUZK_ASSIGN(const std::optional<Submitted> known, find_known(request, digest));
  if (known) return *known;
  return accept(std::move(request), std::move(memory), digest, begin);
}

Result<Submitted> Submission::accept(ProofRequest request, MessageMemory memory, const Bytes32& digest,
                                     EngineTime begin) {
  CUZK_TRY(take_place());
  Place place(core_);
  const std::uint64_t bytes = request.memory_bytes();
  CUZK_TRY(fit_memory(memory, bytes));
  CUZK_ASSIGN(std::shared_ptr<const ProofInput> input, parse_request(request));
  const EngineTime parsed = EngineClock::now();
  CUZK_TRY(core_.srs->check(input->circuit()));
  // The half of the message is given back as soon as the journal has it.
  CUZK_TRY(check_room(&input->circuit(), bytes, message_bytes() - 2 * bytes));
  CUZK_ASSIGN(const std::string id, random_job_id());

  const JobPtr job = make_job(request, std::move(input), memory.take_input());
  job->id = id;
  job->content_digest = digest;
  job->accepted = begin;
  job->accepted_at_ms = unix_time_ms();
  auto held = std::make_shared<HeldEntry>(
      HeldEntry{memory.take_message(), {id, job->accepted_at_ms, std::move(request)}});
  if (core_.journal != nullptr) CUZK_TRY(core_.journal->accept(held->entry));
  job->is_journaled = core_.journal != nullptr;
  core_.releaser.release(std::move(held));
  {
    const std::lock_guard lock(core_.mutex);
    job->add_span("parse", -1, -1, begin, parsed);
    job->add_span("journal", -1, -1, parsed, EngineClock::now());
  }
  return enqueue(job, &place);
}

Result<Submitted> Submission::submit(std::shared_ptr<const ProofInput> input, Priority priority,
                                     JobOptions options) {
  return guarded("the request", [&] { return accept(std::move(input), priority, options); });
}

Result<Submitted> Submission::accept(std::shared_ptr<const ProofInput> input, Priority priority,
                                     JobOptions options) {
  CUZK_TRY(take_place());
  Place place(core_);
  CUZK_TRY(core_.srs->check(input->circuit()));
  CUZK_ASSIGN(const std::string id, random_job_id());
  ProofRequest request;
  request.kind = input->circuit().kind;
  request.sector_size = input->circuit().shape->size_bytes;
  request.priority = priority;
  const JobPtr job = make_job(request, std::move(input), Reservation());
  job->id = id;
  job->accepted = EngineClock::now();
  job->accepted_at_ms = unix_time_ms();
  job->test_blinding = options.test_blinding;
  return enqueue(job, &place);
}

JobPtr Submission::make_job(const ProofRequest& request, std::shared_ptr<const ProofInput> input,
                            Reservation memory) {
  auto job = std::make_shared<JobRecord>();
  job->request_id = request.request_id;
  job->kind = request.kind;
  job->sector_size = request.sector_size;
  job->miner_id = request.miner_id;
  job->sector_number = request.sector_number;
  job->priority = request.effective_priority();
  job->circuit = &input->circuit();
  job->partitions.resize(input->num_proofs());
  auto held = std::make_shared<HeldInput>();
  held->memory = std::move(memory);
  held->input = std::move(input);
  job->held = std::move(held);
  return job;
}

Submitted Submission::enqueue(const JobPtr& job, Place* place) {
  const std::lock_guard lock(core_.mutex);
  job->key = core_.next_key++;
  job->queued_since = EngineClock::now();
  core_.message_bytes += job->held->memory.bytes();
  core_.scheduler.add(job->key, job->priority, job->circuit, static_cast<unsigned>(job->partitions.size()),
                      job->queued_since);
  core_.open.emplace(job->key, job);
  if (place != nullptr) place->give_up();
  core_.by_id[job->id] = job;
  if (!job->request_id.empty()) core_.by_request[job->request_id] = job;
  KindCounts& counts = core_.counts[job->kind];
  ++counts.pending;
  ++counts.submitted;
  for (const PhaseSpan& span : job->spans) {
    core_.metrics.phase(span.phase, job->kind, span.ms);
    core_.events.span_ended(light_snapshot(*job), span);
  }
  core_.events.job_changed(light_snapshot(*job));
  // The last one may have gone since the job took its place.
  if (!core_.has_usable_worker()) core_.fail_unserved(job);
  core_.work.notify_all();
  return {job->id, core_.scheduler.position(job->key), false};
}

void Submission::recover(std::vector<JournalEntry> entries) {
  for (JournalEntry& entry : entries) {
    // Each message goes when it has been parsed: all of them twice could be more than there is.
    const JournalEntry recovered = std::move(entry);
    const EngineTime begin = EngineClock::now();
    Result<std::shared_ptr<const ProofInput>> input = parse_again(recovered.request);
    if (input.is_ok()) {
      recover_job(recovered, std::move(input).value(), begin);
    } else {
      give_up(recovered, input.status());
    }
  }
}

Result<std::shared_ptr<const ProofInput>> Submission::parse_again(const ProofRequest& request) {
  return guarded("the request", [&]() -> Result<std::shared_ptr<const ProofInput>> {
    CUZK_ASSIGN(std::shared_ptr<const ProofInput> input, parse_request(request));
    CUZK_TRY(core_.srs->check(input->circuit()));
    return input;
  });
}

void Submission::recover_job(const JournalEntry& entry, std::shared_ptr<const ProofInput> input,
                             EngineTime begin) {
  // They were admitted once; without room for them they run all the same.
  Result<Reservation> memory = core_.host.try_reserve("a message", entry.request.memory_bytes());
  const JobPtr job =
      make_job(entry.request, std::move(input), memory.is_ok() ? std::move(memory).value() : Reservation());
  job->id = entry.job_id;
  job->content_digest = entry.request.request_id.empty() ? Bytes32{} : entry.request.content_digest();
  job->accepted = begin;
  job->accepted_at_ms = entry.accepted_at_ms;
  job->is_journaled = true;
  job->add_span("parse", -1, -1, begin, EngineClock::now());
  enqueue(job, nullptr);
  const std::lock_guard lock(core_.mutex);
  ++core_.recovered_jobs;
}

void Submission::give_up(const JournalEntry& entry, const Status& status) {
  JobSnapshot failed;
  failed.job_id = entry.job_id;
  failed.request_id = entry.request.request_id;
  failed.kind = entry.request.kind;
  failed.sector_size = entry.request.sector_size;
  failed.miner_id = entry.request.miner_id;
  failed.sector_number = entry.request.sector_number;
  failed.priority = entry.request.effective_priority();
  failed.state = JobState::failed;
  failed.accepted_at_ms = entry.accepted_at_ms;
  failed.finished_at_ms = unix_time_ms();
  const bool may_pass =
      status.code() == StatusCode::unavailable || status.code() == StatusCode::resource_exhausted;
  failed.error = JobError{status.code(), "recover", status.message(), may_pass, {}};
  const Status written = core_.journal->finish(failed);
  core_.events.note(EngineObserver::Level::error,
                    "job " + entry.job_id + " of an earlier run cannot be run again: " + status.message() +
                        (written.is_ok() ? "" : "; journal: " + written.message()));
}

}  // namespace cuzk
