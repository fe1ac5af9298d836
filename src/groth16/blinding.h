// Blinding: the two scalars r and s that make a proof zero-knowledge. With them fixed, a proof is determined.
#pragma once

#include "base/status.h"
#include "field/fr.h"

namespace cuzk {

// A uniform element from the random source of the operating system; internal if that fails.
Result<Fr> random_fr();

struct Blinding {
  Fr r;
  Fr s;

  // Fresh and secret; never use one twice. internal if the operating system has no randomness.
  static Result<Blinding> random();
};

}  // namespace cuzk
