// Three connections: one writes, one reads, one moves the log into the database. In WAL mode a reader sees the last commit and waits for no writer, so find() and
// recent() stay quick while 100 MB of vanilla proofs go to disk.
//
// Unsigned 64-bit numbers are stored as SQLite's signed ones with the same bits.
#include "engine/sqlite_journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "engine/file_lock.h"
#include "engine/journal_json.h"
#include "engine/journal_rows.h"
#include "engine/journal_schema.h"
#include "engine/sqlite_database.h"
#include "engine/wal_checkpointer.h"

namespace cuzk {
namespace {

constexpr std::int64_t kSparePages = 4096;       // 64 MiB stay for the next requests
constexpr std::int64_t kMostVacuumPages = 4096;  // a call moves at most as many, in about a tenth of a second

class SqliteJournal final : public Journal {
 public:
  SqliteJournal(FileLock lock, SqliteDatabase writer, SqliteDatabase reader, SqliteDatabase checkpointer)
      : lock_(std::move(lock)),
        checkpointer_(std::move(checkpointer)),
        writer_(std::move(writer)),
        reader_(std::move(reader)) {
    checkpointer_.watch(writer_);
  }

  Status accept(const JournalEntry& entry) override;
  Status finish(const JobSnapshot& job) override;
  Result<std::vector<JournalEntry>> recover() override;
  Result<std::optional<JobSnapshot>> find(const std::string& job_id) override;
  Result<std::optional<Known>> find_request(const std::string& request_id) override;
  Result<std::vector<JobSnapshot>> recent(std::size_t limit) override;
  Result<std::uint64_t> forget_before(std::int64_t unix_ms) override;

 private:
  // Returns pages that large requests have left to the file system. The caller holds writer_mutex_.
  Status give_back_space();

  FileLock lock_;  // released last
  WalCheckpointer checkpointer_;
  std::mutex writer_mutex_;
  SqliteDatabase writer_;
  std::mutex reader_mutex_;
  SqliteDatabase reader_;
};

Status SqliteJournal::accept(const JournalEntry& entry) {
  const Bytes32 digest = entry.request.content_digest();  // 100 MB to hash: before the lock
  const std::lock_guard guard(writer_mutex_);
  CUZK_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(writer_));
  CUZK_TRY(insert_job(writer_, entry, digest));
  CUZK_TRY(insert_vanilla_proofs(writer_, writer_.last_row(), entry.request));
  return transaction.commit();
}

Status SqliteJournal::finish(const JobSnapshot& job) {
  const std::lock_guard guard(writer_mutex_);
  CUZK_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(writer_));
  CUZK_TRY(update_finished(writer_, job));
  if (writer_.changes() != 1) {
    return internal_error("job " + job.job_id + " is not among the unfinished ones of the journal");
  }
  CUZK_TRY(delete_vanilla_proofs(writer_, job.job_id));
  return transaction.commit();
}

Result<std::vector<JournalEntry>> SqliteJournal::recover() {
  const std::lock_guard guard(reader_mutex_);
  return select_unfinished(reader_);
}

Result<std::optional<JobSnapshot>> SqliteJournal::find(const std::string& job_id) {
  const std::lock_guard guard(reader_mutex_);
  return select_finished(reader_, job_id);
}

Result<std::optional<Journal::Known>> SqliteJournal::find_request(const std::string& request_id) {
  if (request_id.empty()) return std::optional<Known>();
  const std::lock_guard guard(reader_mutex_);
  return select_known(reader_, request_id);
}

Result<std::vector<JobSnapshot>> SqliteJournal::recent(std::size_t limit) {
  const std::lock_guard guard(reader_mutex_);
  return select_recent(reader_, limit);
}

Result<std::uint64_t> SqliteJournal::forget_before(std::int64_t unix_ms) {
  const std::lock_guard guard(writer_mutex_);
  CUZK_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(writer_));
  CUZK_TRY(delete_finished_before(writer_, unix_ms));
  const auto forgotten = static_cast<std::uint64_t>(writer_.changes());
  CUZK_TRY(transaction.commit());
  CUZK_TRY(give_back_space());
  return forgotten;
}

Status SqliteJournal::give_back_space() {
  CUZK_ASSIGN(const std::int64_t free_pages, writer_.query_int("PRAGMA freelist_count"));
  if (free_pages <= kSparePages) return Status::ok();
  const std::int64_t pages = std::min(free_pages - kSparePages, kMostVacuumPages);
  return writer_.execute(("PRAGMA incremental_vacuum(" + std::to_string(pages) + ")").c_str());
}

Status io_failure(const std::filesystem::path& path, const char* operation, int error) {
  const bool is_full = error == ENOSPC || error == EDQUOT;
  return {is_full ? StatusCode::resource_exhausted : StatusCode::unavailable,
          path.string() + ": " + operation + ": " + std::strerror(error)};
}

constexpr off_t kSmallestDatabaseBytes = 512;  // one page of the smallest size

// SQLite would take the mode from the umask; its WAL and shared-memory files get that of the database. Only under the lock:
// closing a file drops the locks that SQLite has on it in the same process.
Status create_private_file(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return io_failure(path, "open", errno);
  struct stat info {};
  const int error = ::fstat(fd, &info) == 0 ? 0 : errno;
  ::close(fd);
  if (error != 0) return io_failure(path, "stat", error);
  // SQLite takes a rump for an empty database.
  if (info.st_size == 0 || info.st_size >= kSmallestDatabaseBytes) return Status::ok();
  return unavailable(path.string() + ": damaged: " + std::to_string(info.st_size) +
                     " bytes; a database has at least " + std::to_string(kSmallestDatabaseBytes));
}

// A new name is durable once its folder is.
Status sync_folder(const std::filesystem::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return io_failure(folder, "open", errno);
  const int error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  return error == 0 ? Status::ok() : io_failure(folder, "sync", error);
}

}  // namespace

Result<std::unique_ptr<Journal>> open_sqlite_journal(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return io_failure(folder, "create folder", error.value());
  CUZK_ASSIGN(FileLock lock, FileLock::acquire(path.string() + ".lock"));
  CUZK_TRY(create_private_file(path));
  CUZK_TRY(sync_folder(folder));
  CUZK_ASSIGN(SqliteDatabase writer, SqliteDatabase::open(path, SqliteDatabase::Access::write));
  CUZK_TRY(prepare_journal(writer, path));
  CUZK_ASSIGN(SqliteDatabase reader, SqliteDatabase::open(path, SqliteDatabase::Access::read));
  CUZK_ASSIGN(SqliteDatabase checkpointer, SqliteDatabase::open(path, SqliteDatabase::Access::write));
  return std::unique_ptr<Journal>(std::make_unique<SqliteJournal>(
      std::move(lock), std::move(writer), std::move(reader), std::move(checkpointer)));
}

}  // namespace cuzk
