// DeviceMemory: what the circuits of one worker take of its device.
//
// A circuit has a part of its own. The proofs of all circuits share one work space, as large as the largest of them needs: it grows with
// a load and shrinks when the circuit that needed most of it goes (groth16/backend.h, MemoryPlan).
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>

#include "engine/memory_budget.h"

namespace cuzk {

// Bytes.
struct DeviceNeed {
  std::uint64_t own = 0;   // while the circuit is loaded
  std::uint64_t work = 0;  // of the work space, likewise
  std::uint64_t load = 0;  // on top of both while it is being loaded
};

class DeviceMemory;

// What one circuit takes, given back by the destructor. Movable; an empty one takes nothing. The DeviceMemory must outlive it.
class DeviceShare {
 public:
  DeviceShare() noexcept = default;
  DeviceShare(DeviceShare&& other) noexcept;
  DeviceShare& operator=(DeviceShare&& other) noexcept;
  DeviceShare(const DeviceShare&) = delete;
  DeviceShare& operator=(const DeviceShare&) = delete;
  ~DeviceShare() { release(); }

  // Without its part of the work space.
  std::uint64_t own_bytes() const noexcept { return own_.bytes(); }
  // The load is over: gives back what only it needed.
  void end_load() noexcept { own_.shrink_to(need_.own); }
  // The bytes given back, those by which the work space shrinks among them.
  std::uint64_t release() noexcept;

 private:
  friend class DeviceMemory;
  DeviceShare(DeviceMemory* memory, const DeviceNeed& need, Reservation own) noexcept
      : memory_(memory), need_(need), own_(std::move(own)) {}

  DeviceMemory* memory_ = nullptr;
  DeviceNeed need_;
  Reservation own_;
};

// Thread-safe.
class DeviceMemory {
 public:
  using Shares = std::span<const DeviceShare* const>;

  // Null for a processor, which has no memory of its own: everything fits and nothing is counted.
  explicit DeviceMemory(MemoryBudget* budget) : budget_(budget) {}

  std::uint64_t work_bytes() const;
  // resource_exhausted, with needed and limit, if `need` can never fit beside `kept`, which never go away.
  Status check_fits(const std::string& what, const DeviceNeed& need, Shares kept) const;
  // The bytes that `need` takes at this moment, above those that would be free if `gone` were given back.
  std::uint64_t missing_bytes(const DeviceNeed& need, Shares gone = {}) const;
  // resource_exhausted, with needed, free and limit, if `need` would not fit at this moment even if `gone` were given back.
  Status check_free(const std::string& what, const DeviceNeed& need, Shares gone = {}) const;
  // At once or not at all; the failure is that of check_free or check_fits.
  Result<DeviceShare> try_take(const std::string& what, const DeviceNeed& need);

 private:
  friend class DeviceShare;
  // Ends the use of the work space; the bytes by which it shrinks.
  std::uint64_t leave(std::uint64_t work) noexcept;

  MemoryBudget* const budget_;
  mutable std::mutex mutex_;
  std::multiset<std::uint64_t> work_needs_;  // of all shares
  Reservation work_;                         // as large as the largest of them
};

}  // namespace cuzk
