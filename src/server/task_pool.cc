#include "server/task_pool.h"

#include <utility>

namespace cuzk {

TaskPool::TaskPool(std::size_t num_threads, std::size_t max_waiting) : max_waiting_(max_waiting) {
  for (std::size_t i = 0; i < num_threads; ++i) threads_.emplace_back([this] { work(); });
}

TaskPool::~TaskPool() {
  stop();
}

bool TaskPool::try_post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || tasks_.size() >= max_waiting_) return false;
    tasks_.push_back(std::move(task));
  }
  has_work_.notify_one();
  return true;
}

void TaskPool::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    tasks_.push_back(std::move(task));
  }
  has_work_.notify_one();
}

void TaskPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

void TaskPool::work() {
  while (true) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      has_work_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace cuzk
