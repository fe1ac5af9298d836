// The writer against the files of the network's sealer, byte for byte.
#include "gen/c1_writer.h"

#include "gen/gen_porep.h"
#include "gen/gen_test_support.h"

namespace cuzk {
namespace {

TEST(C1Writer, GivesBackTheFilesOfTheReference) {
  for (const char* name :
       {"c1-2KiB-v1-4.json", "c1-2KiB-v1_1-1.json", "c1-2KiB-synthetic-4.json", "c1-2KiB-ni-4.json",
        "c1-4KiB-v1_1-1.json", "c1-16KiB-v1_1-1.json", "c1-32KiB-v1_1-1.json", "c1-8MiB-v1_1-1.json"}) {
    const std::string text = read_test_data(name);
    const Result<C1> c1 = parse_c1(bytes_of(text));
    ASSERT_TRUE(c1.is_ok()) << name << ": " << c1.status().to_string();
    EXPECT_TRUE(c1_json(c1.value()) == text) << name;
  }
}

TEST(C1Writer, HandsOnPiecesAndStopsAtAFailureOfTheSink) {
  const C1 c1 = gen_porep({.proof = seal_named("StackedDrg2KiBV1_1")}).value();
  const std::string whole = c1_json(c1);
  std::string joined;
  EXPECT_TRUE(write_c1_json(c1, [&](std::string_view piece) {
                EXPECT_LE(piece.size(), std::size_t{128} << 10);
                joined += piece;
                return Status::ok();
              }).is_ok());
  EXPECT_TRUE(joined == whole);
  for (const int allowed : {0, 1, 2}) {
    int calls = 0;
    const Status status = write_c1_json(
        c1, [&](std::string_view) { return calls++ < allowed ? Status::ok() : unavailable("disk full"); });
    EXPECT_EQ(status.message(), "disk full");
    EXPECT_EQ(calls, allowed + 1);
  }
}

}  // namespace
}  // namespace cuzk
