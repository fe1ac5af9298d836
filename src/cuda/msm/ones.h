// The list of the points whose scalar is 1, from the bits of a witness.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/runtime/arena.h"

namespace cuzk::cuda {

// Which variables have a point, and which: variable i has point first_point + (number of variables before i that have
// one). d_words: a bit a variable, or null if all have one; d_rank: for each word the number of bits in earlier words.
struct PointMask {
  const uint64_t* d_words;
  const uint32_t* d_rank;
  uint32_t first_point;
};

// Finds the ones of bit vectors of up to max_words words of 64 bits.
class OnesList {
 public:
  OnesList(Arena& arena, std::size_t max_words);

  // Writes the points of the variables whose bit is set in d_bits (num_words words) and that have a point, in order, to
  // d_points; returns their number. Waits for the stream.
  std::size_t list(const uint64_t* d_bits, std::size_t num_words, const PointMask& mask, uint32_t* d_points,
                   cudaStream_t stream);

 private:
  std::size_t max_words_;
  uint32_t* d_counts_;
};

}  // namespace cuzk::cuda
