// Ctrl-C during a long write: the first SIGINT or SIGTERM asks the work to stop and clean up, the second ends the process.
#pragma once

#include "groth16/setup.h"

namespace cuzk {

// Installs the handlers for the rest of the process.
void catch_interrupts();
bool interrupted() noexcept;

inline constexpr int kExitInterrupted = 130;

// Passes everything on until an interrupt; then every call is refused with `cancelled`, and what the sink has begun is undone
// by its destructor.
class InterruptibleSink final : public SrsSink {
 public:
  explicit InterruptibleSink(SrsSink& sink) : sink_(sink) {}
  Status begin(const VerifyingKey& vk, const SrsCounts& counts) override;
  Status append(Query query, std::span<const std::uint8_t> encoded) override;
  Status finish() override;

 private:
  SrsSink& sink_;
};

}  // namespace cuzk
