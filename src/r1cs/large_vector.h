// LargeVector: a std::vector for arrays of megabytes to gigabytes that are written before they are read.
//
// Two costs of std::vector stand out at 4 GB, the witness of a WindowPoSt partition: clearing memory that is overwritten next, on
// one thread, and a page fault and later a release for each 4 KiB. So new elements are left as they are, and memory of
// kHugeBlockBytes and more is asked for in huge pages, where the kernel has them. (base/buffer.h is for work space: of fixed size, neither
// copied nor compared.)
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace cuzk {

template <class T>
class LargeAllocator {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "elements that memory of any content may stand for");

 public:
  using value_type = T;

  LargeAllocator() noexcept = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) noexcept {
  }  // NOLINT(google-explicit-constructor): as allocators must

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (bytes < kHugeBlockBytes) return std::allocator<T>().allocate(n);
    if (n > ~std::size_t{0} / sizeof(T)) throw std::bad_array_new_length();
    void* memory = ::operator new (bytes, std::align_val_t{kHugePageBytes});
    ::madvise(memory, bytes, MADV_HUGEPAGE);  // a wish; without it all is the same but slower
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) noexcept {
    if (n * sizeof(T) < kHugeBlockBytes) return std::allocator<T>().deallocate(memory, n);
    ::operator delete (memory, std::align_val_t{kHugePageBytes});
  }

  // An element without a given value keeps what the memory holds.
  template <class U>
  void construct(U*) noexcept {}
  template <class U, class First, class... Rest>
  void construct(U* place, First&& first, Rest&&... rest) {
    ::new (static_cast<void*>(place)) U(std::forward<First>(first), std::forward<Rest>(rest)...);
  }

  template <class U>
  bool operator==(const LargeAllocator<U>&) const noexcept {
    return true;
  }

 private:
  static constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
  static constexpr std::size_t kHugeBlockBytes = 4 * kHugePageBytes;
};

// resize(n) leaves the new elements with any content; resize(n, value) sets them.
template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace cuzk
