// SrsBuffer: parameters in memory, encoded as in a file. The sink of a small setup, and a source for load().
#pragma once

#include <array>
#include <vector>

#include "groth16/setup.h"
#include "groth16/srs_view.h"

namespace cuzk::reference {

class SrsBuffer final : public SrsSink {
 public:
  Status begin(const VerifyingKey& vk, const SrsCounts& counts) override;
  Status append(Query query, std::span<const std::uint8_t> encoded) override;
  // internal if the points are not as many as announced.
  Status finish() override;

  bool finished() const noexcept { return finished_; }
  // Valid until the buffer is changed.
  SrsView view() const;
  const VerifyingKey& vk() const noexcept { return vk_; }
  // To damage it in tests.
  VerifyingKey& vk() noexcept { return vk_; }
  std::vector<std::uint8_t>& bytes(Query query) noexcept { return queries_[static_cast<std::size_t>(query)]; }

  // Whether keys and points are the same, byte for byte.
  friend bool operator==(const SrsBuffer& x, const SrsBuffer& y) {
    return x.vk_ == y.vk_ && x.queries_ == y.queries_;
  }

 private:
  VerifyingKey vk_;
  SrsCounts counts_;
  std::array<std::vector<std::uint8_t>, kQueries.size()> queries_;
  bool finished_ = false;
};

}  // namespace cuzk::reference
