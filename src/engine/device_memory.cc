#include "engine/device_memory.h"

#include <algorithm>
#include <utility>

namespace cuzk {
namespace {

std::uint64_t beyond(std::uint64_t bytes, std::uint64_t there) noexcept {
  return bytes > there ? bytes - there : 0;
}

std::uint64_t largest(const std::multiset<std::uint64_t>& needs) noexcept {
  return needs.empty() ? 0 : *needs.rbegin();
}

}  // namespace

DeviceShare::DeviceShare(DeviceShare&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), need_(other.need_), own_(std::move(other.own_)) {}

DeviceShare& DeviceShare::operator=(DeviceShare&& other) noexcept {
  if (this != &other) {
    release();
    memory_ = std::exchange(other.memory_, nullptr);
    need_ = other.need_;
    own_ = std::move(other.own_);
  }
  return *this;
}

std::uint64_t DeviceShare::release() noexcept {
  if (memory_ == nullptr) return 0;
  const std::uint64_t own = own_.bytes();
  own_.release();
  return own + std::exchange(memory_, nullptr)->leave(need_.work);
}

std::uint64_t DeviceMemory::work_bytes() const {
  const std::lock_guard lock(mutex_);
  return work_.bytes();
}

Status DeviceMemory::check_fits(const std::string& what, const DeviceNeed& need, Shares kept) const {
  if (budget_ == nullptr) return Status::ok();
  std::uint64_t own = 0, work = 0;
  for (const DeviceShare* const share : kept) {
    own += share->need_.own;
    work = std::max(work, share->need_.work);
  }
  return budget_->check_fits(what, need.own + need.load + beyond(need.work, work), own + work);
}

std::uint64_t DeviceMemory::missing_bytes(const DeviceNeed& need, Shares gone) const {
  const std::lock_guard lock(mutex_);
  std::multiset<std::uint64_t> left = work_needs_;
  std::uint64_t given_back = 0;
  for (const DeviceShare* const share : gone) {
    if (share->memory_ != this) continue;
    given_back += share->own_bytes();
    left.erase(left.find(share->need_.work));
  }
  given_back += work_.bytes() - largest(left);
  return beyond(need.own + need.load + beyond(need.work, largest(left)), given_back);
}

Status DeviceMemory::check_free(const std::string& what, const DeviceNeed& need, Shares gone) const {
  if (budget_ == nullptr || budget_->check_free(what, missing_bytes(need, gone)).is_ok()) return Status::ok();
  return budget_->check_free(what, missing_bytes(need));
}

Result<DeviceShare> DeviceMemory::try_take(const std::string& what, const DeviceNeed& need) {
  if (budget_ == nullptr) return DeviceShare();
  const std::lock_guard lock(mutex_);
  const std::uint64_t growth = beyond(need.work, work_.bytes());
  CUZK_ASSIGN(Reservation own, budget_->try_reserve(what, need.own + need.load + growth));
  work_needs_.insert(need.work);
  work_.join(own.split(growth));
  return DeviceShare(this, need, std::move(own));
}

std::uint64_t DeviceMemory::leave(std::uint64_t work) noexcept {
  const std::lock_guard lock(mutex_);
  work_needs_.erase(work_needs_.find(work));
  const std::uint64_t before = work_.bytes();
  work_.shrink_to(largest(work_needs_));
  return before - work_.bytes();
}

}  // namespace cuzk
