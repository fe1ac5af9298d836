#include "hash/fr_matrix.h"

#include <utility>

#include "base/check.h"

namespace cuzk {

FrMatrix FrMatrix::identity(std::size_t size) {
  FrMatrix out(size);
  for (std::size_t i = 0; i < size; ++i) out.at(i, i) = Fr::one();
  return out;
}

FrMatrix FrMatrix::transposed() const {
  FrMatrix out(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) out.at(j, i) = at(i, j);
  }
  return out;
}

FrMatrix FrMatrix::minor() const {
  FrMatrix out(size_ - 1);
  for (std::size_t i = 1; i < size_; ++i) {
    for (std::size_t j = 1; j < size_; ++j) out.at(i - 1, j - 1) = at(i, j);
  }
  return out;
}

// Gauss-Jordan: the same row operations on this matrix and on the identity.
FrMatrix FrMatrix::inverse() const {
  FrMatrix left = *this;
  FrMatrix right = identity(size_);
  for (std::size_t column = 0; column < size_; ++column) {
    std::size_t pivot = column;
    while (pivot < size_ && left.at(pivot, column).is_zero()) ++pivot;
    CUZK_CHECK(pivot < size_, "the matrix is singular");
    for (std::size_t j = 0; pivot != column && j < size_; ++j) {
      std::swap(left.at(pivot, j), left.at(column, j));
      std::swap(right.at(pivot, j), right.at(column, j));
    }
    const Fr scale = left.at(column, column).inverse();
    for (std::size_t j = 0; j < size_; ++j) {
      left.at(column, j) *= scale;
      right.at(column, j) *= scale;
    }
    for (std::size_t row = 0; row < size_; ++row) {
      const Fr factor = left.at(row, column);
      if (row == column || factor.is_zero()) continue;
      for (std::size_t j = 0; j < size_; ++j) {
        left.at(row, j) -= factor * left.at(column, j);
        right.at(row, j) -= factor * right.at(column, j);
      }
    }
  }
  return right;
}

FrMatrix FrMatrix::operator*(const FrMatrix& right) const {
  CUZK_CHECK(size_ == right.size_, "matrices of one size are multiplied");
  FrMatrix out(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t k = 0; k < size_; ++k) {
      for (std::size_t j = 0; j < size_; ++j) out.at(i, j) += at(i, k) * right.at(k, j);
    }
  }
  return out;
}

std::vector<Fr> FrMatrix::operator*(std::span<const Fr> column) const {
  CUZK_CHECK(size_ == column.size(), "the vector has the length of a row");
  std::vector<Fr> out(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) out[i] += at(i, j) * column[j];
  }
  return out;
}

}  // namespace cuzk
