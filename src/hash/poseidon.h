// Poseidon over Fr outside a circuit, in the optimised order of evaluation, with an optional trace of every
// value that the circuit allocates. Source: docs/formats/poseidon.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "base/check.h"
#include "field/fr.h"
#include "hash/fr_dot.h"
#include "hash/poseidon_constants.h"

namespace cuzk {

// Domain tag of custom id 1, "gen randomness", used with arity 2 by the sector update.
inline constexpr std::uint64_t kPoseidonGenRandomnessTag = std::uint64_t{1} << 40;

// The hash of a Merkle node or a column: tag 2^arity - 1, arity = preimage.size(), which must be supported
// (checked).
Fr poseidon_hash(std::span<const Fr> preimage) noexcept;
// The same with another domain tag.
Fr poseidon_hash(std::span<const Fr> preimage, const Fr& tag) noexcept;
// Merkle tag, arity 2.
Fr poseidon_hash2(const Fr& left, const Fr& right) noexcept;

namespace detail {

// One evaluation: the state and where it stands in the constants. Rounds are the caller's.
class PoseidonState {
 public:
  PoseidonState(const PoseidonConstants& constants, const Fr& tag, std::span<const Fr> preimage) noexcept
      : constants_(constants), next_key_(constants.crc.data() + constants.width) {
    state_[0] = tag + constants.crc[0];
    for (unsigned i = 1; i < constants.width; ++i) state_[i] = preimage[i - 1] + constants.crc[i];
  }

  Fr& operator[](unsigned i) noexcept { return state_[i]; }
  const Fr& next_key() noexcept { return *next_key_++; }
  void mix_mds() noexcept { mix_dense(constants_.mds.data()); }
  void mix_pre_sparse() noexcept { mix_dense(constants_.pre_sparse_transposed.data()); }
  void mix_sparse(const PoseidonSparseMatrix& matrix) noexcept {
    const Fr first = state_[0];
    state_[0] = fr_dot(state_.data(), matrix.w_hat.data(), constants_.width);
    for (unsigned j = 1; j < constants_.width; ++j) state_[j] += first * matrix.v_rest[j - 1];
  }

 private:
  void mix_dense(const Fr* columns) noexcept {
    std::array<Fr, kPoseidonMaxWidth> mixed;
    const unsigned width = constants_.width;
    for (unsigned j = 0; j < width; ++j)
      mixed[j] = fr_dot(state_.data(), columns + std::size_t{j} * width, width);
    std::copy_n(mixed.begin(), width, state_.begin());
  }

  const PoseidonConstants& constants_;
  const Fr* next_key_;
  std::array<Fr, kPoseidonMaxWidth> state_;
};

// x^5 + post; the sink gets x^2, x^4 and the result.
template <class Sink>
inline Fr poseidon_sbox(const Fr& x, const Fr& post, Sink& sink) {
  const Fr x2 = x.squared();
  const Fr x4 = x2.squared();
  const Fr x5 = x * x4 + post;
  sink(x2);
  sink(x4);
  sink(x5);
  return x5;
}

}  // namespace detail

// Evaluates the hash and calls sink(const Fr&) with the value of each auxiliary variable of the circuit, in
// the order of allocation (4 (t R_F + R_P) - 3 - arity calls):
//   first round, element 0:            nothing
//   first round, elements 1..t-1:      l2, l4, l5 with l = preimage element + key
//   the other full rounds, each:       l, l2, l4, l5
//   partial rounds, element 0:         l, l2, l4, l5
//   the digest, which is also returned.
// l5 = l * l4 + the key that follows (none in the last round). preimage.size() must be constants.arity
// (checked).
template <class Sink>
Fr poseidon_trace(const PoseidonConstants& constants, const Fr& tag, std::span<const Fr> preimage,
                  Sink&& sink) {
  CUZK_CHECK(preimage.size() == constants.arity, "the preimage has the length of the arity");
  detail::PoseidonState state(constants, tag, preimage);
  const unsigned width = constants.width;
  const unsigned half = constants.full_rounds / 2;
  const Fr no_key = Fr::zero();
  const auto ignore = [](const Fr&) {};
  const auto allocated_sbox = [&](Fr& element, const Fr& key) {
    sink(element);
    element = detail::poseidon_sbox(element, key, sink);
  };

  state[0] = detail::poseidon_sbox(state[0], state.next_key(), ignore);
  for (unsigned i = 1; i < width; ++i) state[i] = detail::poseidon_sbox(state[i], state.next_key(), sink);
  for (unsigned round = 1; round < half; ++round) {
    state.mix_mds();
    for (unsigned i = 0; i < width; ++i) allocated_sbox(state[i], state.next_key());
  }
  state.mix_pre_sparse();
  for (const PoseidonSparseMatrix& matrix : constants.sparse) {
    allocated_sbox(state[0], state.next_key());
    state.mix_sparse(matrix);
  }
  for (unsigned round = 1; round < half; ++round) {
    for (unsigned i = 0; i < width; ++i) allocated_sbox(state[i], state.next_key());
    state.mix_mds();
  }
  for (unsigned i = 0; i < width; ++i) allocated_sbox(state[i], no_key);
  state.mix_mds();
  sink(state[1]);
  return state[1];
}

}  // namespace cuzk
