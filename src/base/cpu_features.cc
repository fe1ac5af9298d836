#include "base/cpu_features.h"

#include <cpuid.h>

#include <cstdlib>
#include <cstring>

namespace cuzk {
namespace {

CpuFeatures detect() noexcept {
  CpuFeatures features{};
  const char* limit = std::getenv("CUZK_CPU");
  if (limit != nullptr && std::strcmp(limit, "portable") == 0) return features;
  __builtin_cpu_init();
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  const bool leaf7 = __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0;
  features.adx = leaf7 && __builtin_cpu_supports("bmi2") && (ebx & bit_ADX) != 0;
  features.sha = leaf7 && __builtin_cpu_supports("sse4.1") && (ebx & bit_SHA) != 0;
  features.avx512_ifma = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512ifma");
  if (limit != nullptr && std::strcmp(limit, "no-ifma") == 0) features.avx512_ifma = false;
  return features;
}

}  // namespace

const CpuFeatures& cpu_features() noexcept {
  static const CpuFeatures features = detect();
  return features;
}

std::string describe_cpu_features() {
  const CpuFeatures& features = cpu_features();
  std::string text;
  const auto append = [&](bool has, const char* name) {
    if (has) text += (text.empty() ? "" : " ") + std::string(name);
  };
  append(features.adx, "adx");
  append(features.avx512_ifma, "avx512_ifma");
  append(features.sha, "sha");
  return text.empty() ? "portable" : text;
}

}  // namespace cuzk
