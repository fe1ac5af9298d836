// MicroBench: the primitives of one backend, timed one by one and checked: transforms by their inverse, sums against known multiples
// of the generator. One for the processor, one for a GPU.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "command.h"

namespace cuzk {

struct MsmCase {
  bool g2 = false;
  bool witness =
      false;  // scalars of a witness: half are 1, one in a hundred is of full width, the others 0; else all uniform
  unsigned log_n = 0;
};

class MicroBench {
 public:
  virtual ~MicroBench() = default;

  // What it runs on.
  virtual Report device() = 0;
  // Times of single field products, for comparison with the peak of the machine; null if this backend has none.
  virtual Report products(int runs) = 0;
  // A forward and an inverse transform, and a quotient, of 2^log_n elements: log_n, transform and time of each, "ok". A size beyond
  // memory throws BenchFailure (resource_exhausted).
  virtual Report ntt(unsigned log_n, int runs) = 0;
  virtual Report msm(const MsmCase& msm_case, int runs) = 0;
};

std::unique_ptr<MicroBench> make_cpu_micro_bench();
// unavailable with the reason if this build or machine has no GPU. One of two files is built.
Result<std::unique_ptr<MicroBench>> make_cuda_micro_bench();
// By the name of the backend: "cpu" or "cuda".
Result<std::unique_ptr<MicroBench>> make_micro_bench(const std::string& backend);

// Free memory of the first GPU by its driver, where there is one.
std::optional<std::uint64_t> gpu_free_bytes();
// Name, uuid, SMs, memory, compute capability and clocks of the first GPU; {"gpu": "none: <reason>"} without one.
Report gpu_facts();

}  // namespace cuzk
