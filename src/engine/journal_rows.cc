#include "engine/journal_rows.h"

#include <algorithm>
#include <limits>

#include "engine/journal_json.h"

namespace cuzk {
namespace {

// Of ProofRequest::vanilla_proof; those of vanilla_proofs count from 0.
constexpr std::int64_t kSinglePosition = -1;

constexpr const char* kSnapshotColumns =
    "job_id, request_id, accepted_at_ms, kind, sector_size, priority, sector_number, miner_id, "
    "finished_at_ms, "
    "state, partitions, partitions_done, queue_ms, srs_ms, synth_ms, prove_ms, total_ms, "
    "error_class, error_phase, error_message, error_retryable, error_findings";

Status unreadable(const std::string& job_id, const std::string& what) {
  return unavailable("job " + job_id + " of the journal: " + what);
}

Result<JobState> final_state_of(const std::string& name) {
  for (const JobState state : {JobState::completed, JobState::failed, JobState::cancelled})
    if (name == job_state_name(state)) return state;
  return unavailable("state is '" + name + "', wanted completed, failed or cancelled");
}

Result<StatusCode> error_class_of(const std::string& name) {
  for (int code = 1; code <= 16; ++code) {
    if (name == status_code_name(StatusCode{code})) return StatusCode{code};
  }
  return unavailable("error_class is '" + name + "'");
}

Result<Priority> priority_of(std::int64_t number) {
  if (number >= 1 && number <= 4) return static_cast<Priority>(number);
  return unavailable("priority is " + std::to_string(number) + ", wanted 1 to 4");
}

// Reads error_class to error_findings; nothing of a job without an error.
Result<std::optional<JobError>> read_error(SqliteStatement& row) {
  if (row.next_is_null()) {
    for (int column = 0; column < 5; ++column) row.skip();
    return std::optional<JobError>();
  }
  JobError error;
  CUZK_ASSIGN(error.code, error_class_of(row.next_text()));
  error.phase = row.next_text();
  error.message = row.next_text();
  error.retryable = row.next_int() != 0;
  CUZK_ASSIGN(error.findings, findings_from_json(row.next_text()));
  return std::optional<JobError>(std::move(error));
}

JobTimings read_timings(SqliteStatement& row) {
  JobTimings timings;
  timings.queue = row.next_real();
  timings.srs = row.next_real();
  timings.synth = row.next_real();
  timings.prove = row.next_real();
  timings.total = row.next_real();
  return timings;
}

// Reads kSnapshotColumns; job_id has been read.
Status read_snapshot(SqliteStatement& row, JobSnapshot& job) {
  job.request_id = row.next_text();
  job.accepted_at_ms = row.next_int();
  CUZK_ASSIGN(job.kind, proof_kind_from_name(row.next_text()));
  job.sector_size = static_cast<std::uint64_t>(row.next_int());
  CUZK_ASSIGN(job.priority, priority_of(row.next_int()));
  job.sector_number = static_cast<std::uint64_t>(row.next_int());
  job.miner_id = static_cast<std::uint64_t>(row.next_int());
  job.finished_at_ms = row.next_int();
  CUZK_ASSIGN(job.state, final_state_of(row.next_text()));
  job.partitions = static_cast<unsigned>(row.next_int());
  job.partitions_done = static_cast<unsigned>(row.next_int());
  job.timings = read_timings(row);
  CUZK_ASSIGN(job.error, read_error(row));
  return Status::ok();
}

Result<JobSnapshot> snapshot_of(SqliteStatement& row) {
  JobSnapshot job;
  job.job_id = row.next_text();
  const Status read = read_snapshot(row, job);
  if (!read.is_ok()) return unreadable(job.job_id, read.message());
  return job;
}

Status insert_vanilla_proof(SqliteDatabase& database, std::int64_t row, std::int64_t position,
                            const std::string& content) {
  CUZK_ASSIGN(SqliteStatement insert,
              database.prepare("INSERT INTO vanilla_proof (job, position, content) VALUES (?, ?, ?)"));
  return insert.bind_int(row).bind_int(position).bind_blob(content).run();
}

Status read_vanilla_proofs(SqliteDatabase& database, std::int64_t row, ProofRequest& request) {
  CUZK_ASSIGN(
      SqliteStatement select,
      database.prepare("SELECT position, content FROM vanilla_proof WHERE job = ? ORDER BY position"));
  select.bind_int(row);
  while (true) {
    CUZK_ASSIGN(const bool has_row, select.step());
    if (!has_row) return Status::ok();
    const std::int64_t position = select.next_int();
    if (position == kSinglePosition) {
      request.vanilla_proof = select.next_text();
    } else if (position == static_cast<std::int64_t>(request.vanilla_proofs.size())) {
      request.vanilla_proofs.push_back(select.next_text());
    } else {
      return unavailable("vanilla proof " + std::to_string(request.vanilla_proofs.size()) + " is missing");
    }
  }
}

// Reads the columns of select_unfinished from kind on.
Status read_request(SqliteStatement& row, ProofRequest& request) {
  CUZK_ASSIGN(request.kind, proof_kind_from_name(row.next_text()));
  request.sector_size = static_cast<std::uint64_t>(row.next_int());
  request.registered_proof = static_cast<std::uint64_t>(row.next_int());
  if (row.next_is_null()) {
    row.skip();
  } else {
    CUZK_ASSIGN(request.priority, priority_of(row.next_int()));
  }
  request.sector_number = static_cast<std::uint64_t>(row.next_int());
  request.miner_id = static_cast<std::uint64_t>(row.next_int());
  request.randomness = row.next_text();
  request.partition_index = static_cast<std::uint32_t>(row.next_int());
  request.comm_r_old = row.next_text();
  request.comm_r_new = row.next_text();
  request.comm_d_new = row.next_text();
  return Status::ok();
}

}  // namespace

Status insert_job(SqliteDatabase& database, const JournalEntry& entry, const Bytes32& content_digest) {
  const ProofRequest& request = entry.request;
  CUZK_ASSIGN(
      SqliteStatement insert,
      database.prepare("INSERT INTO job (job_id, request_id, content_digest, accepted_at_ms, kind, "
                       "sector_size, registered_proof, priority, sector_number, miner_id, randomness, "
                       "partition_index, comm_r_old, comm_r_new, comm_d_new) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  insert.bind(entry.job_id)
      .bind(request.request_id)
      .bind_blob(content_digest)
      .bind_int(entry.accepted_at_ms)
      .bind(proof_kind_name(request.kind))
      .bind_int(static_cast<std::int64_t>(request.sector_size))
      .bind_int(static_cast<std::int64_t>(request.registered_proof));
  if (request.priority) {
    insert.bind_int(static_cast<std::int64_t>(*request.priority));
  } else {
    insert.bind_null();
  }
  return insert.bind_int(static_cast<std::int64_t>(request.sector_number))
      .bind_int(static_cast<std::int64_t>(request.miner_id))
      .bind_blob(request.randomness)
      .bind_int(request.partition_index)
      .bind_blob(request.comm_r_old)
      .bind_blob(request.comm_r_new)
      .bind_blob(request.comm_d_new)
      .run();
}

Status insert_vanilla_proofs(SqliteDatabase& database, std::int64_t row, const ProofRequest& request) {
  if (!request.vanilla_proof.empty()) {
    CUZK_TRY(insert_vanilla_proof(database, row, kSinglePosition, request.vanilla_proof));
  }
  for (std::size_t i = 0; i < request.vanilla_proofs.size(); ++i) {
    CUZK_TRY(insert_vanilla_proof(database, row, static_cast<std::int64_t>(i), request.vanilla_proofs[i]));
  }
  return Status::ok();
}

Status update_finished(SqliteDatabase& database, const JobSnapshot& job) {
  const std::string spans = spans_to_json(job.spans);
  const std::string findings = job.error ? findings_to_json(job.error->findings) : "";
  CUZK_ASSIGN(SqliteStatement update,
              database.prepare(
                  "UPDATE job SET sector_size = ?, priority = ?, sector_number = ?, miner_id = ?, "
                  "finished_at_ms = ?, "
                  "state = ?, partitions = ?, partitions_done = ?, queue_ms = ?, srs_ms = ?, synth_ms = ?, "
                  "prove_ms = ?, total_ms = ?, spans = ?, proof = ?, error_class = ?, error_phase = ?, "
                  "error_message = ?, error_retryable = ?, error_findings = ? "
                  "WHERE job_id = ? AND finished_at_ms IS NULL"));
  update.bind_int(static_cast<std::int64_t>(job.sector_size))
      .bind_int(static_cast<std::int64_t>(job.priority))
      .bind_int(static_cast<std::int64_t>(job.sector_number))
      .bind_int(static_cast<std::int64_t>(job.miner_id))
      .bind_int(job.finished_at_ms)
      .bind(job_state_name(job.state))
      .bind_int(job.partitions)
      .bind_int(job.partitions_done)
      .bind_real(job.timings.queue)
      .bind_real(job.timings.srs)
      .bind_real(job.timings.synth)
      .bind_real(job.timings.prove)
      .bind_real(job.timings.total)
      .bind(spans)
      .bind_blob(job.proof);
  if (job.error) {
    update.bind(status_code_name(job.error->code))
        .bind(job.error->phase)
        .bind(job.error->message)
        .bind_int(job.error->retryable ? 1 : 0)
        .bind(findings);
  } else {
    update.bind_null().bind_null().bind_null().bind_null().bind_null();
  }
  return update.bind(job.job_id).run();
}

Status delete_vanilla_proofs(SqliteDatabase& database, const std::string& job_id) {
  CUZK_ASSIGN(
      SqliteStatement remove,
      database.prepare("DELETE FROM vanilla_proof WHERE job = (SELECT id FROM job WHERE job_id = ?)"));
  return remove.bind(job_id).run();
}

Status delete_finished_before(SqliteDatabase& database, std::int64_t unix_ms) {
  CUZK_ASSIGN(SqliteStatement remove,
              database.prepare("DELETE FROM job WHERE finished_at_ms IS NOT NULL AND finished_at_ms < ?"));
  return remove.bind_int(unix_ms).run();
}

Result<std::vector<JournalEntry>> select_unfinished(SqliteDatabase& database) {
  CUZK_ASSIGN(SqliteStatement select,
              database.prepare("SELECT id, job_id, request_id, accepted_at_ms, kind, sector_size, "
                               "registered_proof, priority, sector_number, miner_id, randomness, "
                               "partition_index, comm_r_old, comm_r_new, comm_d_new "
                               "FROM job WHERE finished_at_ms IS NULL ORDER BY id"));
  std::vector<JournalEntry> entries;
  while (true) {
    CUZK_ASSIGN(const bool has_row, select.step());
    if (!has_row) return entries;
    JournalEntry& entry = entries.emplace_back();
    const std::int64_t row = select.next_int();
    entry.job_id = select.next_text();
    entry.request.request_id = select.next_text();
    entry.accepted_at_ms = select.next_int();
    Status read = read_request(select, entry.request);
    if (read.is_ok()) read = read_vanilla_proofs(database, row, entry.request);
    if (!read.is_ok()) return Status(read.code(), unreadable(entry.job_id, read.message()).message());
  }
}

Result<std::optional<JobSnapshot>> select_finished(SqliteDatabase& database, const std::string& job_id) {
  CUZK_ASSIGN(SqliteStatement select,
              database.prepare("SELECT " + std::string(kSnapshotColumns) +
                               ", spans, proof FROM job WHERE job_id = ? AND finished_at_ms IS NOT NULL"));
  select.bind(job_id);
  CUZK_ASSIGN(const bool has_row, select.step());
  if (!has_row) return std::optional<JobSnapshot>();
  CUZK_ASSIGN(JobSnapshot job, snapshot_of(select));
  Result<std::vector<PhaseSpan>> spans = spans_from_json(select.next_text());
  if (!spans.is_ok()) return unreadable(job_id, spans.status().message());
  job.spans = std::move(spans).value();
  job.proof = select.next_blob();
  return std::optional<JobSnapshot>(std::move(job));
}

Result<std::vector<JobSnapshot>> select_recent(SqliteDatabase& database, std::size_t limit) {
  CUZK_ASSIGN(
      SqliteStatement select,
      database.prepare("SELECT " + std::string(kSnapshotColumns) +
                       " FROM job WHERE finished_at_ms IS NOT NULL ORDER BY finished_at_ms DESC, id DESC "
                       "LIMIT ?"));
  const auto most = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  select.bind_int(static_cast<std::int64_t>(std::min(limit, most)));
  std::vector<JobSnapshot> jobs;
  while (true) {
    CUZK_ASSIGN(const bool has_row, select.step());
    if (!has_row) return jobs;
    CUZK_ASSIGN(JobSnapshot job, snapshot_of(select));
    jobs.push_back(std::move(job));
  }
}

Result<std::optional<Journal::Known>> select_known(SqliteDatabase& database, const std::string& request_id) {
  CUZK_ASSIGN(SqliteStatement select,
              database.prepare("SELECT job_id, content_digest FROM job WHERE request_id = ? AND "
                               "request_id <> '' ORDER BY id DESC LIMIT 1"));
  select.bind(request_id);
  CUZK_ASSIGN(const bool has_row, select.step());
  if (!has_row) return std::optional<Journal::Known>();
  Journal::Known known{select.next_text(), {}};
  const std::vector<std::uint8_t> digest = select.next_blob();
  if (digest.size() != known.content_digest.size()) {
    return unreadable(known.job_id,
                      "content_digest has " + std::to_string(digest.size()) + " bytes, wanted 32");
  }
  std::copy(digest.begin(), digest.end(), known.content_digest.begin());
  return std::optional<Journal::Known>(std::move(known));
}

}  // namespace cuzk
