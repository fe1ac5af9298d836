// AllocationWatch: how much memory a test takes through operator new, which it replaces in the programs that use it.
//
// Not counted: malloc called by a library of C, and mmap.
#pragma once

#include <cstddef>

namespace cuzk {

// From construction on; one at a time in a program.
class AllocationWatch {
 public:
  AllocationWatch() noexcept;
  AllocationWatch(const AllocationWatch&) = delete;
  AllocationWatch& operator=(const AllocationWatch&) = delete;

  // The most that has been held at one time, of all threads, beyond what was held at the beginning. An allocation of
  // kLargestBytes and more fails with std::bad_alloc and counts in full.
  std::size_t peak_bytes() const noexcept;

  static constexpr std::size_t kLargestBytes = std::size_t{1} << 36;

 private:
  std::size_t held_at_first_;
};

}  // namespace cuzk
