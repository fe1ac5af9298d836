#include "vanilla/update_shape.h"

#include <algorithm>

namespace cuzk {

UpdateShape UpdateShape::of(unsigned log2_nodes, const TreeShape& tree, UpdateVariant variant) {
  UpdateShape shape{variant, log2_nodes, tree, 4, 86, 7, {7, 8, 9, 10, 11, 12}, 3};
  if (log2_nodes <= 19) {
    shape.log2_partitions = 2;
    shape.challenges = 10;
  }
  if (log2_nodes <= 10) {
    shape.log2_partitions = 1;
    shape.allowed_h.fill(1);
    shape.h_index = 0;  // the first of equal values
  }
  if (log2_nodes <= 8) {
    shape.log2_partitions = 0;
    shape.log2_apex_leaves = 3;
  }
  if (variant == UpdateVariant::poseidon) {
    shape.challenges *= shape.partitions();
    shape.log2_partitions = 0;
    shape.log2_apex_leaves = 0;
  }
  return shape;
}

std::uint64_t UpdateShape::partition_and_h_select(unsigned k) const noexcept {
  return k | (std::uint64_t{1} << (log2_partitions + h_index));
}

}  // namespace cuzk
