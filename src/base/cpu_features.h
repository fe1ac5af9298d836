// Which instruction sets this process uses. Every accelerated path has a portable twin with bit-identical
// results.
#pragma once

#include <string>

namespace cuzk {

struct CpuFeatures {
  bool adx;          // BMI2 mulx and ADX adcx/adox
  bool avx512_ifma;  // AVX-512 F, DQ, VL, BW and IFMA (52-bit multiply-add)
  bool sha;          // SHA-256 instructions
};

// What the processor has, less what the environment variable CUZK_CPU switches off ("portable": everything;
// "no-ifma": AVX-512 IFMA). Read once; constant afterwards.
const CpuFeatures& cpu_features() noexcept;

// For example "adx avx512_ifma sha", or "portable".
std::string describe_cpu_features();

}  // namespace cuzk
