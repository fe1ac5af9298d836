#include "base/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "base/check.h"

namespace cuzk {
namespace {

// One parallel_for in flight. It lives on the caller's stack: the caller leaves only when no worker holds it.
struct Call {
  const std::function<void(std::size_t, std::size_t)>* body;
  std::size_t n;
  std::size_t grain;
  std::atomic<std::size_t> next{0};
  std::size_t helpers = 0;  // workers inside run(); guarded by the pool's mutex
  std::mutex thrown_mutex{};
  std::exception_ptr thrown{};  // the first

  bool exhausted() const noexcept { return next.load(std::memory_order_relaxed) >= n; }

  void run() {
    for (;;) {
      const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
      if (begin >= n) return;
      try {
        (*body)(begin, std::min(n, begin + grain));
      } catch (...) {
        const std::lock_guard lock(thrown_mutex);
        if (thrown == nullptr) thrown = std::current_exception();
        next = n;  // what has not begun is not done any more
      }
    }
  }
};

std::atomic<std::size_t> g_requested_threads{0};
std::atomic<bool> g_global_made{false};

}  // namespace

struct ThreadPool::Impl {
  std::mutex mutex;
  std::condition_variable work_ready;
  std::condition_variable call_left;
  std::list<Call*> calls;
  bool stopping = false;
  std::vector<std::thread> workers;

  Call* find_call() {
    for (Call* call : calls) {
      if (!call->exhausted()) return call;
    }
    return nullptr;
  }

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      Call* call = nullptr;
      work_ready.wait(lock, [&] { return stopping || (call = find_call()) != nullptr; });
      if (stopping) return;
      ++call->helpers;
      lock.unlock();
      call->run();
      lock.lock();
      if (--call->helpers == 0) call_left.notify_all();
    }
  }
};

ThreadPool::ThreadPool(std::size_t num_threads) : impl_(std::make_unique<Impl>()) {
  if (num_threads == 0) num_threads = usable_cores();
  for (std::size_t i = 1; i < num_threads; ++i) impl_->workers.emplace_back([this] { impl_->work(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->work_ready.notify_all();
  for (std::thread& worker : impl_->workers) worker.join();
}

std::size_t ThreadPool::num_threads() const noexcept {
  return impl_->workers.size() + 1;
}

void ThreadPool::parallel_for(std::size_t n, std::size_t grain,
                              const std::function<void(std::size_t, std::size_t)>& body) {
  CUZK_CHECK(grain >= 1, "parallel_for needs a grain of at least 1");
  if (n == 0) return;
  if (n <= grain || impl_->workers.empty()) {
    for (std::size_t begin = 0; begin < n; begin += grain) body(begin, std::min(n, begin + grain));
    return;
  }
  Call call{.body = &body, .n = n, .grain = grain};
  std::list<Call*>::iterator position;
  {
    const std::lock_guard lock(impl_->mutex);
    position = impl_->calls.insert(impl_->calls.end(), &call);
  }
  impl_->work_ready.notify_all();
  call.run();
  std::unique_lock lock(impl_->mutex);
  impl_->calls.erase(position);
  impl_->call_left.wait(lock, [&] { return call.helpers == 0; });
  lock.unlock();
  if (call.thrown != nullptr) std::rethrow_exception(call.thrown);
}

ThreadPool& ThreadPool::global() {
  static ThreadPool pool([] {
    g_global_made = true;
    return g_requested_threads.load();
  }());
  return pool;
}

void ThreadPool::set_global_threads(std::size_t num_threads) {
  CUZK_CHECK(!g_global_made, "the global thread pool is already in use");
  g_requested_threads = num_threads;
}

void parallel_for(std::size_t n, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  ThreadPool::global().parallel_for(n, grain, body);
}

void run_tasks(std::span<const std::function<void()>> tasks) {
  std::vector<std::exception_ptr> thrown(tasks.size());
  parallel_for(tasks.size(), 1, [&](std::size_t i, std::size_t) {
    try {
      tasks[i]();
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
}

std::size_t usable_cores() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
}

}  // namespace cuzk
