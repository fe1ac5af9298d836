// The setup of test parameters on the processor: from the constraints of a circuit and known toxic scalars to the points
// of its queries (formulas: docs/formats/params.md).
//
// Never for production: whoever knows the scalars can forge proofs.
#pragma once

#include "base/status.h"
#include "groth16/prove_timings.h"
#include "groth16/setup.h"
#include "r1cs/r1cs.h"

namespace cuzk {

// Streams the parameters into `sink` in file order. Uses all threads. Memory besides the circuit: that of SetupScalars,
// and 70 MiB. `progress` may be null; its steps are "qap" and the names of the queries.
//   invalid_argument  as SetupScalars::compute; the sink is not touched then
//   otherwise         what the sink says
Status setup(const R1cs& r1cs, const ToxicWaste& toxic, SrsSink& sink, ProgressObserver* progress = nullptr);

}  // namespace cuzk
