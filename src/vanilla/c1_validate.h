// Whether the values of a C1 object belong together: replica id, challenges, graph parents, every Merkle
// path, columns, labels and the encoding. What passes here satisfies the circuit; what fails is named in
// milliseconds instead of minutes. Source: docs/formats/public-inputs.md, PoRep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vanilla/c1.h"

namespace cuzk {

struct C1Finding {
  std::optional<unsigned> partition;  // none: the object as a whole
  std::optional<unsigned> challenge;  // position in the partition
  std::string field;                  // as in the errors of parse_c1: "drg_parents[2].inclusion_proof.root"
  std::string expected;               // 32-byte values as hexadecimal in byte order, nodes as decimal
  std::string found;

  // "partition 0, challenge 3, c_x.column.rows[1]: expected 1a.., found 2b.."
  std::string to_string() const;
};

struct C1ValidateOptions {
  std::optional<std::uint64_t> miner_id;  // without it the replica id is taken as given
  bool stop_at_first = false;
};

// All that is wrong, in order of partition and challenge; nothing if all relations hold. With stop_at_first
// only the first of these. `c1` must come from parse_c1 or have its shape. Challenges are spread over the
// global thread pool.
std::vector<C1Finding> validate_c1(const C1& c1, const C1ValidateOptions& options = {});

}  // namespace cuzk
