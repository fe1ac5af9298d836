#include "engine/memory_budget.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/check.h"

namespace cuzk {
namespace {

constexpr auto kAskEvery = std::chrono::milliseconds(100);

}  // namespace

Reservation::Reservation(Reservation&& other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  if (this != &other) {
    release();
    budget_ = std::exchange(other.budget_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

void Reservation::release() noexcept {
  if (budget_ != nullptr) budget_->give_back(bytes_);
  budget_ = nullptr;
  bytes_ = 0;
}

void Reservation::shrink_to(std::uint64_t bytes) noexcept {
  if (budget_ == nullptr || bytes >= bytes_) return;
  budget_->give_back(bytes_ - bytes);
  bytes_ = bytes;
}

Reservation Reservation::split(std::uint64_t bytes) noexcept {
  CUZK_CHECK(bytes <= bytes_, "a part of what is reserved");
  bytes_ -= bytes;
  return {budget_, bytes};
}

void Reservation::join(Reservation other) noexcept {
  if (other.budget_ == nullptr) return;
  CUZK_CHECK(budget_ == nullptr || budget_ == other.budget_, "reservations of one budget");
  budget_ = std::exchange(other.budget_, nullptr);
  bytes_ += std::exchange(other.bytes_, 0);
}

std::uint64_t MemoryBudget::used_bytes() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

std::uint64_t MemoryBudget::free_bytes() const {
  const std::lock_guard lock(mutex_);
  return limit_ - used_;
}

Status MemoryBudget::check_fits(const std::string& what, std::uint64_t bytes,
                                std::uint64_t kept_bytes) const {
  if (kept_bytes <= limit_ && bytes <= limit_ - kept_bytes) return Status::ok();
  std::string message = name_ + ": " + what + " needs " + std::to_string(bytes) + " bytes, the limit is " +
                        std::to_string(limit_);
  if (kept_bytes > 0) message += ", of which " + std::to_string(kept_bytes) + " are taken for good";
  return resource_exhausted(message);
}

Status MemoryBudget::refusal(const std::string& what, std::uint64_t bytes) const {
  return resource_exhausted(name_ + ": " + what + " needs " + std::to_string(bytes) + " bytes, " +
                            std::to_string(limit_ - used_) + " of " + std::to_string(limit_) + " are free");
}

Status MemoryBudget::check_free(const std::string& what, std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  return bytes <= limit_ - used_ ? Status::ok() : refusal(what, bytes);
}

Result<Reservation> MemoryBudget::try_reserve(const std::string& what, std::uint64_t bytes) {
  CUZK_TRY(check_fits(what, bytes));
  const std::lock_guard lock(mutex_);
  if (bytes > limit_ - used_) return refusal(what, bytes);
  used_ += bytes;
  return Reservation(this, bytes);
}

// A waiter's place among the others, given up also when `give_up` throws.
class MemoryBudget::Queued {
 public:
  // `lock`: of the budget's mutex; held here, and whenever at_front() is called.
  Queued(MemoryBudget& budget, std::unique_lock<std::mutex>& lock, int priority)
      : budget_(budget),
        lock_(lock),
        place_(budget.waiting_.insert(std::find_if(budget.waiting_.begin(), budget.waiting_.end(),
                                                   [&](int other) { return other < priority; }),
                                      priority)) {}
  ~Queued() {
    if (!lock_.owns_lock()) lock_.lock();
    budget_.waiting_.erase(place_);
    budget_.changed_.notify_all();
  }
  Queued(const Queued&) = delete;
  Queued& operator=(const Queued&) = delete;
  bool at_front() const { return place_ == budget_.waiting_.begin(); }

 private:
  MemoryBudget& budget_;
  std::unique_lock<std::mutex>& lock_;
  const std::list<int>::const_iterator place_;
};

Result<Reservation> MemoryBudget::reserve(const std::string& what, std::uint64_t bytes, int priority,
                                          const std::function<bool()>& give_up) {
  CUZK_TRY(check_fits(what, bytes));
  std::unique_lock lock(mutex_);
  const Queued queued(*this, lock, priority);
  const auto may_take = [&] { return queued.at_front() && bytes <= limit_ - used_; };
  while (!may_take()) {
    if (give_up) {
      lock.unlock();
      const bool stop = give_up();
      lock.lock();
      if (stop) {
        return Status(StatusCode::cancelled,
                      name_ + ": " + what + " no longer waits for " + std::to_string(bytes) + " bytes");
      }
      if (may_take()) break;
    }
    changed_.wait_for(lock, kAskEvery);
  }
  used_ += bytes;
  return Reservation(this, bytes);
}

void MemoryBudget::give_back(std::uint64_t bytes) noexcept {
  {
    const std::lock_guard lock(mutex_);
    used_ -= bytes;
  }
  changed_.notify_all();
}

}  // namespace cuzk
