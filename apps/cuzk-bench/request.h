// A request for proofs as the client sends it, and the typed input that it was made from, against which the proof is verified.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "circuit/proof_input.h"
#include "engine/proof_request.h"
#include "input_options.h"

namespace cuzk {

struct ClientRequest {
  ProofRequest message;
  std::shared_ptr<const ProofInput> input;
};

// A version 4 UUID (RFC 9562).
std::string random_uuid();

struct RequestOptions {
  InputOptions input;
  std::string priority;    // empty: the kind's own
  std::string request_id;  // empty: a random one for each job
  std::uint64_t sector_number = 0;

  // The input flags of `cuzk`, and those of a request.
  void add_to(CLI::App& command);
  // Reads the files. invalid_argument as InputOptions::read; also for a WindowPoSt of several partitions, which is several requests.
  Result<ClientRequest> read() const;
};

// A generated input (generated_input.h) as a request, without a request id.
Result<ClientRequest> generate_request(const std::string& kind, const std::string& sector_size,
                                       std::uint64_t seed);

}  // namespace cuzk
