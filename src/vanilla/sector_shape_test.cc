#include "vanilla/sector_shape.h"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

TEST(SectorShape, RowsAreConsistent) {
  std::uint64_t last = 0;
  for (const SectorShape& shape : all_sector_shapes()) {
    SCOPED_TRACE(shape.name);
    EXPECT_GT(shape.size_bytes, last);
    last = shape.size_bytes;
    EXPECT_EQ(shape.nodes() * 32, shape.size_bytes);
    std::uint64_t leaves = 1;
    for (unsigned level = 0; level < shape.tree.num_levels(); ++level) leaves *= shape.tree.arity(level);
    EXPECT_EQ(leaves, shape.nodes());
    EXPECT_EQ(find_sector_shape(shape.size_bytes).value(), &shape);
    EXPECT_EQ(find_sector_shape(shape.name).value(), &shape);
    const bool large = shape.size_bytes >= std::uint64_t{32} << 30;
    EXPECT_EQ(shape.layers, large ? 11u : 2u);
    EXPECT_EQ(shape.porep_partitions * shape.challenges_per_partition, large ? 180u : 2u);
    EXPECT_EQ(shape.ni_partitions * shape.challenges_per_partition, large ? 2268u : 26u);
  }
}

TEST(SectorShape, TreeNames) {
  const std::pair<const char*, const char*> names[] = {
      {"2KiB", "8-0-0"},  {"4KiB", "8-2-0"},   {"16KiB", "8-8-0"}, {"32KiB", "8-8-2"}, {"8MiB", "8-0-0"},
      {"16MiB", "8-2-0"}, {"512MiB", "8-0-0"}, {"1GiB", "8-2-0"},  {"32GiB", "8-8-0"}, {"64GiB", "8-8-2"}};
  for (const auto& [size, tree] : names)
    EXPECT_EQ(find_sector_shape(size).value()->tree.name(), tree) << size;
  EXPECT_EQ(std::size(names), all_sector_shapes().size());
}

TEST(SectorShape, LevelsOfTheLargestTree) {
  const TreeShape& tree = find_sector_shape("64GiB").value()->tree;
  EXPECT_EQ(tree.num_levels(), 11u);
  EXPECT_EQ(tree.arity(0), 8u);
  EXPECT_EQ(tree.arity(8), 8u);
  EXPECT_EQ(tree.arity(9), 8u);
  EXPECT_EQ(tree.arity(10), 2u);
}

TEST(SectorShape, UnknownSizes) {
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2047}, std::uint64_t{8192}, ~std::uint64_t{0}}) {
    EXPECT_EQ(find_sector_shape(size).status().code(), StatusCode::invalid_argument) << size;
  }
  for (const char* name : {"", "2kib", "2KiB ", "2", "128GiB"}) {
    EXPECT_EQ(find_sector_shape(std::string_view(name)).status().code(), StatusCode::invalid_argument)
        << name;
  }
}

}  // namespace
}  // namespace cuzk
