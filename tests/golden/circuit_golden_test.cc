// Every circuit of the network against tests/data/circuits.tsv: counts, non-zeros, densities and the digest of all constraints.
// Rows of more than 20 million constraints are in the slow program, which is this file with CUZK_SLOW_ROWS.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "circuit/porep/porep.h"
#include "circuit/post/post.h"
#include "circuit/update/update.h"
#include "r1cs/digest.h"

namespace cuzk {
namespace {

#ifdef CUZK_SLOW_ROWS
constexpr bool kSlowRows = true;
#else
constexpr bool kSlowRows = false;
#endif
constexpr std::size_t kSlowConstraints = 20'000'000;

struct Row {
  std::string name;
  std::size_t inputs, aux, constraints, non_zeros_a, non_zeros_b, non_zeros_c, aux_in_a, aux_in_b;
  std::string digest;
};

std::vector<Row> read_rows() {
  std::ifstream file(CUZK_TEST_DATA "/circuits.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    Row row;
    std::getline(fields, row.name, '\t');
    fields >> row.inputs >> row.aux >> row.constraints >> row.non_zeros_a >> row.non_zeros_b >>
        row.non_zeros_c >> row.aux_in_a >> row.aux_in_b >> row.digest;
    if ((row.constraints > kSlowConstraints) == kSlowRows) rows.push_back(row);
  }
  return rows;
}

const SectorShape& sector(const std::string& size) {
  return *find_sector_shape(std::string_view(size)).value();
}

PorepCircuitShape porep_shape(const std::string& name) {
  if (name == "test base2 (8 nodes)") return {3, {2, 2, 2}, 2, 1};
  if (name == "test base8") return {3, {8}, 2, 1};
  if (name == "test 8-4") return {5, {8, 4}, 2, 1};
  if (name == "test 8-4-2") return {6, {8, 4, 2}, 2, 1};
  PorepCircuitShape shape = PorepCircuitShape::of(sector(name.substr(0, name.find(' '))));
  if (name.ends_with("shape, 1 challenge")) shape.challenges = 1;
  return shape;
}

PostCircuitShape window_shape(const std::string& name) {
  PostCircuitShape shape = PostCircuitShape::window(sector(name.substr(0, name.find(' '))));
  if (name.ends_with("shape, 1 sector")) shape.slots = 1;
  return shape;
}

PostCircuitShape test_post_shape(const std::string& name) {
  if (name == "test base8 3 sectors") return {{8, 8}, 3, 5};
  if (name == "test base8 2 sectors") return {{8, 8}, 2, 5};
  if (name == "test 8-4") return {{8, 8, 4}, 3, 5};
  if (name == "test 8-4-2") return {{8, 8, 4, 2}, 3, 5};
  return {std::vector<unsigned>(10, 8), 5, 10};  // "32GiB base8 10ch 5 sectors"
}

UpdateShape update_shape(const std::string& size, UpdateVariant variant) {
  if (size == "1KiB") return UpdateShape::of(5, TreeShape{1, 4, 0}, variant);
  if (size == "8KiB") return UpdateShape::of(8, TreeShape{2, 4, 0}, variant);
  return UpdateShape::of(sector(size), variant);
}

R1cs record(const std::string& name) {
  const std::string kind = name.substr(0, name.find(' '));
  const std::string rest = name.substr(kind.size() + 1);
  if (kind == "porep") return porep_r1cs(porep_shape(rest));
  if (kind == "window") return post_r1cs(window_shape(rest));
  if (kind == "winning") return post_r1cs(PostCircuitShape::winning(sector(rest)));
  if (kind == "post") return post_r1cs(test_post_shape(rest));
  return update_r1cs(update_shape(rest, kind == "update" ? UpdateVariant::sha256 : UpdateVariant::poseidon));
}

class GoldenCircuit : public testing::TestWithParam<Row> {};

TEST_P(GoldenCircuit, IsTheNetworks) {
  const Row& row = GetParam();
  const R1cs r1cs = record(row.name);
  EXPECT_EQ(r1cs.num_inputs(), row.inputs);
  EXPECT_EQ(r1cs.num_aux(), row.aux);
  EXPECT_EQ(r1cs.num_constraints(), row.constraints);
  EXPECT_EQ(r1cs.non_zeros().a, row.non_zeros_a);
  EXPECT_EQ(r1cs.non_zeros().b, row.non_zeros_b);
  EXPECT_EQ(r1cs.non_zeros().c, row.non_zeros_c);
  const Densities densities = r1cs.densities();
  EXPECT_EQ(densities.aux_in_a.count_ones(), row.aux_in_a);
  EXPECT_EQ(densities.aux_in_b.count_ones(), row.aux_in_b);
  EXPECT_EQ(densities.inputs_in_b.count_ones(), 1u);
  EXPECT_EQ(to_hex(r1cs_digest(r1cs)), row.digest);
}

std::string test_name(const testing::TestParamInfo<Row>& row) {
  std::string name = row.param.name;
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, GoldenCircuit, testing::ValuesIn(read_rows()), test_name);

TEST(GoldenCircuits, TheTableIsThere) {
  EXPECT_GE(read_rows().size(), kSlowRows ? 8u : 40u);
}

}  // namespace
}  // namespace cuzk
