#include "engine/job.h"

namespace cuzk {

const char* job_state_name(JobState state) noexcept {
  switch (state) {
    case JobState::queued:
      return "queued";
    case JobState::synthesizing:
      return "synthesizing";
    case JobState::proving:
      return "proving";
    case JobState::verifying:
      return "verifying";
    case JobState::completed:
      return "completed";
    case JobState::failed:
      return "failed";
    case JobState::cancelled:
      return "cancelled";
  }
  return "failed";
}

}  // namespace cuzk
