// The setup of test parameters: from the constraints of a circuit and known toxic scalars to the points of its queries
// (formulas: docs/formats/params.md).
//
// Never for production: whoever knows the scalars can forge proofs.
#pragma once

#include "base/status.h"
#include "groth16/prove_timings.h"
#include "groth16/setup.h"
#include "r1cs/r1cs.h"

namespace cuzk {

// Streams the parameters into `sink` in file order. Uses all threads. Memory besides the circuit: 32 bytes per
// constraint and 96 per variable at the peak, and 50 MiB. `progress` may be null; its steps are "qap" and the names of
// the queries.
//   invalid_argument  a toxic scalar is zero or tau is in the domain; a variable occurs in no constraint or has, by
//                     an unlucky choice of scalars, a point at infinity. The sink is not touched then
//   otherwise         what the sink says
Status setup(const R1cs& r1cs, const ToxicWaste& toxic, SrsSink& sink, ProgressObserver* progress = nullptr);

}  // namespace cuzk
