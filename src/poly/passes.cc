#include "poly/passes.h"

#include <algorithm>

#include "base/thread_pool.h"

namespace cuzk {
namespace {

constexpr std::size_t kValuesPerTask = std::size_t{1} << 15;  // about 2 ms of work
constexpr std::size_t kColumns = 8;

}  // namespace

void for_each_column_group(const Domain& domain, const ColumnPass& pass,
                           const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t groups_of_block = pass.stride / kColumns;
  const std::size_t num_groups = groups_of_block << pass.level;
  const std::size_t grain = std::max<std::size_t>(1, kValuesPerTask / (domain.size() / num_groups));
  parallel_for(num_groups, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i / groups_of_block, i % groups_of_block * kColumns);
  });
}

void for_each_row(const Domain& domain, const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t length = domain.plan().row_length();
  const std::size_t grain = std::max<std::size_t>(1, kValuesPerTask / length);
  parallel_for(domain.plan().num_rows(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) body(row, row * length);
  });
}

void column_pass_to_bit_reversed(const Domain& domain, std::span<Fr> values, const ColumnPass& pass,
                                 Root root) {
  const std::size_t block_size = domain.size() >> pass.level;
  for_each_column_group(domain, pass, [&](std::size_t block, std::size_t column) {
    domain.kernel().columns_to_bit_reversed(values.data() + block * block_size + column, pass, block, root);
  });
}

void column_pass_to_natural(const Domain& domain, std::span<Fr> values, const ColumnPass& pass, Root root) {
  const std::size_t block_size = domain.size() >> pass.level;
  for_each_column_group(domain, pass, [&](std::size_t block, std::size_t column) {
    domain.kernel().columns_to_natural(values.data() + block * block_size + column, pass, block, root);
  });
}

void natural_to_bit_reversed(const Domain& domain, std::span<Fr> values, Root root, const Scale& after) {
  for (const ColumnPass& pass : domain.plan().columns)
    column_pass_to_bit_reversed(domain, values, pass, root);
  for_each_row(domain, [&](std::size_t row, std::size_t offset) {
    domain.kernel().row_to_bit_reversed(values.data() + offset, row, root, after);
  });
}

void bit_reversed_to_natural(const Domain& domain, std::span<Fr> values, Root root) {
  for_each_row(domain, [&](std::size_t row, std::size_t offset) {
    domain.kernel().row_to_natural(values.data() + offset, row, root);
  });
  const std::vector<ColumnPass>& passes = domain.plan().columns;
  for (std::size_t i = passes.size(); i-- > 0;) column_pass_to_natural(domain, values, passes[i], root);
}

}  // namespace cuzk
