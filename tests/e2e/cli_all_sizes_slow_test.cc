// Every kind at every size up to 8 MiB, from `cuzk gen` to `cuzk verify`, with test parameters made for it.
#include <gtest/gtest.h>

#include <sstream>

#include "cli_fixture.h"

namespace cuzk {
namespace {

struct Size {
  const char* kind;
  const char* sector_size;
};

void PrintTo(const Size& size, std::ostream* out) {
  *out << size.kind << ' ' << size.sector_size;
}

class AllSizes : public testing::TestWithParam<Size> {};

TEST_P(AllSizes, GeneratedInputProvesAndVerifies) {
  const auto [kind, sector_size] = GetParam();
  const ScratchFolder scratch;
  const std::string input = scratch.file("input.bin");
  const ProgramResult made =
      cuzk({"gen", "--kind", kind, "--sector-size", sector_size, "--out", input, "--json"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  std::istringstream words(nlohmann::json::parse(made.out)["prove"].get<std::string>());
  std::vector<std::string> flags;
  for (std::string word; words >> word;) flags.push_back(word);
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return cuzk(arguments);
  };
  const ProgramResult valid = run({"validate"});
  EXPECT_EQ(valid.exit_code, 0) << valid.err;

  const TestParameters& parameters = test_parameters(kind, sector_size);
  ASSERT_EQ(parameters.setup.exit_code, 0) << parameters.setup.err;
  const std::string proof = scratch.file("proof");
  const ProgramResult proved = run({"prove", "--params-dir", parameters.directory, "--out", proof, "--json"});
  ASSERT_EQ(proved.exit_code, 0) << proved.err;
  const ProgramResult verified = run({"verify", "--params-dir", parameters.directory, "--proof", proof});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  std::filesystem::remove_all(parameters.directory);
}

std::string size_name(const testing::TestParamInfo<Size>& size) {
  return std::string(size.param.kind) + size.param.sector_size;
}

INSTANTIATE_TEST_SUITE_P(
    UpTo8MiB, AllSizes,
    testing::Values(Size{"window", "2KiB"}, Size{"window", "4KiB"}, Size{"window", "16KiB"},
                    Size{"window", "32KiB"}, Size{"window", "8MiB"}, Size{"winning", "2KiB"},
                    Size{"winning", "4KiB"}, Size{"winning", "16KiB"}, Size{"winning", "32KiB"},
                    Size{"winning", "8MiB"}, Size{"porep", "2KiB"}, Size{"porep", "4KiB"},
                    Size{"porep", "16KiB"}, Size{"porep", "32KiB"}, Size{"porep", "8MiB"},
                    Size{"update", "2KiB"}, Size{"update", "4KiB"}, Size{"update", "16KiB"},
                    Size{"update", "32KiB"}, Size{"update", "8MiB"}),
    size_name);

}  // namespace
}  // namespace cuzk
