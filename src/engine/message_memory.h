// MessageMemory: host memory for one message on its way to be a job, from its receipt on. One half is for the message, the other for what
// is parsed from it, which is never larger.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "engine/memory_budget.h"

namespace cuzk {

// Movable; an empty one holds nothing. Both halves are given back by the destructor, unless they were taken.
class MessageMemory {
 public:
  MessageMemory() noexcept = default;
  // Adds the bytes of both to `in_flight`, of all messages on their way, which must outlive this.
  MessageMemory(Reservation message, Reservation input, std::atomic<std::uint64_t>& in_flight) noexcept
      : message_(std::move(message)), input_(std::move(input)), in_flight_(&in_flight) {
    count(message_.bytes() + input_.bytes());
  }
  MessageMemory(MessageMemory&& other) noexcept
      : message_(std::move(other.message_)),
        input_(std::move(other.input_)),
        in_flight_(std::exchange(other.in_flight_, nullptr)),
        counted_(std::exchange(other.counted_, 0)) {}
  MessageMemory& operator=(MessageMemory&& other) noexcept {
    if (this == &other) return *this;
    count(0);
    message_ = std::move(other.message_);
    input_ = std::move(other.input_);
    in_flight_ = std::exchange(other.in_flight_, nullptr);
    counted_ = std::exchange(other.counted_, 0);
    return *this;
  }
  ~MessageMemory() { count(0); }

  // Of the smaller half.
  std::uint64_t bytes() const noexcept { return std::min(message_.bytes(), input_.bytes()); }
  // Gives back what either half has above `bytes`.
  void shrink_to(std::uint64_t bytes) noexcept {
    message_.shrink_to(bytes);
    input_.shrink_to(bytes);
    count(message_.bytes() + input_.bytes());
  }
  // Either half, for a new owner. It counts as on its way as long as this lives.
  Reservation take_message() noexcept { return std::move(message_); }
  Reservation take_input() noexcept { return std::move(input_); }

 private:
  void count(std::uint64_t bytes) noexcept {
    if (in_flight_ == nullptr) return;
    *in_flight_ += bytes - counted_;  // modulo 2^64
    counted_ = bytes;
  }

  Reservation message_, input_;
  std::atomic<std::uint64_t>* in_flight_ = nullptr;
  std::uint64_t counted_ = 0;
};

}  // namespace cuzk
