// Square matrices over Fr, for making the constants of Poseidon. Small (at most 37 x 37) and used once:
// written for clarity.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "field/fr.h"

namespace cuzk {

class FrMatrix {
 public:
  explicit FrMatrix(std::size_t size) : size_(size), entries_(size * size) {}
  static FrMatrix identity(std::size_t size);

  std::size_t size() const noexcept { return size_; }
  Fr& at(std::size_t row, std::size_t column) noexcept { return entries_[row * size_ + column]; }
  const Fr& at(std::size_t row, std::size_t column) const noexcept { return entries_[row * size_ + column]; }
  // Row by row.
  const std::vector<Fr>& entries() const noexcept { return entries_; }

  FrMatrix transposed() const;
  // Without row 0 and column 0.
  FrMatrix minor() const;
  // A singular matrix is a bug of the caller and checked.
  FrMatrix inverse() const;
  FrMatrix operator*(const FrMatrix& right) const;
  // this * column; the length must be size().
  std::vector<Fr> operator*(std::span<const Fr> column) const;

 private:
  std::size_t size_;
  std::vector<Fr> entries_;
};

}  // namespace cuzk
