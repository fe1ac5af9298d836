#include "engine/verify_stage.h"

#include <algorithm>

#include "engine/guarded.h"
#include "engine/prove_stage.h"

namespace cuzk {
namespace {

// Whether the witness is one of the statement that the proof is verified against.
bool has_inputs(const Witness& witness, const std::vector<Fr>& public_inputs) {
  return witness.inputs.size() == public_inputs.size() + 1 &&
         std::equal(public_inputs.begin(), public_inputs.end(), witness.inputs.begin() + 1);
}

Result<InputCommitment> commitment(const PreparedVerifyingKey& key, const ProofInput& input,
                                   unsigned partition) {
  return commit_inputs(key, input.public_inputs(partition));
}

}  // namespace

// If it fails, check() will try again and say so.
void VerifyStage::commit(StatementItem item) {
  {
    const std::lock_guard lock(core_.mutex);
    const std::optional<CommittedStatement>& known = item.job->partitions[item.partition].statement;
    if (item.job->stop || (known && known->key == item.key)) return;
  }
  const Result<InputCommitment> made =
      guarded("statement", [&] { return commitment(*item.key, *item.held->input, item.partition); });
  if (!made.is_ok()) return;
  const std::lock_guard lock(core_.mutex);
  item.job->partitions[item.partition].statement = CommittedStatement{item.key, made.value()};
}

Status VerifyStage::check(const ProofItem& item, const std::optional<CommittedStatement>& statement) const {
  const PreparedVerifyingKey& key = *item.constraints->key;
  if (statement && statement->key == item.constraints->key)
    return verify_committed(key, statement->inputs, item.proof);
  CUZK_ASSIGN(const InputCommitment inputs, commitment(key, item.job->input(), item.partition));
  return verify_committed(key, inputs, item.proof);
}

void VerifyStage::run(ProofItem item) {
  const JobPtr& job = item.job;
  const EngineTime begin = EngineClock::now();
  std::shared_ptr<const HeldWitness> witness;
  std::optional<CommittedStatement> statement;
  int number = 0;
  {
    const std::lock_guard lock(core_.mutex);
    number = job->partition_number(item.partition);
    const bool is_last = job->partitions_done + 1 == job->partitions.size();
    if (is_last && !job->stop) core_.set_state(*job, JobState::verifying);
    core_.span(*job, "wait", number, -1, item.returned, begin);
    core_.start_span(*job, "verify", number, -1, begin);
    witness = job->partitions[item.partition].witness;
    statement = job->partitions[item.partition].statement;
  }
  Status verdict;
  bool statement_differs = false;
  const Status checked = guarded("verification", [&] {
    verdict = check(item, statement);
    statement_differs =
        !verdict.is_ok() && !has_inputs(witness->witness, job->input().public_inputs(item.partition));
    return Status::ok();
  });
  witness = nullptr;
  const EngineTime end = EngineClock::now();

  const std::lock_guard lock(core_.mutex);
  core_.end_span(*job, "verify", number, end);
  WorkerRecord& worker = core_.workers[static_cast<std::size_t>(item.worker)];
  if (!checked.is_ok()) {
    core_.scheduler.set_state({job->key, item.partition}, Scheduler::State::pending);
    core_.fail(job, {checked.code(), "verify", checked.message(), true, {}});
    core_.settle(job);
  } else if (verdict.is_ok()) {
    worker.faults_in_a_row = 0;
    core_.scheduler.set_state({job->key, item.partition}, Scheduler::State::done);
    job->partitions[item.partition].proof = item.proof;
    ++job->partitions_done;
    core_.drop_witness(*job, item.partition);
    core_.finish_partition(job);
  } else {
    settle_wrong(item, statement_differs, verdict);
    core_.settle(job);
  }
  core_.work.notify_all();
}

void VerifyStage::settle_wrong(const ProofItem& item, bool statement_differs, const Status& verdict) {
  const JobPtr& job = item.job;
  const std::string where = "partition " + std::to_string(job->partition_number(item.partition)) + ": ";
  if (statement_differs) {
    core_.scheduler.set_state({job->key, item.partition}, Scheduler::State::pending);
    return core_.fail(job, {StatusCode::not_satisfied,
                            "verify",
                            where + "the vanilla proofs are of another statement than the request",
                            false,
                            {}});
  }
  ++core_.self_check_failures;
  settle_fault(core_, core_.workers[static_cast<std::size_t>(item.worker)], job, item.partition,
               {StatusCode::prover_fault,
                "verify",
                where + "the proof that was made does not verify and was discarded: " + verdict.message(),
                true,
                {}});
}

}  // namespace cuzk
