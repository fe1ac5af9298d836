// guarded: where work that may throw meets the engine's threads. Memory that runs out fails a job, never the process.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <type_traits>

#include "base/status.h"

namespace cuzk {

// What `work` returns, a Status or a Result. std::bad_alloc becomes resource_exhausted, any other exception internal; both name `what`.
template <typename Work>
std::invoke_result_t<Work> guarded(const std::string& what, Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return resource_exhausted(what + ": the system has no memory left");
  } catch (const std::exception& error) {
    return internal_error(what + ": " + error.what());
  }
}

}  // namespace cuzk
