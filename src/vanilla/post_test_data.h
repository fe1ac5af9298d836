// The PoSt and sector-update samples of tests/data, with what the reference wrote down beside them. For tests only.
#pragma once

#include <string>
#include <vector>

#include "vanilla/post_proof_reader.h"
#include "vanilla/post_public.h"
#include "vanilla/update_proof_reader.h"
#include "vanilla/update_public.h"

namespace cuzk {

std::vector<std::uint8_t> read_test_bytes(const std::string& name);

struct PostSample {
  std::string name;      // "window-2KiB"
  PostPublic statement;  // of partition 0
  std::vector<std::string> files;
  std::vector<PostSectorProof> sectors;
  std::vector<PostSectorPublic> public_sectors;
  std::vector<std::vector<std::uint64_t>> challenges;  // per sector
  // Per partition, hexadecimal; empty if the reference made no proof of it.
  std::vector<std::vector<std::string>> public_inputs;
};
// Every sample of the reference, of the specification ("window-2k", "winning-2k"), and the real one ("post-32g").
std::vector<PostSample> post_samples();
PostSample post_sample(const std::string& name);

struct UpdateSample {
  std::string name;  // "update-2KiB"
  UpdatePublic statement;
  std::vector<std::string> files;
  std::vector<UpdatePartitionProof> partitions;
  std::vector<std::vector<std::string>> public_inputs;
};
// Every sample of the reference, and "update-2k" of the specification.
std::vector<UpdateSample> update_samples();
UpdateSample update_sample(const std::string& name);

// As in PostSample::public_inputs.
std::vector<std::string> to_hex_list(const std::vector<Fr>& values);

}  // namespace cuzk
