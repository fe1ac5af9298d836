// The proving parameters of one circuit (SRS) as a backend is given them: the verifying key and five queries, lists
// of encoded points. Who owns the bytes (a mapped file, a buffer) is not seen here.
//
//   h     (tau^i (tau^m - 1) / delta) g1, i < m - 1, m the domain size
//   l     one point per aux variable
//   a     a_i(tau) g1: all inputs, then the aux variables that occur in A
//   b_g1  b_i(tau) g1: the inputs that occur in B, then the aux variables that occur in B
//   b_g2  b_i(tau) g2, in the same order
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "base/status.h"
#include "groth16/verifying_key.h"
#include "r1cs/r1cs.h"

namespace cuzk {

enum class Query : std::size_t { h, l, a, b_g1, b_g2 };  // in file order
inline constexpr std::array<Query, 5> kQueries = {Query::h, Query::l, Query::a, Query::b_g1, Query::b_g2};

const char* query_name(Query query) noexcept;
// Bytes of one uncompressed point: 96, for b_g2 192.
constexpr std::size_t query_point_bytes(Query query) noexcept {
  return query == Query::b_g2 ? 192 : 96;
}

// The number of points of ic and of each query.
struct SrsCounts {
  std::size_t ic = 0;
  std::array<std::size_t, kQueries.size()> queries{};

  std::size_t& operator[](Query query) noexcept { return queries[static_cast<std::size_t>(query)]; }
  std::size_t operator[](Query query) const noexcept { return queries[static_cast<std::size_t>(query)]; }
  // What the parameters of a circuit must have. `densities` is r1cs.densities().
  static SrsCounts of(const R1cs& r1cs, const Densities& densities);
  // The length of a parameter file with these counts.
  std::uint64_t file_bytes() const noexcept;
  // invalid_argument naming the first query whose count is not that of `wanted`, with both numbers.
  Status check_equal(const SrsCounts& wanted) const;

  friend bool operator==(const SrsCounts&, const SrsCounts&) = default;
};

// The bytes must stay valid and unchanged while a backend loads; a backend keeps none of them. The points need not
// have been checked: load() refuses infinity, other flags, coordinates out of range and points off the curve.
struct SrsView {
  VerifyingKey vk;
  std::array<std::span<const std::uint8_t>, kQueries.size()> queries;
  // If set, called once a backend has read a query for the last time, so that the owner can let go of its memory.
  std::function<void(Query)> release;

  std::span<const std::uint8_t> operator[](Query query) const noexcept {
    return queries[static_cast<std::size_t>(query)];
  }
  SrsCounts counts() const noexcept;
};

}  // namespace cuzk
