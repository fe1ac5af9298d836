// Checkpoints of a circuit: what the reference circuit had allocated, and its digest so far, on entering a scope.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "r1cs/test_system.h"

namespace cuzk {

struct ExpectedCheckpoint {
  const char* path;
  std::size_t inputs, aux, constraints;
  const char* digest;  // the first 16 hexadecimal digits
};

inline void expect_checkpoints(const TestSystem& cs, const std::vector<ExpectedCheckpoint>& expected) {
  const auto& all = cs.checkpoints();
  for (const ExpectedCheckpoint& checkpoint : expected) {
    SCOPED_TRACE(checkpoint.path);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.path == checkpoint.path; });
    ASSERT_NE(found, all.end());
    EXPECT_EQ(found->inputs, checkpoint.inputs);
    EXPECT_EQ(found->aux, checkpoint.aux);
    EXPECT_EQ(found->constraints, checkpoint.constraints);
    EXPECT_EQ(to_hex(found->digest).substr(0, 16), checkpoint.digest);
  }
}

}  // namespace cuzk
