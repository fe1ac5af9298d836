// Buffer<T>: a large array without initial values, aligned to 64 bytes, in huge pages where the system grants them.
// Random reads of points are most of an MSM's memory traffic, and with small pages each of them misses the TLB too.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace cuzk {

template <typename T>
class Buffer {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  Buffer() noexcept = default;
  // Throws std::bad_alloc where there is no memory, as containers do.
  explicit Buffer(std::size_t size) : size_(size) {
    const std::size_t alignment = size * sizeof(T) >= kHugePage ? kHugePage : 64;
    const std::size_t bytes = (size * sizeof(T) + alignment - 1) / alignment * alignment;
    if (bytes == 0) return;
    data_.reset(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
    if (data_ == nullptr) throw std::bad_alloc();
    if (alignment == kHugePage) madvise(data_.get(), bytes, MADV_HUGEPAGE);  // advice: no failure matters
  }

  T* data() noexcept { return data_.get(); }
  const T* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return size_; }
  std::size_t bytes() const noexcept { return size_ * sizeof(T); }
  T& operator[](std::size_t i) noexcept { return data_.get()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_.get()[i]; }
  std::span<T> span() noexcept { return {data_.get(), size_}; }
  std::span<const T> span() const noexcept { return {data_.get(), size_}; }

  // Makes room for at least `size`; the content is lost when it has to grow.
  void reserve(std::size_t size) {
    if (size > size_) *this = Buffer(size);
  }

 private:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  struct Free {
    void operator()(T* data) const noexcept { std::free(data); }
  };

  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace cuzk
