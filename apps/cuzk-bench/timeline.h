// A picture of what jobs did when: a row for each partition, a bar to scale for each phase.
#pragma once

#include <string>
#include <vector>

#include "job_end.h"

namespace cuzk {

// Jobs of a timeline: their spans start `offset_ms` after its beginning.
struct TimelineJob {
  std::string title;
  double offset_ms = 0;
  std::vector<PhaseSpan> spans;
};

// An SVG document that stands alone: time axis, legend, one row for what belongs to a whole job and one a partition, a tooltip for each bar
// with phase, start and length. Any text in it is escaped. Jobs without spans are left out; without any the document says so.
std::string timeline_svg(const std::vector<TimelineJob>& jobs);

}  // namespace cuzk
