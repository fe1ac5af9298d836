// Multi-scalar multiplication over fixed bases in G1 and G2: the sum of scalars[i] * base i.
//
// Bases must be in the subgroup of order r, or infinity: k times a point is computed as -(r - k) times it where that is
// shorter. Equal points, opposite points and any scalars are exact. All threads of the global pool are used; the
// functions may be called from several threads. Work memory: pippenger.h.
#pragma once

#include <span>

#include "curve/projective.h"
#include "field/fr.h"
#include "msm/bases.h"
#include "msm/witness_sum.h"

namespace cuzk {

// At most bases.size() scalars (checked), of any kind; made for scalars of full width. Fewer use the first bases. None
// give infinity.
G1Projective msm(const G1Bases& bases, std::span<const Fr> scalars);
G2Projective msm(const G2Bases& bases, std::span<const Fr> scalars);

// scalars.n is at most bases.size(), as many indices as values, indices below n (checked).
G1Projective msm(const G1Bases& bases, const WitnessScalars& scalars);
G2Projective msm(const G2Bases& bases, const WitnessScalars& scalars);

}  // namespace cuzk
