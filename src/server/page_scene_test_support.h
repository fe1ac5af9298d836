// Scenes for the status page: an engine with nothing to show, one in the middle of its work, and one with hostile texts in it.
#pragma once

#include "server/fake_engine_test_support.h"

namespace cuzk {

// A GPU proves a PoRep, jobs of three kinds wait, twenty have ended, two of them badly. The clock is the real one: the running job
// was accepted `running_ms` ago and has come as far as that.
void put_busy_scene(FakeEngine& engine, double running_ms);

}  // namespace cuzk
