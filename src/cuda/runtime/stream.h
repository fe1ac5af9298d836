// Streams and events that belong to a scope, and to the device that is current when they are made. Any thread may destroy them;
// that leaves their device current.
#pragma once

#include "cuda/runtime/current_device.h"

namespace cuzk::cuda {

// A stream of its own, not synchronizing with the default stream. Destruction waits for its work.
class Stream {
 public:
  Stream() : device_(current_device()) {
    CUZK_CUDA_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~Stream() {
    make_current_to_release(device_);
    if (cudaStreamSynchronize(stream_) != cudaSuccess) (void)cudaGetLastError();
    if (cudaStreamDestroy(stream_) != cudaSuccess) (void)cudaGetLastError();
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const noexcept { return stream_; }
  void synchronize() const { CUZK_CUDA_TRY(cudaStreamSynchronize(stream_)); }

 private:
  int device_;
  cudaStream_t stream_ = nullptr;
};

// A point in a stream's work, with its time.
class Event {
 public:
  Event() : device_(current_device()) { CUZK_CUDA_TRY(cudaEventCreate(&event_)); }
  ~Event() {
    make_current_to_release(device_);
    if (cudaEventDestroy(event_) != cudaSuccess) (void)cudaGetLastError();
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(cudaStream_t stream) { CUZK_CUDA_TRY(cudaEventRecord(event_, stream)); }
  // Makes later work of `stream` wait for this event.
  void block(cudaStream_t stream) const { CUZK_CUDA_TRY(cudaStreamWaitEvent(stream, event_, 0)); }
  void synchronize() const { CUZK_CUDA_TRY(cudaEventSynchronize(event_)); }
  // Milliseconds from `start` to this event; waits for both.
  double ms_since(const Event& start) const {
    synchronize();
    float ms = 0;
    CUZK_CUDA_TRY(cudaEventElapsedTime(&ms, start.event_, event_));
    return static_cast<double>(ms);
  }

 private:
  int device_;
  cudaEvent_t event_ = nullptr;
};

// The time of a stretch of a stream's work: start() and stop() are recorded in the stream, ms() waits for the second.
class EventTimer {
 public:
  void start(cudaStream_t stream) { start_.record(stream); }
  void stop(cudaStream_t stream) { stop_.record(stream); }
  double ms() const { return stop_.ms_since(start_); }

 private:
  Event start_;
  Event stop_;
};

}  // namespace cuzk::cuda
