// Lines about time name a GPU only where one did the work.
#include "timing_text.h"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

using Names = std::vector<std::string>;

TEST(TimingLine, NamesTheGpu) {
  EXPECT_EQ(timing_line({"msm_h", 3, 0, 12.5, 412.74}, Names{"cuda"}),
            "CUZK_TIMING phase=msm_h partition=3 gpu=0 ms=412.7");
  EXPECT_EQ(timing_line({"srs_load", -1, 1, 0, 7}, Names{"cuda", "cuda"}),
            "CUZK_TIMING phase=srs_load gpu=1 ms=7.0");
}

TEST(TimingLine, NamesNoGpuForAProcessor) {
  EXPECT_EQ(timing_line({"msm_h", 3, 0, 12.5, 412.74}, Names{"cpu"}),
            "CUZK_TIMING phase=msm_h partition=3 worker=0 backend=cpu ms=412.7");
  EXPECT_EQ(timing_line({"ntt", 0, 1, 0, 1}, Names{"cuda", "cpu"}),
            "CUZK_TIMING phase=ntt partition=0 worker=1 backend=cpu ms=1.0");
  EXPECT_EQ(timing_line({"ntt", 0, 2, 0, 1}, Names{"cuda"}),
            "CUZK_TIMING phase=ntt partition=0 worker=2 ms=1.0");
}

TEST(TimingLine, NamesNobodyForWorkOfNoWorker) {
  EXPECT_EQ(timing_line({"parse", -1, -1, 0, 1}, {}), "CUZK_TIMING phase=parse ms=1.0");
  EXPECT_EQ(timing_line({"synth", 0, -1, 0, 0}, Names{"cuda"}), "CUZK_TIMING phase=synth partition=0 ms=0.0");
}

TEST(DeviceWord, IsThatOfAllBackends) {
  EXPECT_EQ(device_word(Names{"cuda", "cuda"}), "gpu");
  EXPECT_EQ(device_word(Names{"cpu"}), "cpu");
  EXPECT_EQ(device_word(Names{"cuda", "cpu"}), "prove");
  EXPECT_EQ(device_word(Names{}), "gpu");
}

}  // namespace
}  // namespace cuzk
