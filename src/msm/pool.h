// Pool<T>: work spaces that the tasks of one parallel_for share, so that each thread makes its own only once.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace cuzk {

template <typename T>
class Pool {
 public:
  // A T that no other task uses, default-constructed or as an earlier task left it, until the lease ends.
  class Lease {
   public:
    explicit Lease(Pool& pool) : pool_(pool), item_(pool.take()) {}
    ~Lease() { pool_.put(std::move(item_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    T& operator*() const noexcept { return *item_; }
    T* operator->() const noexcept { return item_.get(); }

   private:
    Pool& pool_;
    std::unique_ptr<T> item_;
  };

 private:
  std::unique_ptr<T> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<T> item = std::move(free_.back());
        free_.pop_back();
        return item;
      }
    }
    return std::make_unique<T>();
  }
  void put(std::unique_ptr<T> item) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(item));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace cuzk
