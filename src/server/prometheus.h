// The engine's figures in the text format 0.0.4 of Prometheus. Names and labels: docs/formats/http.md.
#pragma once

#include <string>

#include "engine/engine.h"
#include "engine/engine_status.h"
#include "engine/metrics.h"

namespace cuzk {

// Also says of the process itself (resident memory, open files, threads) what the kernel says now.
std::string prometheus_text(const EngineStatus& status, const MetricsSnapshot& metrics,
                            const std::string& version);

// The same of a running engine, with counters of one moment: the jobs that failed, by class, are as many as are neither open nor ended
// otherwise.
std::string prometheus_text(const Engine& engine, const std::string& version);

}  // namespace cuzk
