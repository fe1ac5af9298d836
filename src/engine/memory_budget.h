// MemoryBudget: the bytes that one memory (the host's, a device's) may give to the large objects of the engine.
//
// Every large owner reserves before it allocates and holds the reservation as long as the memory. What cannot ever fit is refused
// with both numbers; what does not fit at the moment is refused or waits. A request that waits is not overtaken by one of lower or
// equal priority that waits too, so large ones do not starve behind small ones.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>

#include "base/status.h"

namespace cuzk {

class MemoryBudget;

// Bytes taken from a budget, given back by the destructor. Movable; an empty one holds nothing. The budget must outlive it.
class Reservation {
 public:
  Reservation() noexcept = default;
  Reservation(Reservation&& other) noexcept;
  Reservation& operator=(Reservation&& other) noexcept;
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  ~Reservation() { release(); }

  std::uint64_t bytes() const noexcept { return bytes_; }
  void release() noexcept;
  // Gives back all above `bytes`; does nothing if it holds less.
  void shrink_to(std::uint64_t bytes) noexcept;
  // Takes `bytes`, of those that this one holds, out into another.
  Reservation split(std::uint64_t bytes) noexcept;
  // Takes over what `other`, of the same budget, holds.
  void join(Reservation other) noexcept;

 private:
  friend class MemoryBudget;
  Reservation(MemoryBudget* budget, std::uint64_t bytes) noexcept : budget_(budget), bytes_(bytes) {}

  MemoryBudget* budget_ = nullptr;
  std::uint64_t bytes_ = 0;
};

// Thread-safe.
class MemoryBudget {
 public:
  // `name` is for messages: "host memory", "memory of GPU 0".
  MemoryBudget(std::string name, std::uint64_t limit_bytes) : name_(std::move(name)), limit_(limit_bytes) {}

  std::uint64_t limit_bytes() const noexcept { return limit_; }
  std::uint64_t used_bytes() const;
  std::uint64_t free_bytes() const;

  // resource_exhausted, with what is needed and the limit, if `bytes` can never fit beside `kept_bytes` that never go away.
  Status check_fits(const std::string& what, std::uint64_t bytes, std::uint64_t kept_bytes = 0) const;
  // Whether `bytes` are free at this moment: resource_exhausted, with needed, free and limit, if not. Does not look at who waits.
  Status check_free(const std::string& what, std::uint64_t bytes) const;
  // At once or not at all; the failure is that of check_free or check_fits.
  Result<Reservation> try_reserve(const std::string& what, std::uint64_t bytes);
  // Waits until it fits, higher `priority` first, then in order. `give_up` is asked whenever something has changed and at least ten
  // times a second; the answer then is cancelled. What can never fit is refused at once.
  Result<Reservation> reserve(const std::string& what, std::uint64_t bytes, int priority,
                              const std::function<bool()>& give_up = {});

 private:
  friend class Reservation;
  class Queued;

  void give_back(std::uint64_t bytes) noexcept;
  Status refusal(const std::string& what, std::uint64_t bytes) const;  // the mutex is held

  const std::string name_;
  const std::uint64_t limit_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t used_ = 0;
  std::list<int> waiting_;  // the priorities of those who wait, the highest first, then in order
};

}  // namespace cuzk
