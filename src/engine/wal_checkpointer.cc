#include "engine/wal_checkpointer.h"

#include <utility>

namespace cuzk {
namespace {

constexpr int kDuePages = 256;  // 4 MiB; a log shorter than that is not worth a sync

}  // namespace

WalCheckpointer::WalCheckpointer(SqliteDatabase database)
    : database_(std::move(database)), thread_([this] { work(); }) {}

WalCheckpointer::~WalCheckpointer() {
  {
    const std::lock_guard guard(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void WalCheckpointer::watch(SqliteDatabase& writer) {
  writer.set_wal_hook(&WalCheckpointer::committed, this);
}

int WalCheckpointer::committed(void* self, sqlite3*, const char*, int log_pages) {
  if (log_pages < kDuePages) return SQLITE_OK;
  auto& checkpointer = *static_cast<WalCheckpointer*>(self);
  {
    const std::lock_guard guard(checkpointer.mutex_);
    checkpointer.is_due_ = true;
  }
  checkpointer.changed_.notify_one();
  return SQLITE_OK;
}

void WalCheckpointer::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return is_due_ || is_stopping_; });
    if (is_stopping_) return;
    is_due_ = false;
    lock.unlock();
    // What fails here (a full disk) stays in the log, and the next commit asks again.
    (void)database_.execute("PRAGMA wal_checkpoint(PASSIVE)").is_ok();
    lock.lock();
  }
}

}  // namespace cuzk
