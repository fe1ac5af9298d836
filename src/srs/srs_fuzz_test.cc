// Damaged files of parameters (support/byte_fuzzer.h) are refused, with the path, or are safe to use.
#include "srs/parameter_paths.h"
#include "srs/srs_test_support.h"
#include "support/allocation_watch.h"
#include "support/byte_fuzzer.h"

namespace cuzk {
namespace {

// Beyond a multiple of the file: messages, and the threads that read a key.
constexpr std::size_t kSlackBytes = std::size_t{1} << 20;

TEST_F(ParameterFiles, DamagedParametersAreRefusedOrSafe) {
  ByteFuzzer fuzzer(500);
  ASSERT_TRUE(write_toy(Toy(), path_).is_ok());
  const auto good = read_all(path_);
  const std::size_t counts[] = {864, 1060, 1060 + 4 + 3 * 96, 1060 + 8 + 5 * 96, 1060 + 12 + 8 * 96};
  while (fuzzer.next()) {
    const auto bytes = fuzzer.damaged(good, counts);
    write_all(path_, bytes);
    const AllocationWatch memory;
    const Result<ParameterFile> file = ParameterFile::open(path_);
    if (!file.is_ok()) expect_unavailable(file.status(), {});
    const Result<VerifyingKey> vk = read_verifying_key(path_);
    if (!vk.is_ok()) expect_unavailable(vk.status(), {});
    EXPECT_LT(memory.peak_bytes(), 4 * bytes.size() + kSlackBytes);
    if (!file.is_ok()) continue;
    // What was accepted lies within the file.
    std::size_t sum = 0;
    for (const Query query : kQueries) sum += file.value().view()[query].size();
    EXPECT_LT(sum, bytes.size());
  }
}

TEST_F(ParameterFiles, DamagedMetaIsRefusedOrRead) {
  constexpr std::string_view kWords =
      "{ } [ \" : , -1 1e400 null true 18446744073709551616 \"sector_size\": \"test_only\": \\u0000 \xff";
  path_ = directory_ / "some.meta";
  ASSERT_TRUE(write_meta(path_, {8388608, true}).is_ok());
  const auto bytes = read_all(path_);
  const auto check = [&](const std::string& text) {
    write_all(path_, std::vector<std::uint8_t>(text.begin(), text.end()));
    const Result<ParameterMeta> meta = read_meta(path_);
    if (!meta.is_ok()) expect_unavailable(meta.status(), {});
  };
  ByteFuzzer fuzzer(2000);
  while (fuzzer.next())
    check(fuzzer.damaged_text(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                              kWords));
  for (const char* opening : {"[", "{\"a\":"}) {
    std::string bomb;
    for (int i = 0; i < 1000000; ++i) bomb += opening;
    check(bomb);
  }
}

}  // namespace
}  // namespace cuzk
