// The engine's figures as JSON, for the status page and for scripts. Members: docs/formats/http.md.
#pragma once

#include <string>
#include <vector>

#include "engine/engine_status.h"
#include "engine/job.h"

namespace cuzk {

struct Readiness {
  bool is_ready = false;
  std::string text;  // one sentence, also if ready
};

Readiness readiness_of(const EngineStatus& status);

// Both are valid UTF-8 whatever the texts in them hold. now_ms: Unix time.
std::string status_json(const EngineStatus& status, const std::string& version, std::int64_t now_ms);
std::string jobs_json(const std::vector<JobSnapshot>& jobs, std::int64_t now_ms);

}  // namespace cuzk
