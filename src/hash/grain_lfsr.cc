// Register of 80 bits; new bit b62 ^ b51 ^ b38 ^ b23 ^ b13 ^ b0. The first 160 new bits are dropped. Of each
// later pair of bits the first says whether the second is emitted. A constant is 255 emitted bits, most
// significant first, taken again from the stream while it is not below the modulus.
#include "hash/grain_lfsr.h"

namespace cuzk {
namespace {

class GrainLfsr {
 public:
  GrainLfsr(unsigned width, unsigned full_rounds, unsigned partial_rounds) {
    push_field(1, 2);  // prime field
    push_field(1, 4);  // S-box
    push_field(kFrNumBits, 12);
    push_field(width, 12);
    push_field(full_rounds, 10);
    push_field(partial_rounds, 10);
    push_field((1u << 30) - 1, 30);
    for (int i = 0; i < 160; ++i) clock();
  }

  Fr next_element() {
    for (;;) {
      FrRepr repr{};
      for (unsigned bit = kFrNumBits; bit-- > 0;) {
        if (next_bit()) repr[bit / 64] |= std::uint64_t{1} << (bit % 64);
      }
      if (const auto element = Fr::from_repr(repr)) return *element;
    }
  }

 private:
  // Appends `bits` bits of `value`, most significant first.
  void push_field(unsigned value, unsigned bits) {
    while (bits-- > 0) shift_in((value >> bits) & 1);
  }
  void shift_in(unsigned bit) { state_ = (state_ >> 1) | (static_cast<uint128_t>(bit) << 79); }

  unsigned clock() {
    const unsigned bit = static_cast<unsigned>((state_ >> 62) ^ (state_ >> 51) ^ (state_ >> 38) ^
                                               (state_ >> 23) ^ (state_ >> 13) ^ state_) &
                         1;
    shift_in(bit);
    return bit;
  }

  bool next_bit() {
    for (;;) {
      const unsigned keep = clock();
      const unsigned bit = clock();
      if (keep != 0) return bit != 0;
    }
  }

  uint128_t state_ = 0;  // b0 is bit 0
};

}  // namespace

std::vector<Fr> grain_round_constants(unsigned width, unsigned full_rounds, unsigned partial_rounds) {
  GrainLfsr lfsr(width, full_rounds, partial_rounds);
  std::vector<Fr> constants;
  constants.reserve(std::size_t{full_rounds + partial_rounds} * width);
  while (constants.size() < constants.capacity()) constants.push_back(lfsr.next_element());
  return constants;
}

}  // namespace cuzk
