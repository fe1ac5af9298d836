// TaskPool: a few threads that run what must not run on the threads of the network library. The number of tasks that clients can leave
// waiting is bounded; a client that sends more is told so at once.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cuzk {

// Tasks run in the order of their arrival. They must not throw.
class TaskPool {
 public:
  TaskPool(std::size_t num_threads, std::size_t max_waiting);
  // stop().
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  // False, and `task` is not run, if max_waiting tasks wait already or the pool has stopped.
  bool try_post(std::function<void()> task);
  // For what was accepted before: not bounded. Dropped after stop().
  void post(std::function<void()> task);
  // Runs what waits, then joins the threads.
  void stop();

 private:
  void work();

  const std::size_t max_waiting_;
  std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cuzk
