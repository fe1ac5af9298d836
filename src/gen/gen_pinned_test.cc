// Equal options give equal bytes on every machine and in every version: the SHA-256 of one object of each kind.
// The digests are this generator's own; that the objects are valid is the business of the other tests.
#include "gen/bincode_writer.h"
#include "gen/c1_writer.h"
#include "gen/gen_porep.h"
#include "gen/gen_post.h"
#include "gen/gen_test_support.h"
#include "gen/gen_update.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

TEST(GenPinned, Porep) {
  EXPECT_EQ(to_hex(sha256(bytes_of(c1_json(gen_porep({.proof = seal_named("StackedDrg2KiBV1_1")}).value())))),
            "1375a9a596bc284ccafb4dc88b9f57ea17b873020a5ad5d6d0ccee94dbe85b84");
  EXPECT_EQ(to_hex(sha256(bytes_of(c1_json(gen_porep({.proof = seal_named("StackedDrg512MiBV1")}).value())))),
            "4f349f624ad13f0e21892704fca760e4f937be55bf74ed82d3c2a93944558b91");
}

TEST(GenPinned, WindowPost) {
  const SectorShape& shape = shape_named("32GiB");
  const GeneratedPost post =
      gen_post({.proof = registered_post(PostKind::window, shape, ApiVersion::v1_2_0).value()}).value();
  EXPECT_EQ(to_hex(sha256(post_proof_bincode(post.sectors.front(), shape.tree))),
            "157bf045e36a10401537a9442a999ec67eb672c924988f944a07e7a9e8f73f53");
}

TEST(GenPinned, Update) {
  const SectorShape& shape = shape_named("32KiB");
  const GeneratedUpdate update = gen_update({.shape = &shape});
  EXPECT_EQ(to_hex(sha256(update_proof_bincode(update.partitions.back(), UpdateShape::of(shape)))),
            "cff5e868a659e4c77087f6527e681ce1efa97fd4680f44f3b6cdb706a2f35758");
}

}  // namespace
}  // namespace cuzk
