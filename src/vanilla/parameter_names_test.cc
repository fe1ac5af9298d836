// Against the names of the published parameter files (tests/data/parameter-names.txt).
#include "vanilla/parameter_names.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "vanilla/c1_test_data.h"

namespace cuzk {
namespace {

TEST(ParameterNames, Production) {
  const std::map<std::string, std::string (*)(const SectorShape&)> kinds = {
      {"PoRep", porep_cache_id},
      {"window", window_post_cache_id},
      {"winning", winning_post_cache_id},
      {"update", update_cache_id},
      {"update-poseidon", update_poseidon_cache_id}};
  std::istringstream lines(read_test_data("parameter-names.txt"));
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string size, circuit, id;
    words >> size >> circuit >> id;
    EXPECT_EQ(kinds.at(circuit)(*find_sector_shape(size).value()), id) << size << " " << circuit;
    ++count;
  }
  EXPECT_EQ(count, 22);
}

TEST(ParameterNames, Files) {
  EXPECT_EQ(params_file_name("x-1"), "v28-x-1.params");
  EXPECT_EQ(vk_file_name("x-1"), "v28-x-1.vk");
}

}  // namespace
}  // namespace cuzk
