// A fixed set of threads and one primitive, parallel_for, over which every CPU layer spreads its work.
//
// The calling thread always takes part and can finish alone, so parallel_for may be nested and may be called
// from several threads at once without a deadlock; idle workers help whichever call still has chunks left.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace cuzk {

class ThreadPool {
 public:
  // `num_threads` counts the caller: 1 starts no thread. 0 means one per core this process may use.
  explicit ThreadPool(std::size_t num_threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t num_threads() const noexcept;

  // Calls body(begin, end) for disjoint chunks that cover [0, n), each of at most `grain` items (grain >= 1),
  // on any of the threads and the caller; returns when all have finished. n = 0 calls nothing. If `body`
  // throws (memory has run out), chunks that have not begun are left out and the caller gets an exception
  // that was thrown.
  void parallel_for(std::size_t n, std::size_t grain,
                    const std::function<void(std::size_t, std::size_t)>& body);

  // The process-wide pool, made on first use.
  static ThreadPool& global();
  // Sets the size of the global pool; only before its first use (checked).
  static void set_global_threads(std::size_t num_threads);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// parallel_for of the global pool.
void parallel_for(std::size_t n, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& body);

// Runs all tasks, side by side where threads are free; returns when all have finished. A task may throw and may use
// parallel_for: the exception of the first task in order that threw is thrown again, by the caller.
void run_tasks(std::span<const std::function<void()>> tasks);

// The cores that this process may run on (its affinity mask), at least 1.
std::size_t usable_cores() noexcept;

}  // namespace cuzk
