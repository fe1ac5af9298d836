// Memory that belongs to a scope: of the device (DeviceBuffer), of the host in a form that the device reads and writes
// at full speed (PinnedBuffer). Both belong to the device that is current when they are made, and may be released by any
// thread; that leaves their device current.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "cuda/runtime/current_device.h"

namespace cuzk::cuda {

template <typename T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // `size` elements, uninitialized; 0 allocates nothing. Throws CudaOutOfMemory.
  explicit DeviceBuffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    device_ = current_device();
    const std::size_t bytes = size * sizeof(T);
    void* data = nullptr;
    throw_on_error(cudaMalloc(&data, bytes), "cudaMalloc", __FILE__, __LINE__, bytes);
    data_ = static_cast<T*>(data);
  }
  // A copy of host memory, complete on return.
  explicit DeviceBuffer(std::span<const T> host) : DeviceBuffer(host.size()) {
    if (size_ == 0) return;
    CUZK_CUDA_TRY(cudaMemcpy(data_, host.data(), size_bytes(), cudaMemcpyHostToDevice));
    // From pageable memory cudaMemcpy may return once the data is staged, and other streams do not wait for the rest.
    CUZK_CUDA_TRY(cudaStreamSynchronize(nullptr));
  }
  ~DeviceBuffer() {
    if (data_ == nullptr) return;
    make_current_to_release(device_);
    if (cudaFree(data_) != cudaSuccess) (void)cudaGetLastError();
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        device_(other.device_) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(device_, other.device_);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }

  // To host memory, complete on return; waits for the work of `stream` first.
  void download(std::span<T> host, cudaStream_t stream) const {
    if (host.empty()) return;
    CUZK_CUDA_TRY(cudaMemcpyAsync(host.data(), data_, host.size_bytes(), cudaMemcpyDeviceToHost, stream));
    CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  int device_ = 0;
};

template <typename T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // `size` elements, uninitialized. Throws PinnedOutOfMemory.
  explicit PinnedBuffer(std::size_t size) : size_(size), device_(current_device()) {
    void* data = nullptr;
    const cudaError_t error = cudaMallocHost(&data, size * sizeof(T));
    if (error == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      throw PinnedOutOfMemory("cudaMallocHost", size * sizeof(T));
    }
    CUZK_CUDA_TRY(error);
    data_ = static_cast<T*>(data);
  }
  ~PinnedBuffer() {
    make_current_to_release(device_);
    if (cudaFreeHost(data_) != cudaSuccess) (void)cudaGetLastError();
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  T* data() noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
  int device_;
};

}  // namespace cuzk::cuda
