#include "support/allocation_watch.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace cuzk {
namespace {

std::atomic<std::size_t> g_held{0};
std::atomic<std::size_t> g_peak{0};

void note_peak(std::size_t held) noexcept {
  std::size_t peak = g_peak.load(std::memory_order_relaxed);
  while (peak < held && !g_peak.compare_exchange_weak(peak, held, std::memory_order_relaxed)) {
  }
}

// Counts what can be used of the memory, which may be a little more than what was asked for. alignment 0: that of malloc.
void* take(std::size_t size, std::size_t alignment) noexcept {
  if (size >= AllocationWatch::kLargestBytes) {
    note_peak(g_held.load(std::memory_order_relaxed) + size);
    return nullptr;
  }
  size = std::max<std::size_t>(size, 1);
  void* const memory = alignment == 0
                           ? std::malloc(size)
                           : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) return nullptr;
  const std::size_t usable = ::malloc_usable_size(memory);
  note_peak(g_held.fetch_add(usable, std::memory_order_relaxed) + usable);
  return memory;
}

void* take_or_throw(std::size_t size, std::size_t alignment) {
  void* const memory = take(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory) noexcept {
  if (memory == nullptr) return;
  g_held.fetch_sub(::malloc_usable_size(memory), std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

AllocationWatch::AllocationWatch() noexcept : held_at_first_(g_held.load()) {
  g_peak = held_at_first_;
}

std::size_t AllocationWatch::peak_bytes() const noexcept {
  return g_peak.load() - std::min(g_peak.load(), held_at_first_);
}

}  // namespace cuzk

// All forms, since a sanitizer's library has a version of its own of each.
// clang-format off
void* operator new(std::size_t size) { return cuzk::take_or_throw(size, 0); }
void* operator new[](std::size_t size) { return cuzk::take_or_throw(size, 0); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return cuzk::take(size, 0); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return cuzk::take(size, 0); }
void* operator new(std::size_t size, std::align_val_t a) { return cuzk::take_or_throw(size, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return cuzk::take_or_throw(size, static_cast<std::size_t>(a)); }
void* operator new(std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept { return cuzk::take(size, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept { return cuzk::take(size, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { cuzk::give_back(p); }
void operator delete[](void* p) noexcept { cuzk::give_back(p); }
void operator delete(void* p, std::size_t) noexcept { cuzk::give_back(p); }
void operator delete[](void* p, std::size_t) noexcept { cuzk::give_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { cuzk::give_back(p); }
void operator delete[](void* p, std::align_val_t) noexcept { cuzk::give_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { cuzk::give_back(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { cuzk::give_back(p); }
// clang-format on
