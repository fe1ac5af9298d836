// A recorded circuit as a file, so that it need not be recorded again: the arrays of R1cs as they stand in memory, with their
// lengths, under one SHA-256.
//
//     8   "CUZKR1CS"
//     4   version, 4 the number 0x01020304: this machine's byte order, as in all that follows
//     4   length of the label, then the label (any text: what the circuit is)
//     4   number of blocks, 4 number of coefficients
//     8x4 inputs, aux, full and constraints of the circuit
//     32  each coefficient, Montgomery limbs
//     then for each block the 10 numbers of R1csBlock in their order (4 bytes each; num_parameters last), the non-zeros of A, B
//     and C (4 each), full_aux, parameters, and for A, B and C row_end, columns, coefficients
//     32  SHA-256 of the SHA-256 of each MiB of everything before, the last one shorter: so all cores can check it
//
// The file is a cache of one program on one machine, not a format for exchange: another version or byte order is refused, not
// converted.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/status.h"
#include "r1cs/r1cs.h"

namespace cuzk {

inline constexpr std::uint32_t kR1csFileVersion = 2;
inline constexpr std::size_t kMaxR1csLabelBytes = 4096;

// Writes the circuit under a temporary name in the same folder and renames it, so that readers see all of it or nothing. It is
// not synced: after a power failure the file may be damaged, which the reader finds out. `label` has at most
// kMaxR1csLabelBytes (checked). unavailable or resource_exhausted, without a file left behind.
Status write_r1cs_file(const R1cs& r1cs, std::string_view label, const std::filesystem::path& path);

// Reads a circuit of this label. Nothing is allocated beyond the length of the file, and nothing in it is believed: lengths,
// SHA-256, and every index (R1cs::from_parts). unavailable if the file cannot be read; invalid_argument, with the reason, for
// damage and for another version, byte order or label. Uses the global thread pool.
Result<R1cs> read_r1cs_file(std::string_view label, const std::filesystem::path& path);

}  // namespace cuzk
