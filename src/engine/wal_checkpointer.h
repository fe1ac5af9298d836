// WalCheckpointer: moves committed pages from the write-ahead log into the database, in a thread of its own.
//
// SQLite would do so inside the commit that makes the log too long, and whoever finishes a job would pay for the 100 MB of another
// one. Here a commit only says how long the log is.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/sqlite_database.h"

namespace cuzk {

class WalCheckpointer {
 public:
  // `database` is a connection of its own.
  explicit WalCheckpointer(SqliteDatabase database);
  // Lets a checkpoint in progress end.
  ~WalCheckpointer();
  WalCheckpointer(const WalCheckpointer&) = delete;
  WalCheckpointer& operator=(const WalCheckpointer&) = delete;

  // Reports every commit of `writer` to this object, in place of SQLite's own checkpoints. `writer` must not commit after this
  // object's end.
  void watch(SqliteDatabase& writer);

 private:
  static int committed(void* self, sqlite3* writer, const char* schema, int log_pages);
  void work();

  SqliteDatabase database_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_due_ = false;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace cuzk
