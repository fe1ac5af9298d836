// The group laws over G1 and G2.
#include "tests/support/group_laws.h"

namespace cuzk::testing {

INSTANTIATE_TYPED_TEST_SUITE_P(G1, GroupLaws, Fp);
INSTANTIATE_TYPED_TEST_SUITE_P(G2, GroupLaws, Fp2);

}  // namespace cuzk::testing
