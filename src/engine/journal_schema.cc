#include "engine/journal_schema.h"

namespace cuzk {
namespace {

// auto_vacuum keeps a map of pages, with which dropping 100 MB of vanilla proofs does not read them; larger pages make that map
// and the lists of free pages short. Both must be set before the first table.
constexpr const char* kCreate = R"sql(
CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  job_id TEXT NOT NULL UNIQUE,
  request_id TEXT NOT NULL,
  content_digest BLOB NOT NULL,
  accepted_at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  sector_size INTEGER NOT NULL,
  registered_proof INTEGER NOT NULL,
  priority INTEGER,
  sector_number INTEGER NOT NULL,
  miner_id INTEGER NOT NULL,
  randomness BLOB NOT NULL,
  partition_index INTEGER NOT NULL,
  comm_r_old BLOB NOT NULL,
  comm_r_new BLOB NOT NULL,
  comm_d_new BLOB NOT NULL,
  finished_at_ms INTEGER,
  state TEXT,
  partitions INTEGER,
  partitions_done INTEGER,
  queue_ms REAL,
  srs_ms REAL,
  synth_ms REAL,
  prove_ms REAL,
  total_ms REAL,
  error_class TEXT,
  error_phase TEXT,
  error_message TEXT,
  error_retryable INTEGER,
  error_findings TEXT,
  spans TEXT,
  proof BLOB
);
CREATE INDEX job_by_request ON job (request_id) WHERE request_id <> '';
CREATE INDEX job_unfinished ON job (id) WHERE finished_at_ms IS NULL;
CREATE INDEX job_by_end ON job (finished_at_ms, id) WHERE finished_at_ms IS NOT NULL;
CREATE TABLE vanilla_proof (
  job INTEGER NOT NULL REFERENCES job (id),
  position INTEGER NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (job, position)
);
)sql";

std::string set_int(const char* pragma, std::int64_t value) {
  return std::string("PRAGMA ") + pragma + " = " + std::to_string(value);
}

Status create_tables(SqliteDatabase& database) {
  CUZK_TRY(database.execute("PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL"));
  CUZK_TRY(database.execute("PRAGMA journal_mode = WAL"));
  CUZK_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  CUZK_TRY(database.execute(kCreate));
  CUZK_TRY(database.execute(set_int("application_id", kJournalApplicationId).c_str()));
  CUZK_TRY(database.execute(set_int("user_version", kJournalSchemaVersion).c_str()));
  return transaction.commit();
}

// True for a file in which nothing has been made yet.
Result<bool> is_empty(SqliteDatabase& database, const std::filesystem::path& path) {
  CUZK_ASSIGN(const std::int64_t objects, database.query_int("SELECT count(*) FROM sqlite_schema"));
  CUZK_ASSIGN(const std::int64_t application, database.query_int("PRAGMA application_id"));
  CUZK_ASSIGN(const std::int64_t version, database.query_int("PRAGMA user_version"));
  if (objects == 0 && application == 0 && version == 0) return true;
  if (application != kJournalApplicationId) {
    return unavailable(path.string() + ": a database of another program (application id " +
                       std::to_string(application) + ", wanted " + std::to_string(kJournalApplicationId) +
                       ")");
  }
  if (version != kJournalSchemaVersion) {
    return unavailable(path.string() + ": a journal of schema version " + std::to_string(version) +
                       "; this program reads version " + std::to_string(kJournalSchemaVersion));
  }
  return false;
}

Status check_whole(SqliteDatabase& database, const std::filesystem::path& path) {
  CUZK_ASSIGN(const std::string verdict, database.query_text("PRAGMA quick_check(1)"));
  return verdict == "ok" ? Status::ok() : unavailable(path.string() + ": damaged: " + verdict);
}

}  // namespace

Status prepare_journal(SqliteDatabase& database, const std::filesystem::path& path) {
  CUZK_ASSIGN(const bool is_new, is_empty(database, path));
  if (is_new) CUZK_TRY(create_tables(database));
  CUZK_ASSIGN(const std::string mode, database.query_text("PRAGMA journal_mode = WAL"));
  if (mode != "wal") {
    return unavailable(path.string() + ": the file system does not support WAL (journal mode is " + mode +
                       ")");
  }
  // Debian's SQLite overwrites what it deletes with zeros; vanilla proofs are no secret, and 100 MB of zeros take their time.
  CUZK_TRY(
      database.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = OFF;"
                       "PRAGMA journal_size_limit = 67108864"));
  return is_new ? Status::ok() : check_whole(database, path);
}

}  // namespace cuzk
