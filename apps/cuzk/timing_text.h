// Times of a job as text, in the same words wherever a program prints them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/job.h"
#include "groth16/backend.h"

namespace cuzk {

// The names of an engine's backends; the i-th is that of worker i.
std::vector<std::string> backend_names(std::span<const std::unique_ptr<Backend>> backends);

// What the time on these backends is called: "gpu" if all are GPUs, the name of the backend ("cpu") if it is the same for all, else "prove".
// Of none: "gpu", as the interface of the daemon calls it.
std::string device_word(std::span<const std::string> backends);

// "CUZK_TIMING phase=ntt partition=3 gpu=0 ms=412.7" by a GPU, "... partition=3 worker=0 backend=cpu ms=..." by another backend; the partition
// and the worker only where the span has one. Either number is that of the worker, whose backend is backends[worker].
std::string timing_line(const PhaseSpan& span, std::span<const std::string> backends);

}  // namespace cuzk
