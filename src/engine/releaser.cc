#include "engine/releaser.h"

#include "base/stopwatch.h"

namespace cuzk {

Releaser::Releaser() : thread_([this] { work(); }) {}

Releaser::~Releaser() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Releaser::release(std::shared_ptr<const void> object, Done done) {
  if (object == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    items_.push_back({std::move(object), std::move(done)});
  }
  changed_.notify_all();
}

void Releaser::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !items_.empty(); });
    if (items_.empty()) return;
    Item item = std::move(items_.front());
    items_.pop_front();
    lock.unlock();
    const Stopwatch watch;
    item.object.reset();
    if (item.done) item.done(watch.elapsed_ms());
    item.done = {};
    lock.lock();
  }
}

}  // namespace cuzk
