// SHA-256 over the bits of a circuit. Words are big-endian pieces of the message, as in FIPS 180-4; which
// additions are deferred and where the pending equalities end fixes the constraints. Source:
// docs/formats/circuits.md 1.4, bellperson 0.27 (gadgets/sha256.rs).
#pragma once

#include <algorithm>
#include <vector>

#include "gadget/sha256_constants.h"
#include "gadget/uint32.h"

namespace cuzk {

namespace detail {

template <ConstraintSystem CS>
UInt32<CS> xor_of_rotations(CS& cs, const UInt32<CS>& x, unsigned first, unsigned second, unsigned third) {
  return xor_of(cs, xor_of(cs, x.rotr(first), x.rotr(second)), x.rotr(third));
}

template <ConstraintSystem CS>
std::array<UInt32<CS>, 64> sha256_schedule(MultiEq<CS>& eq, std::span<const UInt32<CS>, 16> block) {
  CS& cs = eq.cs();
  std::array<UInt32<CS>, 64> w;
  std::copy(block.begin(), block.end(), w.begin());
  for (std::size_t i = 16; i < 64; ++i) {
    const auto& x = w[i - 15];
    const auto s0 = xor_of(cs, xor_of(cs, x.rotr(7), x.rotr(18)), x.shr(3));
    const auto& y = w[i - 2];
    const auto s1 = xor_of(cs, xor_of(cs, y.rotr(17), y.rotr(19)), y.shr(10));
    w[i] = Sum32<CS>(w[i - 16]).add(s0).add(w[i - 7]).add(s1).resolve(eq);
  }
  return w;
}

}  // namespace detail

// The state after one more block.
template <ConstraintSystem CS>
Words256<CS> sha256_compression(CS& cs, std::span<const UInt32<CS>, 16> block, const Words256<CS>& state) {
  using Word = UInt32<CS>;
  using Sum = Sum32<CS>;
  MultiEq<CS> eq(cs);
  const auto w = detail::sha256_schedule<CS>(eq, block);

  Sum a_sum(state[0]), e_sum(state[4]);
  Word b = state[1], c = state[2], d = state[3], f = state[5], g = state[6], h = state[7];
  for (std::size_t i = 0; i < 64; ++i) {
    const Word e = e_sum.resolve(eq);
    const Word s1 = detail::xor_of_rotations<CS>(cs, e, 6, 11, 25);
    const Word ch = sha256_ch(cs, e, f, g);
    Sum temp1(h);
    temp1.add(s1).add(ch).add(Word::constant(kSha256RoundConstants[i])).add(w[i]);
    const Word a = a_sum.resolve(eq);
    const Word s0 = detail::xor_of_rotations<CS>(cs, a, 2, 13, 22);
    const Word maj = sha256_maj(cs, a, b, c);

    h = g;
    g = f;
    f = e;
    e_sum = Sum(temp1).add(d);
    d = c;
    c = b;
    b = a;
    a_sum = Sum(temp1).add(s0).add(maj);
  }

  const auto joined = [&](Sum sum, const Word& word) { return sum.add(word).resolve(eq); };
  Words256<CS> next;
  next[0] = joined(a_sum, state[0]);
  next[1] = joined(Sum(state[1]), b);
  next[2] = joined(Sum(state[2]), c);
  next[3] = joined(Sum(state[3]), d);
  next[4] = joined(e_sum, state[4]);
  next[5] = joined(Sum(state[5]), f);
  next[6] = joined(Sum(state[6]), g);
  next[7] = joined(Sum(state[7]), h);
  return next;
}

template <ConstraintSystem CS>
Words256<CS> sha256_initial_state() {
  Words256<CS> state;
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = UInt32<CS>::constant(kSha256InitialState[i]);
  return state;
}

// The digest of a message of whole words. Allocates no memory of its own.
template <ConstraintSystem CS>
Words256<CS> sha256(CS& cs, std::span<const UInt32<CS>> message) {
  constexpr std::size_t kBlockWords = 16;
  Words256<CS> state = sha256_initial_state<CS>();
  const std::size_t full_blocks = message.size() / kBlockWords;
  int block = 0;
  const auto compress = [&](std::span<const UInt32<CS>, kBlockWords> words) {
    const Scope scope(cs, "block", block++);
    state = sha256_compression<CS>(cs, words, state);
  };
  for (std::size_t i = 0; i < full_blocks; ++i) {
    compress(message.subspan(i * kBlockWords).template first<kBlockWords>());
  }

  // The rest, a one, zeros, and the length in bits as 64 bits: one block or two. Default words are zeros.
  std::array<UInt32<CS>, 2 * kBlockWords> tail;
  const auto rest = message.subspan(full_blocks * kBlockWords);
  std::copy(rest.begin(), rest.end(), tail.begin());
  tail[rest.size()] = UInt32<CS>::constant(0x80000000);
  const std::size_t end = rest.size() + 3 <= kBlockWords ? kBlockWords : 2 * kBlockWords;
  const std::uint64_t length = std::uint64_t{message.size()} * 32;
  tail[end - 2] = UInt32<CS>::constant(static_cast<std::uint32_t>(length >> 32));
  tail[end - 1] = UInt32<CS>::constant(static_cast<std::uint32_t>(length));
  const std::span<const UInt32<CS>, 2 * kBlockWords> blocks(tail);
  compress(blocks.template first<kBlockWords>());
  if (end > kBlockWords) compress(blocks.template last<kBlockWords>());
  return state;
}

// The digest of a message of any number of bits, the most significant of each byte first.
template <ConstraintSystem CS>
Words256<CS> sha256_of_bits(CS& cs, std::span<const Boolean> message) {
  std::vector<Boolean> bits(message.begin(), message.end());
  bits.push_back(Boolean::constant(true));
  while (bits.size() % 512 != 448) bits.push_back(Boolean::constant(false));
  for (int i = 63; i >= 0; --i) bits.push_back(Boolean::constant(((message.size() >> i) & 1) != 0));

  Words256<CS> state = sha256_initial_state<CS>();
  for (std::size_t begin = 0; begin < bits.size(); begin += 512) {
    const Scope scope(cs, "block", static_cast<int>(begin / 512));
    std::array<UInt32<CS>, 16> block;
    for (std::size_t i = 0; i < block.size(); ++i) {
      std::array<Boolean, 32> word;
      const auto source = bits.begin() + static_cast<std::ptrdiff_t>(begin + 32 * i);
      std::reverse_copy(source, source + 32, word.begin());
      block[i] = UInt32<CS>::from_bits(word);
    }
    state = sha256_compression<CS>(cs, block, state);
  }
  return state;
}

}  // namespace cuzk
