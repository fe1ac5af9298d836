// FailingSink: a sink whose n-th call fails, as on a full disk.
#pragma once

#include "groth16/setup.h"

namespace cuzk::reference {

class FailingSink final : public SrsSink {
 public:
  // Call number `fail_at`, counting from 1, is refused with resource_exhausted; 0: none.
  explicit FailingSink(int fail_at) : fail_at_(fail_at) {}
  Status begin(const VerifyingKey&, const SrsCounts&) override { return call(); }
  Status append(Query, std::span<const std::uint8_t>) override { return call(); }
  Status finish() override { return call(); }
  int calls() const noexcept { return calls_; }

 private:
  Status call() { return ++calls_ == fail_at_ ? resource_exhausted("disk full") : Status::ok(); }
  int fail_at_;
  int calls_ = 0;
};

}  // namespace cuzk::reference
