// A line of progress never fills the width of the terminal, so that the next one can take its place.
#include "progress.h"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

TEST(ProgressLine, HasEverythingWhereThereIsRoom) {
  EXPECT_EQ(progress_line("proving", 0.5, 12, 120),
            "proving [###############...............]  50 %  12 s, about 12 s left");
}

TEST(ProgressLine, FitsIntoEveryTerminal) {
  for (std::size_t columns = 1; columns < 120; ++columns) {
    const std::string line = progress_line("b_g2 at infinity", 0.25, 1234, columns);
    EXPECT_LT(line.size(), columns) << line;
    EXPECT_TRUE(columns < 40 || line.find(" 25 %") != std::string::npos) << line;
  }
}

TEST(ProgressLine, IsFullAtTheEnd) {
  const std::string line = progress_line("proving", 1, 12, 80);
  EXPECT_EQ(line.find('.'), std::string::npos) << line;
  EXPECT_NE(line.find('#'), std::string::npos) << line;
}

}  // namespace
}  // namespace cuzk
