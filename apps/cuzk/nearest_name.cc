#include "nearest_name.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace cuzk {

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  const auto distance = [name](const std::string& candidate) {
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t diagonal = std::exchange(row[0], i);
      for (std::size_t j = 1; j < row.size(); ++j) {
        const std::size_t change = diagonal + (name[i - 1] == candidate[j - 1] ? 0 : 1);
        diagonal = std::exchange(row[j], std::min({change, row[j] + 1, row[j - 1] + 1}));
      }
    }
    return row.back();
  };
  CUZK_CHECK(!candidates.empty(), "a nearest name needs names");
  const std::string* best = &candidates.front();
  for (const std::string& candidate : candidates)
    if (distance(candidate) < distance(*best)) best = &candidate;
  return *best;
}

}  // namespace cuzk
