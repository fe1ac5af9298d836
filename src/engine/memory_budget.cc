#include "engine/memory_budget.h"

#include <algorithm>
#include <chrono>
#include <utility>

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

Result<Reservation> MemoryBudget::try_reserve(const std::string& what, std::uint64_t bytes) {
  CUZK_TRY(check_fits(what, bytes));
  const std::lock_guard lock(mutex_);
  if (bytes <= limit_ - used_) {
    used_ += bytes;
    return Reservation(this, bytes);
  }
  return resource_exhausted(name_ + ": " + what + " needs " + std::to_string(bytes) + " bytes, " +
                            std::to_string(limit_ - used_) + " of " + std::to_string(limit_) + " are free");
}

Result<Reservation> MemoryBudget::reserve(const std::string& what, std::uint64_t bytes, int priority,
                                          const std::function<bool()>& give_up) {
  CUZK_TRY(check_fits(what, bytes));
  std::unique_lock lock(mutex_);
  Waiter waiter{bytes, priority};
  const auto place = waiters_.insert(
      std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter* w) { return w->priority < priority; }),
      &waiter);
  const auto leave = [&] {
    waiters_.erase(place);
    changed_.notify_all();
  };
  while (waiters_.front() != &waiter || bytes > limit_ - used_) {
    if (give_up) {
      lock.unlock();
      const bool stop = give_up();
      lock.lock();
      if (stop) {
        leave();
        return Status(StatusCode::cancelled,
                      name_ + ": " + what + " no longer waits for " + std::to_string(bytes) + " bytes");
      }
      if (waiters_.front() == &waiter && bytes <= limit_ - used_) break;
    }
    changed_.wait_for(lock, kAskEvery);
  }
  used_ += bytes;
  leave();
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
