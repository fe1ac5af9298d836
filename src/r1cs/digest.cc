#include "r1cs/digest.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "r1cs/sha256_stream.h"

namespace cuzk {
namespace {

constexpr std::size_t kTermBytes = 1 + 4 + 32;

void write_term(std::uint8_t* out, bool is_aux, std::uint32_t index,
                const std::uint8_t* coefficient) noexcept {
  out[0] = is_aux ? 1 : 0;
  store_le<std::uint32_t>(out + 1, index);
  std::memcpy(out + 5, coefficient, 32);
}

}  // namespace

struct R1csHasher::Impl {
  Sha256Stream stream;
  std::vector<std::uint8_t> buffer;
};

R1csHasher::R1csHasher() : impl_(std::make_unique<Impl>()) {}

R1csHasher::~R1csHasher() = default;

void R1csHasher::update_bytes(const std::uint8_t* data, std::size_t size) {
  impl_->stream.update(data, size);
}

void R1csHasher::update(const LinearCombination& combination) {
  const std::span<const Term> terms = combination.terms();
  std::vector<std::uint8_t>& buffer = impl_->buffer;
  buffer.resize(4 + terms.size() * kTermBytes);
  store_le<std::uint32_t>(buffer.data(), static_cast<std::uint32_t>(terms.size()));
  std::uint8_t* out = buffer.data() + 4;
  for (const Term& term : terms) {
    const auto coefficient = term.coefficient.to_bytes_le();
    write_term(out, term.variable.is_aux(), term.variable.index(), coefficient.data());
    out += kTermBytes;
  }
  update_bytes(buffer.data(), buffer.size());
}

Bytes32 R1csHasher::digest_so_far() const {
  return impl_->stream.digest_so_far();
}

namespace {

// Writes the rows of a recorded circuit in the digest's form; coefficients are encoded once.
class RowEncoder {
 public:
  explicit RowEncoder(const R1cs& r1cs) : r1cs_(r1cs) {
    for (const Fr& coefficient : r1cs.coefficients()) coefficients_.push_back(coefficient.to_bytes_le());
  }

  // A row with a parameter may have another order of variables in each repetition; the sort sees to that.
  void encode(const R1csBlock& block, const SparseRows& rows, std::uint32_t row, std::uint32_t repetition,
              std::vector<std::uint8_t>& out) {
    const std::uint32_t begin = row == 0 ? 0 : rows.row_end[row - 1];
    const std::uint32_t end = rows.row_end[row];
    terms_.clear();
    for (std::uint32_t i = begin; i < end; ++i) {
      terms_.push_back({variable_of(block.resolve(rows.columns[i], repetition)), rows.coefficients[i]});
    }
    if (block.num_parameters != 0) std::sort(terms_.begin(), terms_.end());

    std::size_t position = out.size();
    out.resize(position + 4 + terms_.size() * kTermBytes);
    store_le<std::uint32_t>(out.data() + position, static_cast<std::uint32_t>(terms_.size()));
    position += 4;
    for (const auto& [variable, coefficient] : terms_) {
      write_term(out.data() + position, variable.is_aux(), variable.index(),
                 coefficients_[coefficient].data());
      position += kTermBytes;
    }
  }

 private:
  Variable variable_of(Column column) const noexcept {
    if (column.kind() == ColumnKind::input) return Variable::input(column.index());
    return Variable::aux(column.kind() == ColumnKind::full ? r1cs_.aux_of_full(column.index())
                                                           : column.index());
  }

  const R1cs& r1cs_;
  std::vector<std::array<std::uint8_t, 32>> coefficients_;
  std::vector<std::pair<Variable, std::uint16_t>> terms_;
};

}  // namespace

Bytes32 r1cs_digest(const R1cs& r1cs) {
  constexpr std::size_t kFlushBytes = std::size_t{1} << 20;
  R1csHasher hasher;
  RowEncoder encoder(r1cs);
  std::vector<std::uint8_t> buffer;
  buffer.reserve(2 * kFlushBytes);
  for (const R1csBlock& block : r1cs.blocks()) {
    for (std::uint32_t k = 0; k < block.count; ++k) {
      for (std::uint32_t row = 0; row < block.num_constraints; ++row) {
        for (const SparseRows* rows : {&block.a, &block.b, &block.c})
          encoder.encode(block, *rows, row, k, buffer);
        if (buffer.size() >= kFlushBytes) {
          hasher.update_bytes(buffer.data(), buffer.size());
          buffer.clear();
        }
      }
    }
  }
  hasher.update_bytes(buffer.data(), buffer.size());
  return hasher.digest_so_far();
}

Bytes32 values_digest(std::span<const Fr> values) {
  Sha256Stream stream;
  std::vector<std::uint8_t> buffer;
  for (std::size_t i = 0; i < values.size();) {
    buffer.clear();
    for (; i < values.size() && buffer.size() < (std::size_t{1} << 16); ++i) {
      const auto bytes = values[i].to_bytes_le();
      buffer.insert(buffer.end(), bytes.begin(), bytes.end());
    }
    stream.update(buffer.data(), buffer.size());
  }
  return stream.digest_so_far();
}

}  // namespace cuzk
