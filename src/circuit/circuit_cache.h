// CircuitCache: recorded circuits in a folder, so that a program that proves one circuit after the other does not record 130 M
// constraints each time. Recording 32 GiB PoRep takes seconds, reading it well under one.
//
// A file is used only if it is whole (its SHA-256), safe to use (R1cs::from_parts), of this circuit and of this version of the
// circuits (its label); else the circuit is recorded and the file replaced. The folder must be one that only its owner can
// write to: the digest finds damage, not malice.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "r1cs/r1cs.h"
#include "vanilla/registered_proofs.h"

namespace cuzk {

// Goes up with every change of what record_circuit gives for any circuit: constraints, blocks, or their order.
inline constexpr unsigned kCircuitFormatVersion = 1;

struct CachedCircuit {
  R1cs r1cs;
  bool from_cache = false;
  // Why a file that was there was not used, or why none could be written; empty if there is nothing to say.
  std::string note;
};

// Any number of threads and processes may use one folder.
class CircuitCache {
 public:
  // An empty path makes a cache that records every time.
  explicit CircuitCache(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // $CUZK_CACHE_DIR (empty: none), else $XDG_CACHE_HOME/cuzk, else $HOME/.cache/cuzk if $HOME can be written to, else none. As
  // the XDG base directory specification has it, a relative path in the latter two counts as unset.
  static std::filesystem::path default_directory();

  // Where the circuit's file is, or would be; empty without a folder.
  std::filesystem::path path_of(const CircuitParameters& circuit) const;
  // The same as record_circuit(circuit). A cache that cannot be read or written costs time and is no failure.
  CachedCircuit get(const CircuitParameters& circuit) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace cuzk
