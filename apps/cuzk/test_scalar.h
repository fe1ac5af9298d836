// The toxic scalars of the test parameters that `cuzk setup` makes.
#pragma once

#include "groth16/setup.h"
#include "hash/test_scalar.h"

namespace cuzk {

inline ToxicWaste test_toxic_waste() {
  return {test_scalar("setup alpha"), test_scalar("setup beta"), test_scalar("setup gamma"),
          test_scalar("setup delta"), test_scalar("setup tau")};
}

}  // namespace cuzk
