// The passes of a transform over a whole vector, spread over all threads. Internal to src/poly.
#pragma once

#include <functional>
#include <span>

#include "poly/domain.h"
#include "poly/ntt_kernel.h"

namespace cuzk {

// All levels. `after` scales the result.
void natural_to_bit_reversed(const Domain& domain, std::span<Fr> values, Root root, const Scale& after);
void bit_reversed_to_natural(const Domain& domain, std::span<Fr> values, Root root);

// Single passes.
void column_pass_to_bit_reversed(const Domain& domain, std::span<Fr> values, const ColumnPass& pass,
                                 Root root);
void column_pass_to_natural(const Domain& domain, std::span<Fr> values, const ColumnPass& pass, Root root);

// Calls body(block, column) for each group of eight columns [column, column + 8) of each block, on all
// threads.
void for_each_column_group(const Domain& domain, const ColumnPass& pass,
                           const std::function<void(std::size_t, std::size_t)>& body);
// Calls body(row, offset of its first value) for each row, on all threads.
void for_each_row(const Domain& domain, const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace cuzk
