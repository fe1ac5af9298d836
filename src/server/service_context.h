// What all calls of the gRPC service share: the engine, the threads, and the count of bytes that requests hold.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "engine/engine.h"
#include "server/grpc_server.h"
#include "server/task_pool.h"

namespace cuzk {

// Bytes of requests between their receipt and the engine's taking them over, under a cap of their own beside the engine's budget: a flood
// of requests must not evict circuits that are idle, nor keep the memory that work waits for. Thread-safe.
class ByteGauge : public std::enable_shared_from_this<ByteGauge> {
 public:
  // Gives the bytes back when the last copy goes.
  using Hold = std::shared_ptr<const std::uint64_t>;

  explicit ByteGauge(std::uint64_t limit) : limit_(limit) {}
  std::uint64_t limit() const noexcept { return limit_; }
  std::uint64_t held() const noexcept { return held_; }
  // Of all that were ever asked for, held or refused.
  std::uint64_t seen() const noexcept { return seen_; }

  // Null if `bytes` more are over the limit.
  Hold hold(std::uint64_t bytes) {
    seen_ += bytes;
    if (held_.fetch_add(bytes) + bytes > limit_) {
      held_ -= bytes;
      return nullptr;
    }
    return {new std::uint64_t(bytes), [self = shared_from_this()](const std::uint64_t* held) {
              self->held_ -= *held;
              delete held;
            }};
  }

 private:
  const std::uint64_t limit_;
  std::atomic<std::uint64_t> held_ = 0, seen_ = 0;
};

struct ServiceContext {
  ServiceContext(const GrpcOptions& with, Engine& served)
      : options(with), engine(served), bytes(std::make_shared<ByteGauge>(with.max_bytes_in_flight)) {}

  // Runs what waits. Calls that end later are answered by the thread that ends them.
  void stop() {
    intake.stop();
    slow.stop();
    quick.stop();
  }

  const GrpcOptions options;
  Engine& engine;
  std::shared_ptr<ByteGauge> bytes;
  std::function<void()> health_changed;  // after drain and undrain
  TaskPool quick{2, 4096};               // milliseconds: status, ends of waits
  TaskPool intake{2, 1024};              // parses and journals a request
  TaskPool slow{4, 64};                  // loads parameters, validates
};

}  // namespace cuzk
