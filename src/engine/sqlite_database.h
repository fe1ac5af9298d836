// SQLite as this project uses it: a connection and statements that own their handles and report failures as Status, each naming
// the file. Nothing here knows a table. One connection is for one thread at a time; its owner locks.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace cuzk {

class SqliteDatabase;

// A prepared statement. Parameters are bound, and columns read, in their order by successive calls. The first failure of a bind
// is kept and returned by step().
class SqliteStatement {
 public:
  SqliteStatement& bind(std::string_view text);  // must stay where it is until the statement is done
  SqliteStatement& bind_blob(std::span<const std::uint8_t> bytes);  // likewise
  SqliteStatement& bind_blob(std::string_view bytes);               // likewise
  SqliteStatement& bind_int(std::int64_t value);
  SqliteStatement& bind_real(double value);
  SqliteStatement& bind_null();

  // True: a row can be read. False: the statement has ended.
  Result<bool> step();
  // For a statement without rows.
  Status run();

  // The next column of the row; NULL reads as empty or zero.
  bool next_is_null() const noexcept;
  std::int64_t next_int() noexcept;
  double next_real() noexcept;
  std::string next_text();  // of text or a blob, all bytes
  std::vector<std::uint8_t> next_blob();
  void skip() noexcept { ++column_; }

 private:
  friend class SqliteDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
  };
  SqliteStatement(SqliteDatabase& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}
  SqliteStatement& bound(int code) noexcept;

  SqliteDatabase* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int parameter_ = 1;
  int column_ = 0;
  int bind_error_ = SQLITE_OK;
};

class SqliteDatabase {
 public:
  enum class Access { read, write };
  // The file must exist. Waits up to five seconds for locks of other processes.
  static Result<SqliteDatabase> open(const std::filesystem::path& path, Access access);

  // Statements without parameters and rows of interest, separated by semicolons.
  Status execute(const char* sql);
  Result<SqliteStatement> prepare(std::string_view sql);
  // The only column of the only row.
  Result<std::int64_t> query_int(std::string_view sql);
  Result<std::string> query_text(std::string_view sql);
  // Rows that the last INSERT, UPDATE or DELETE changed.
  std::int64_t changes() const noexcept { return sqlite3_changes64(handle_.get()); }
  std::int64_t last_row() const noexcept { return sqlite3_last_insert_rowid(handle_.get()); }

  // Called after each commit of this connection with the length of the write-ahead log; replaces SQLite's own checkpoints.
  void set_wal_hook(int (*hook)(void*, sqlite3*, const char*, int log_pages), void* argument) noexcept {
    sqlite3_wal_hook(handle_.get(), hook, argument);
  }

  // The failure of the call that has just been made: resource_exhausted for a full disk or memory, internal for a violated
  // constraint, unavailable for anything else.
  Status failure(int code) const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }
  };
  SqliteDatabase(std::filesystem::path path, sqlite3* handle) : path_(std::move(path)), handle_(handle) {}

  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

// A write transaction: undone unless committed. A failed commit is undone too.
class SqliteTransaction {
 public:
  static Result<SqliteTransaction> begin(SqliteDatabase& database);
  SqliteTransaction(SqliteTransaction&& other) noexcept;
  SqliteTransaction& operator=(SqliteTransaction&&) = delete;
  ~SqliteTransaction();
  Status commit();

 private:
  explicit SqliteTransaction(SqliteDatabase& database) noexcept : database_(&database) {}
  SqliteDatabase* database_;  // null: nothing to undo
};

}  // namespace cuzk
