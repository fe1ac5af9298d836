#include "engine/test_blinding.h"

#include <string>

#include "hash/test_scalar.h"

namespace cuzk {

Blinding test_blinding(std::size_t index) {
  return {test_scalar("r " + std::to_string(index)), test_scalar("s " + std::to_string(index))};
}

}  // namespace cuzk
