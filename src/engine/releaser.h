// Releaser: a thread that destroys large objects, so that nobody waits for memory to be given back to the system.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace cuzk {

// Thread-safe.
class Releaser {
 public:
  // Called by the releaser's thread after each object.
  using Done = std::function<void(double ms)>;

  Releaser();
  // Destroys all that is left.
  ~Releaser();
  Releaser(const Releaser&) = delete;
  Releaser& operator=(const Releaser&) = delete;

  // Takes over one reference; the object goes with it if it was the last. `done` may be empty.
  void release(std::shared_ptr<const void> object, Done done = {});

 private:
  struct Item {
    std::shared_ptr<const void> object;
    Done done;
  };
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace cuzk
