// R1cs: the constraint matrices A, B, C of one circuit, with repeated blocks stored once.
//
// A circuit is a sequence of blocks. A block with count n stands for n repetitions: repetition k has the rows
// of the block with every *relative* column shifted by k times the block's own number of variables, while
// *absolute* columns name variables of earlier blocks (ONE, a commitment, the bits of replica_id), and a
// *parameter* names an earlier variable that is another one in each repetition (a digest bit that belongs to
// one challenge of a sector update). One PoRep challenge, one PoSt sector and one sector-update challenge are
// such blocks, so the matrices of 32 GiB PoRep (722 M non-zeros) take about 330 MB.
//
// Aux variables are of two kinds, fixed by the circuit: bits, which a Witness keeps in a bit vector indexed
// by the aux index, and full field elements, which it keeps in a dense array indexed by their ordinal among
// the full ones. A column carries the kind, so evaluating a row needs no lookup.
//
// The closing constraints `input_i * 0 = 0`, which the setup and the prover append for each input, are not
// stored; they count in num_domain_rows().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "field/fr.h"
#include "r1cs/bit_vector.h"
#include "r1cs/large_vector.h"
#include "r1cs/variable.h"

namespace cuzk {

enum class ColumnKind : std::uint32_t { input = 0, bit = 1, full = 2, parameter = 3 };

// A column of a block's row: kind, whether it moves with the repetition, and the index at repetition 0: an
// input index, an aux index (bit), an ordinal among the full aux (full), or the number of a parameter.
class Column {
 public:
  Column() noexcept = default;
  Column(ColumnKind kind, bool relative, std::uint32_t index) noexcept
      : raw_((static_cast<std::uint32_t>(kind) << 30) | (relative ? kRelativeBit : 0) | index) {}
  ColumnKind kind() const noexcept { return static_cast<ColumnKind>(raw_ >> 30); }
  bool relative() const noexcept { return (raw_ & kRelativeBit) != 0; }
  std::uint32_t index() const noexcept { return raw_ & kIndexMask; }

  static constexpr std::uint32_t kIndexMask = (1u << 29) - 1;

 private:
  static constexpr std::uint32_t kRelativeBit = 1u << 29;
  std::uint32_t raw_ = 0;
};

// The rows of one matrix in one block: row i has the entries [row_end[i-1], row_end[i]) of columns and
// coefficients, in the order of Variable, without zeros. Coefficients are indices into R1cs::coefficients.
struct SparseRows {
  LargeVector<std::uint32_t> row_end;
  LargeVector<Column> columns;
  LargeVector<std::uint16_t> coefficients;
};

struct R1csBlock {
  std::uint32_t count = 1;  // repetitions
  // Of one repetition:
  std::uint32_t num_inputs = 0;
  std::uint32_t num_aux = 0;
  std::uint32_t num_full = 0;
  std::uint32_t num_constraints = 0;
  // Of repetition 0, in the whole circuit:
  std::uint32_t first_input = 0;
  std::uint32_t first_aux = 0;
  std::uint32_t first_full = 0;
  std::uint32_t first_constraint = 0;
  std::vector<std::uint32_t>
      full_aux;  // the aux index, at repetition 0, of each of the num_full full variables
  // The variables of earlier blocks that each repetition has for its own: num_parameters for repetition 0,
  // then for repetition 1, and so on; absolute columns.
  std::uint32_t num_parameters = 0;
  std::vector<Column> parameters;
  SparseRows a;
  SparseRows b;
  SparseRows c;

  // What a column of a row is in repetition k < count: an absolute input, bit or full.
  Column resolve(Column column, std::uint32_t k) const noexcept {
    if (column.kind() == ColumnKind::parameter) return parameters[k * num_parameters + column.index()];
    if (!column.relative()) return column;
    const std::uint32_t stride = column.kind() == ColumnKind::input ? num_inputs
                                 : column.kind() == ColumnKind::bit ? num_aux
                                                                    : num_full;
    return {column.kind(), false, column.index() + k * stride};
  }
};

// Which variables occur with a non-zero coefficient in A or B: the order of the queries in a parameter file
// depends on it.
struct Densities {
  BitVector aux_in_a;
  BitVector aux_in_b;
  BitVector inputs_in_b;
};

class R1cs {
 public:
  // A circuit from blocks in order and the distinct coefficients, as the accessors of another one gave them.
  // Everything is checked that the users of a circuit rely on: first_* continue the blocks before, every
  // length and every index is in range, coefficients are reduced. invalid_argument says what is not so; the
  // circuit's meaning is not looked at. Parallel.
  static Result<R1cs> from_parts(std::vector<R1csBlock> blocks, std::vector<Fr> coefficients);

  std::size_t num_inputs() const noexcept { return num_inputs_; }  // with ONE
  std::size_t num_aux() const noexcept { return num_aux_; }
  std::size_t num_full() const noexcept { return num_full_; }
  std::size_t num_constraints() const noexcept { return num_constraints_; }
  // Constraints and closing input constraints; and log2 of the domain that holds them.
  std::size_t num_domain_rows() const noexcept { return num_constraints_ + num_inputs_; }
  unsigned log_domain() const noexcept;
  const std::vector<R1csBlock>& blocks() const noexcept { return blocks_; }
  // The distinct coefficients. Index 0 is 1 and index 1 is -1.
  const std::vector<Fr>& coefficients() const noexcept { return coefficients_; }

  // The aux index of a full variable, given its ordinal.
  std::uint32_t aux_of_full(std::uint32_t full) const noexcept;
  // Whether each aux variable is a full element (1) or a bit (0).
  BitVector full_mask() const;
  // Computed by the first call and kept; copies of the circuit share them. Thread-safe; uses the global thread pool.
  const Densities& densities() const;
  // Non-zero entries of A, B, C over all repetitions.
  struct NonZeros {
    std::uint64_t a, b, c;
  };
  NonZeros non_zeros() const noexcept;
  // Of the blocks and coefficients; without the densities, a quarter byte for each aux variable.
  std::size_t memory_bytes() const noexcept;

 private:
  friend class ShapeSystem;
  struct KeptDensities;
  R1cs();
  std::size_t num_inputs_ = 0;
  std::size_t num_aux_ = 0;
  std::size_t num_full_ = 0;
  std::size_t num_constraints_ = 0;
  std::vector<R1csBlock> blocks_;
  std::vector<Fr> coefficients_;
  std::shared_ptr<KeptDensities> densities_;  // null only in a circuit that was moved from
};

inline constexpr std::uint16_t kCoefficientOne = 0;
inline constexpr std::uint16_t kCoefficientMinusOne = 1;

}  // namespace cuzk
