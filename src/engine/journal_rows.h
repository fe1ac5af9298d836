// The statements of the journal: one function each, over one connection. Rows and columns: docs/formats/journal.md.
#pragma once

#include <optional>
#include <vector>

#include "engine/journal.h"
#include "engine/sqlite_database.h"

namespace cuzk {

Status insert_job(SqliteDatabase& database, const JournalEntry& entry, const Bytes32& content_digest);
// Of the job with this row id.
Status insert_vanilla_proofs(SqliteDatabase& database, std::int64_t row, const ProofRequest& request);
// changes() is 1 if the job was there and unfinished, else 0.
Status update_finished(SqliteDatabase& database, const JobSnapshot& job);
Status delete_vanilla_proofs(SqliteDatabase& database, const std::string& job_id);
// changes() says how many.
Status delete_finished_before(SqliteDatabase& database, std::int64_t unix_ms);

Result<std::vector<JournalEntry>> select_unfinished(SqliteDatabase& database);
Result<std::optional<JobSnapshot>> select_finished(SqliteDatabase& database, const std::string& job_id);
// Newest first, without proofs and spans.
Result<std::vector<JobSnapshot>> select_recent(SqliteDatabase& database, std::size_t limit);
// The last job that was accepted under this idempotency key.
Result<std::optional<Journal::Known>> select_known(SqliteDatabase& database, const std::string& request_id);

}  // namespace cuzk
