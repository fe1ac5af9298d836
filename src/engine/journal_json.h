// Spans and findings of a finished job as JSON text: what the journal keeps of them (docs/formats/journal.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/job.h"

namespace cuzk {

// Bytes of a text that are not UTF-8 become U+FFFD.
std::string spans_to_json(const std::vector<PhaseSpan>& spans);
std::string findings_to_json(const std::vector<InputFinding>& findings);

// The other way round. unavailable for text that is not of this form.
Result<std::vector<PhaseSpan>> spans_from_json(std::string_view text);
Result<std::vector<InputFinding>> findings_from_json(std::string_view text);

}  // namespace cuzk
