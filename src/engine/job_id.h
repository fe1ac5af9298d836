// The names of jobs.
#pragma once

#include <string>

#include "base/status.h"

namespace cuzk {

// A random version 4 UUID (RFC 9562), from the random source of the operating system; internal if that fails.
Result<std::string> random_job_id();

}  // namespace cuzk
