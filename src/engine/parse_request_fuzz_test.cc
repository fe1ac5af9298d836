// Damaged requests (support/byte_fuzzer.h): refused with a field, or inputs that can be validated and have public inputs.
#include <gtest/gtest.h>

#include "engine/engine_test_support.h"
#include "support/allocation_watch.h"
#include "support/byte_fuzzer.h"
#include "vanilla/sector_shape.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)

// Beyond a multiple of the request: a statement's tables, and the threads that validate.
constexpr std::size_t kSlackBytes = std::size_t{4} << 20;

ProofRequest porep_request() {
  ProofRequest request;
  request.kind = ProofKind::porep;
  request.sector_size = 2048;
  request.registered_proof = 5;
  request.vanilla_proof = read_test_data("c1-2KiB-v1_1-1.json");
  request.sector_number = 1;
  request.miner_id = 1000;
  return request;
}

std::string damaged(ByteFuzzer& fuzzer, const std::string& good) {
  if (good.empty()) return std::string(fuzzer.below(40), 'x');
  const auto bytes = fuzzer.damaged({reinterpret_cast<const std::uint8_t*>(good.data()), good.size()});
  return {bytes.begin(), bytes.end()};
}

std::uint64_t any_number(ByteFuzzer& fuzzer) {
  const std::uint64_t numbers[] = {
      0, 1, 2, 5, 10, 15, 16, 0x7fffffff, 0xffffffff, std::uint64_t{1} << 40, ~std::uint64_t{0}};
  return numbers[fuzzer.below(std::size(numbers))];
}

void damage_proofs(ByteFuzzer& fuzzer, std::vector<std::string>& proofs) {
  const std::size_t which = fuzzer.below(std::max<std::size_t>(proofs.size(), 1));
  switch (fuzzer.below(4)) {
    case 0:
      proofs.insert(proofs.end(), fuzzer.below(40), proofs.empty() ? "x" : proofs[which]);
      break;
    case 1:
      proofs.resize(which);
      break;
    default:
      if (!proofs.empty()) proofs[which] = damaged(fuzzer, proofs[which]);
      break;
  }
}

void damage_once(ByteFuzzer& fuzzer, ProofRequest& request) {
  constexpr ProofKind kKinds[] = {ProofKind::porep, ProofKind::winning, ProofKind::window, ProofKind::update,
                                  ProofKind::update_poseidon};
  std::string* const texts[] = {&request.randomness, &request.comm_r_old, &request.comm_r_new,
                                &request.comm_d_new, &request.vanilla_proof};
  switch (fuzzer.below(10)) {
    case 0:
      request.kind = kKinds[fuzzer.below(std::size(kKinds))];
      break;
    case 1:
      request.sector_size = std::uint64_t{1} << fuzzer.below(64);
      break;
    case 2:
      request.registered_proof = any_number(fuzzer);
      break;
    case 3:
      request.partition_index = static_cast<std::uint32_t>(any_number(fuzzer));
      break;
    case 4:
      request.miner_id = any_number(fuzzer);
      break;
    case 5:
      request.sector_number = any_number(fuzzer);
      break;
    case 6:
    case 7:
      damage_proofs(fuzzer, request.vanilla_proofs);
      break;
    default: {
      std::string& text = *texts[fuzzer.below(std::size(texts))];
      text = damaged(fuzzer, text);
      break;
    }
  }
}

TEST(ProofRequestFuzz, DamagedRequestsAreRefusedOrUsable) {
  ByteFuzzer fuzzer(1500);
  const ProofRequest good[] = {porep_request(), window_request(), winning_request(), update_request()};
  std::size_t parsed = 0;
  while (fuzzer.next()) {
    ProofRequest request = good[fuzzer.below(std::size(good))];
    for (std::size_t changes = 1 + fuzzer.below(3); changes > 0; --changes) damage_once(fuzzer, request);
    const AllocationWatch memory;
    const Result<std::unique_ptr<ProofInput>> input = parse_request(request);
    EXPECT_LT(memory.peak_bytes(), 8 * request.memory_bytes() + kSlackBytes);
    if (!input.is_ok()) {
      EXPECT_EQ(input.status().code(), StatusCode::invalid_argument) << input.status().to_string();
      EXPECT_LT(input.status().message().size(), 500u);
      continue;
    }
    ++parsed;
    ASSERT_GE(input.value()->num_proofs(), 1u);
    input.value()->validate(true);
    const std::size_t last = input.value()->num_proofs() - 1;
    EXPECT_FALSE(input.value()->public_inputs(last).empty());
    input.value()->partition_of(last);
  }
  EXPECT_GT(parsed, fuzzer.round() / 20);
  EXPECT_LT(parsed, fuzzer.round());
}

}  // namespace
}  // namespace cuzk
