// What nvidia-smi prints becomes numbers, and what it does not print is said in words.
#include "gpu_query.h"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

TEST(GpuQuery, ReadsALine) {
  const Report report = parse_smi_line(
      "580.159, 1980, 3201, 1980, 222.31, 41\n",
      {"driver_version", "clocks.sm", "clocks.mem", "clocks.max.sm", "power.draw", "temperature.gpu"});
  EXPECT_EQ(report["driver_version"], "580.159");
  EXPECT_EQ(report["clocks.sm"], 1980);
  EXPECT_EQ(report["power.draw"], 222.31);
  EXPECT_EQ(report["temperature.gpu"], 41);
}

TEST(GpuQuery, KeepsWhatIsNoNumber) {
  EXPECT_EQ(parse_smi_line("[N/A], 5", {"power.draw", "x"})["power.draw"], "[N/A]");
}

TEST(GpuQuery, SaysWhatIsUnknown) {
  EXPECT_TRUE(parse_smi_line("1, 2", {"a", "b", "c"}).is_string());
  EXPECT_TRUE(parse_smi_line("", {"a"}).is_string());
  EXPECT_TRUE(query_nvidia_smi("GPU-0; echo pwned").get<std::string>().starts_with("unknown"));
}

}  // namespace
}  // namespace cuzk
