// What is generated satisfies the circuits: the recorded constraints on the witness of each kind.
#include "circuit/porep/porep.h"
#include "circuit/post/post.h"
#include "circuit/update/update.h"
#include "gen/gen_porep.h"
#include "gen/gen_post.h"
#include "gen/gen_test_support.h"
#include "gen/gen_update.h"
#include "r1cs/evaluate.h"

namespace cuzk {
namespace {

TEST(GenCircuit, PorepIsSatisfied) {
  const R1cs r1cs = porep_r1cs(PorepCircuitShape::of(shape_named("2KiB")));
  for (const char* name : {"StackedDrg2KiBV1", "StackedDrg2KiBV1_1_Feat_SyntheticPoRep"}) {
    const C1 c1 = gen_porep({.proof = seal_named(name)}).value();
    EXPECT_EQ(first_unsatisfied(r1cs, porep_witness(porep_partition(c1, 0), r1cs)), std::nullopt) << name;
  }
}

TEST(GenCircuit, WindowPostIsSatisfied) {
  for (const char* size : {"2KiB", "32KiB"}) {
    const SectorShape& sector = shape_named(size);
    const PostCircuitShape shape = PostCircuitShape::window(sector);
    const R1cs r1cs = post_r1cs(shape);
    const RegisteredPost proof = registered_post(PostKind::window, sector, ApiVersion::v1_2_0).value();
    const GeneratedPost post = gen_post({.proof = proof, .sectors = 2}).value();
    EXPECT_EQ(first_unsatisfied(r1cs, post_witness(window_post_slots(shape, post.sectors), r1cs)),
              std::nullopt)
        << size;
  }
}

TEST(GenCircuit, WinningPostIsSatisfied) {
  const SectorShape& sector = shape_named("2KiB");
  const PostCircuitShape shape = PostCircuitShape::winning(sector);
  const R1cs r1cs = post_r1cs(shape);
  const RegisteredPost proof = registered_post(PostKind::winning, sector, ApiVersion::v1_0_0).value();
  const GeneratedPost post = gen_post({.proof = proof}).value();
  EXPECT_EQ(first_unsatisfied(r1cs, post_witness(winning_post_slots(shape, post.sectors.front()), r1cs)),
            std::nullopt);
}

void expect_update_satisfied(std::string_view size, UpdateVariant variant, unsigned partition) {
  SCOPED_TRACE(size);
  const UpdateShape shape = UpdateShape::of(shape_named(size), variant);
  const R1cs r1cs = update_r1cs(shape);
  const GeneratedUpdate update = gen_update({.shape = &shape_named(size), .variant = variant});
  const UpdatePartition statement = {partition, update.comm_r_old, update.comm_d_new, update.comm_r_new,
                                     &update.partitions[partition]};
  EXPECT_EQ(first_unsatisfied(r1cs, update_witness(shape, statement, r1cs)), std::nullopt);
}

TEST(GenCircuit, UpdateIsSatisfied) {
  expect_update_satisfied("2KiB", UpdateVariant::sha256, 0);
  expect_update_satisfied("8MiB", UpdateVariant::sha256, 3);
  expect_update_satisfied("2KiB", UpdateVariant::poseidon, 0);
}

}  // namespace
}  // namespace cuzk
