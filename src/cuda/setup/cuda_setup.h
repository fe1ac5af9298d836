// The setup of test parameters with the points made by one GPU; the same bytes as the processor's (cpu/setup.h).
//
// The scalars are computed by the processor (groth16/setup_scalars.h): they are sums over the constraints of a circuit, bound
// by memory. Then the points go through three buffers in turn: while the processor writes one chunk, the device makes the next
// two.
//
// Never for production: whoever knows the scalars can forge proofs.
#pragma once

#include "base/status.h"
#include "cuda/runtime/device_info.h"
#include "groth16/prove_timings.h"
#include "groth16/setup.h"
#include "r1cs/r1cs.h"

namespace cuzk::cuda {

// Bytes of encoded points in a buffer: 2^19 points of G1 or 2^18 of G2, some thirty times what an H200 has in work at once.
inline constexpr std::size_t kSetupChunkBytes = std::size_t{48} << 20;

// What a setup takes of the device's memory, whatever the circuit's size (480 MiB), and of pinned host memory (192 MiB).
std::size_t setup_device_bytes(std::size_t chunk_bytes = kSetupChunkBytes) noexcept;
std::size_t setup_pinned_bytes(std::size_t chunk_bytes = kSetupChunkBytes) noexcept;

// Streams the parameters into `sink` in file order, from the calling thread, and makes the device current for it. `device` is
// one of list_devices(). Uses all threads. Host memory besides the circuit: that of SetupScalars and the pinned bytes. `progress`
// may be null; its steps are "qap" and the names of the queries. `chunk_bytes` is the size of a buffer: a multiple of 192.
//   invalid_argument    as SetupScalars::compute; the sink is not touched then
//   resource_exhausted  device or host memory is too small
//   internal            the device failed
//   otherwise           what the sink says
Status setup(const R1cs& r1cs, const ToxicWaste& toxic, SrsSink& sink, ProgressObserver* progress,
             const DeviceInfo& device, std::size_t chunk_bytes = kSetupChunkBytes);

}  // namespace cuzk::cuda
