// What somebody may have meant by a name that does not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuzk {

// The candidate with the fewest single-character changes to `name`, the first of equals. `candidates` must not be empty.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace cuzk
