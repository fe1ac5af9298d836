#include "groth16/setup.h"

#include <string>

namespace cuzk {

Status ToxicWaste::check(unsigned log_domain) const {
  const struct {
    const char* name;
    const Fr& value;
  } scalars[] = {{"alpha", alpha}, {"beta", beta}, {"gamma", gamma}, {"delta", delta}, {"tau", tau}};
  for (const auto& [name, value] : scalars) {
    if (value.is_zero()) return invalid_argument(std::string("toxic scalar ") + name + " is zero");
  }
  Fr power = tau;
  for (unsigned i = 0; i < log_domain; ++i) power = power.squared();
  if (power.is_one()) return invalid_argument("toxic scalar tau lies in the evaluation domain");
  return Status::ok();
}

}  // namespace cuzk
