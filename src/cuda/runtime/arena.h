// Arena: one allocation of device memory, handed out as a stack.
//
// Every algorithm takes its work space from an arena in its constructor, so the same code that runs a proof also says,
// on a dry arena, how much memory the proof will need: the budget cannot drift from the truth.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cuda/runtime/buffer.h"

namespace cuzk::cuda {

class Arena {
 public:
  static constexpr std::size_t kAlignment = 256;

  // Throws CudaOutOfMemory.
  explicit Arena(std::size_t bytes) : memory_(bytes), capacity_(bytes) {}
  // An arena without memory and without limit: alloc() returns pointers that must not be used, peak() the bytes that
  // a real one would need.
  static Arena dry() noexcept { return Arena(); }

  // `size` elements, uninitialized, aligned to kAlignment. Throws CudaOutOfMemory.
  template <typename T>
  T* alloc(std::size_t size) {
    const std::size_t bytes = (size * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes > capacity_ - used_) throw CudaOutOfMemory("device arena", bytes, capacity_ - used_);
    const std::size_t offset = used_;
    used_ += bytes;
    peak_ = std::max(peak_, used_);
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(memory_.data()) + offset);
  }

  std::size_t used() const noexcept { return used_; }
  std::size_t peak() const noexcept { return peak_; }
  std::size_t capacity() const noexcept { return capacity_; }

  // Gives back, at the end of a scope, all that was allocated in it.
  class Scope {
   public:
    explicit Scope(Arena& arena) noexcept : arena_(arena), used_(arena.used_) {}
    ~Scope() { arena_.used_ = used_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Arena& arena_;
    std::size_t used_;
  };

 private:
  Arena() noexcept : memory_(0), capacity_(SIZE_MAX) {}

  DeviceBuffer<std::uint8_t> memory_;
  std::size_t capacity_;
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
};

}  // namespace cuzk::cuda
