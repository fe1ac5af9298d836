#include "engine/synthesize_stage.h"

#include "engine/circuit_id.h"
#include "engine/guarded.h"

namespace cuzk {

bool SynthesizeStage::run(const JobPtr& job, unsigned partition) {
  const std::shared_ptr<const Constraints> constraints = core_.srs->constraints(*job->circuit);
  Result<std::shared_ptr<HeldWitness>> made = constraints == nullptr
                                                  ? Status(StatusCode::cancelled, "evicted since")
                                                  : make(job, partition, *constraints);
  const bool gave_up = made.status().code() == StatusCode::cancelled;
  finish(job, partition, std::move(made));
  return !gave_up;
}

Result<std::shared_ptr<HeldWitness>> SynthesizeStage::make(const JobPtr& job, unsigned partition,
                                                           const Constraints& constraints) {
  const std::uint64_t bytes = constraints.witness_bytes();
  const std::string what = "a witness of " + circuit_id(*job->circuit);
  auto held = std::make_shared<HeldWitness>();
  core_.srs->make_host_room(bytes, job->circuit);
  bool waits = false;
  Result<Reservation> memory = core_.host.reserve(what, bytes, static_cast<int>(job->priority), [&] {
    if (!std::exchange(waits, true)) wait_for_memory(job, true);
    // What was in use when it was asked for may be idle by now.
    core_.srs->make_host_room(bytes, job->circuit);
    // A load that waits for memory goes first if its job does; the scheduler sees to that.
    return job->stop || core_.cut || core_.stopping || core_.load_waits;
  });
  if (waits) wait_for_memory(job, false);
  if (!memory.is_ok()) return memory.status();
  held->memory = std::move(memory).value();
  start(job, partition, EngineClock::now());
  const std::string where = "partition " + std::to_string(job->partition_number(partition)) + ": " + what +
                            " of " + std::to_string(bytes) + " bytes";
  CUZK_TRY(guarded(where, [&] {
    held->witness = job->input().witness(partition, constraints.r1cs);
    return Status::ok();
  }));
  return held;
}

void SynthesizeStage::wait_for_memory(const JobPtr& job, bool waits) {
  const std::lock_guard lock(core_.mutex);
  core_.scheduler.set_short_of_memory(job->key, waits);
  core_.work.notify_all();
}

void SynthesizeStage::start(const JobPtr& job, unsigned partition, EngineTime begin) {
  const std::lock_guard lock(core_.mutex);
  core_.begin(*job, begin);
  const int number = job->partition_number(partition);
  core_.span(*job, "wait", number, -1, job->partitions[partition].waits_since, begin);
  core_.start_span(*job, "synth", number, -1, begin);
  if (job->state == JobState::queued) core_.set_state(*job, JobState::synthesizing);
}

void SynthesizeStage::finish(const JobPtr& job, unsigned partition,
                             Result<std::shared_ptr<HeldWitness>> made) {
  const EngineTime end = EngineClock::now();
  const std::lock_guard lock(core_.mutex);
  PartitionRecord& record = job->partitions[partition];
  const int number = job->partition_number(partition);
  if (made.is_ok()) {
    core_.end_span(*job, "synth", number, end);
    job->timings.synth += job->spans.back().ms;
    record.waits_since = end;
  } else {
    core_.drop_span(*job, "synth", number);
  }
  const bool is_ready = made.is_ok() && !job->stop;
  if (made.is_ok()) record.witness = std::move(made).value();
  core_.scheduler.set_state({job->key, partition},
                            is_ready ? Scheduler::State::ready : Scheduler::State::pending);
  if (!made.is_ok() && made.status().code() != StatusCode::cancelled)
    core_.fail(job, {made.status().code(), "synth", made.status().message(), true, {}});
  core_.settle(job);
  core_.work.notify_all();
}

}  // namespace cuzk
