#include "cpu/query_map.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace cuzk {
namespace {

BitVector constant_mask(std::size_t size, bool value) {
  BitVector mask;
  mask.reserve(size);
  for (std::size_t i = 0; i < size; i += 64) {
    const auto count = static_cast<unsigned>(std::min<std::size_t>(64, size - i));
    mask.append(value ? ~std::uint64_t{0} >> (64 - count) : 0, count);
  }
  return mask;
}

// Appends bits to words; the last word is filled up first.
class BitAppender {
 public:
  explicit BitAppender(std::vector<std::uint64_t>& words) : words_(words) {}
  // The low `count` bits of `bits`, all others of which are zero.
  void append(std::uint64_t bits, unsigned count) {
    const unsigned used = static_cast<unsigned>(size_ % 64);
    if (count == 0) return;
    if (used == 0) {
      words_.push_back(bits);
    } else {
      words_.back() |= bits << used;
      if (used + count > 64) words_.push_back(bits >> (64 - used));
    }
    size_ += count;
  }

 private:
  std::vector<std::uint64_t>& words_;
  std::size_t size_ = 0;
};

void place(WitnessScalars& out, std::uint32_t point, const Fr& value) {
  if (value.is_one()) {
    out.ones[point / 64] |= std::uint64_t{1} << (point % 64);
  } else if (!value.is_zero()) {
    out.indices.push_back(point);
    out.values.push_back(value);
  }
}

}  // namespace

// Warren, "Hacker's Delight", 2nd edition, 7-4: each of six rounds moves bits by 1, 2, 4, .. 32 places, where the
// rounds that a bit takes part in are the binary digits of the number of zeros of the mask below it.
std::uint64_t compress_bits(std::uint64_t word, std::uint64_t mask) noexcept {
  if (mask == ~std::uint64_t{0}) return word;
  word &= mask;
  std::uint64_t zeros_below = ~mask << 1;
  for (unsigned shift = 1; shift < 64 && mask != 0; shift *= 2) {
    std::uint64_t parity = zeros_below;
    for (unsigned step = 1; step < 64; step *= 2) parity ^= parity << step;
    const std::uint64_t moving_mask = parity & mask;
    const std::uint64_t moving_bits = word & moving_mask;
    mask = (mask ^ moving_mask) | (moving_mask >> shift);
    word = (word ^ moving_bits) | (moving_bits >> shift);
    zeros_below &= ~parity;
  }
  return word;
}

QueryMap::QueryMap(const R1cs& r1cs, const BitVector& inputs, BitVector aux)
    : aux_(std::move(aux)), num_aux_(aux_.count_ones()), point_of_full_(r1cs.num_full(), kAbsent) {
  CUZK_CHECK(inputs.size() == r1cs.num_inputs() && aux_.size() == r1cs.num_aux(),
             "a mask of another circuit");
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]) inputs_.push_back(i);
  }
  // Points before each word of the mask.
  std::vector<std::uint32_t> rank;
  auto before = static_cast<std::uint32_t>(inputs_.size());
  for (const std::uint64_t word : aux_.words()) {
    rank.push_back(before);
    before += static_cast<std::uint32_t>(std::popcount(word));
  }
  for (std::uint32_t full = 0; full < point_of_full_.size(); ++full) {
    const std::uint32_t index = r1cs.aux_of_full(full);
    if (!aux_[index]) continue;
    const std::uint64_t below = aux_.words()[index / 64] & ((std::uint64_t{1} << (index % 64)) - 1);
    point_of_full_[full] = rank[index / 64] + static_cast<std::uint32_t>(std::popcount(below));
  }
}

std::size_t QueryMap::memory_bytes() const noexcept {
  return (inputs_.size() + point_of_full_.size()) * sizeof(std::uint32_t) + aux_.words().size_bytes();
}

void QueryMap::gather(const Witness& witness, WitnessScalars& out) const {
  out.n = size();
  out.ones.clear();
  out.indices.clear();
  out.values.clear();
  out.ones.reserve((out.n + 63) / 64);
  BitAppender ones(out.ones);
  for (std::size_t i = 0; i < inputs_.size(); ++i) ones.append(0, 1);
  const auto bits = witness.bits.words();
  const auto masks = aux_.words();
  for (std::size_t w = 0; w < masks.size(); ++w)
    ones.append(compress_bits(bits[w], masks[w]), static_cast<unsigned>(std::popcount(masks[w])));
  for (std::uint32_t i = 0; i < inputs_.size(); ++i) place(out, i, witness.inputs[inputs_[i]]);
  for (std::size_t full = 0; full < point_of_full_.size(); ++full) {
    if (point_of_full_[full] != kAbsent) place(out, point_of_full_[full], witness.fulls[full]);
  }
}

QueryMaps QueryMaps::of(const R1cs& r1cs) {
  Densities densities = r1cs.densities();
  const BitVector no_inputs = constant_mask(r1cs.num_inputs(), false);
  const BitVector all_inputs = constant_mask(r1cs.num_inputs(), true);
  return {QueryMap(r1cs, no_inputs, constant_mask(r1cs.num_aux(), true)),
          QueryMap(r1cs, all_inputs, std::move(densities.aux_in_a)),
          QueryMap(r1cs, densities.inputs_in_b, std::move(densities.aux_in_b))};
}

}  // namespace cuzk
