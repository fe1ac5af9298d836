// D17, D32: what is wrong with a request is said with the field and both values.
#include "engine/proof_request.h"

#include <gtest/gtest.h>

#include "engine/circuit_id.h"
#include "engine/engine_test_support.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)

void expect_refused(const ProofRequest& request, const std::vector<std::string>& mentions) {
  const Status status = parse_request(request).status();
  EXPECT_EQ(status.code(), StatusCode::invalid_argument) << status.to_string();
  for (const std::string& mention : mentions)
    EXPECT_NE(status.message().find(mention), std::string::npos) << status.message();
}

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

TEST(ProofRequest, GoodOnesAreParsed) {
  for (const ProofRequest& request :
       {porep_request(), window_request(), winning_request(), update_request()}) {
    const Result<std::unique_ptr<ProofInput>> input = parse_request(request);
    ASSERT_TRUE(input.is_ok()) << input.status().to_string();
    EXPECT_EQ(input.value()->circuit().kind, request.kind);
    EXPECT_TRUE(input.value()->validate(false).empty());
  }
}

TEST(ProofRequest, D17OnlyTheRightNumberIsAccepted) {
  for (const ProofRequest& good : {porep_request(), window_request(), winning_request(), update_request()}) {
    for (std::uint64_t number = 0; number <= 30; ++number) {
      ProofRequest request = good;
      request.registered_proof = number;
      // Both API versions of WindowPoSt have one form.
      const bool is_right =
          number == good.registered_proof || (good.kind == ProofKind::window && number == 5);
      EXPECT_EQ(parse_request(request).is_ok(), is_right) << proof_kind_name(good.kind) << " " << number;
    }
  }
}

TEST(ProofRequest, D17MixedSizesAndKindsNameBothValues) {
  ProofRequest request = porep_request();
  request.sector_size = std::uint64_t{32} << 30;
  expect_refused(request, {"sector_size is 34359738368", "2048"});
  request.registered_proof = 8;
  expect_refused(request, {"StackedDrg2KiBV1_1", "StackedDrg32GiBV1_1"});
  request = porep_request();
  request.registered_proof = 0;
  expect_refused(request, {"StackedDrg2KiBV1_1", "StackedDrg2KiBV1"});
  request = porep_request();
  request.sector_number = 7;
  expect_refused(request, {"SectorNum is 1", "7"});
  request = window_request();
  request.vanilla_proofs = winning_request().vanilla_proofs;
  expect_refused(request, {"vanilla_proofs[0]"});
  request = window_request();
  request.kind = ProofKind::update_poseidon;
  expect_refused(request, {"update-poseidon"});
}

TEST(ProofRequest, D32EmptyThingsNameTheField) {
  ProofRequest request = porep_request();
  for (const char* text : {"", "{}", "[]", "null"}) {
    request.vanilla_proof = text;
    expect_refused(request, {"vanilla_proof"});
  }
  for (const ProofRequest& good : {window_request(), winning_request(), update_request()}) {
    request = good;
    request.vanilla_proofs.clear();
    expect_refused(request, {"vanilla_proofs: none found"});
    request.vanilla_proofs = {""};
    expect_refused(request, {"vanilla_proofs[0]: 0 bytes"});
    request = good;
    request.vanilla_proof = "x";
    expect_refused(request, {"vanilla_proof: 1 bytes"});
  }
  request = update_request();
  request.vanilla_proofs.push_back(request.vanilla_proofs.front());
  expect_refused(request, {"2", "1 wanted"});
  request = winning_request();
  request.vanilla_proofs.push_back(request.vanilla_proofs.front());
  expect_refused(request, {"2 sectors", "1"});
  for (const std::size_t length : {0, 31, 33}) {
    request = window_request();
    request.randomness.resize(length);
    expect_refused(request, {"randomness: " + std::to_string(length) + " bytes found, 32 wanted"});
    request = update_request();
    request.comm_d_new.resize(length);
    expect_refused(request, {"comm_d_new", "32 wanted"});
  }
}

TEST(ProofRequest, TheDigestIsOfTheContentAlone) {
  const ProofRequest request = window_request();
  ProofRequest same = request;
  same.request_id = "x";
  same.priority = Priority::low;
  EXPECT_EQ(request.content_digest(), same.content_digest());
  ProofRequest moved = request;  // the same bytes, cut elsewhere
  moved.vanilla_proofs[1].insert(0, 1, moved.vanilla_proofs[0].back());
  moved.vanilla_proofs[0].pop_back();
  EXPECT_NE(request.content_digest(), moved.content_digest());
  ProofRequest numbered = request;
  numbered.partition_index = 1;
  EXPECT_NE(request.content_digest(), numbered.content_digest());
  EXPECT_GE(request.memory_bytes(), request.vanilla_proofs[0].size() + request.vanilla_proofs[1].size());
}

TEST(CircuitId, NamesComeBack) {
  for (const CircuitParameters& circuit : all_circuit_parameters())
    EXPECT_EQ(find_circuit(circuit_id(circuit)).value(), &circuit);
  EXPECT_EQ(circuit_id(*find_circuit("porep-32g").value()), "porep-32g");
  EXPECT_EQ(find_circuit("wpost-512m").value()->shape->size_bytes, std::uint64_t{512} << 20);
  for (const char* id : {"", "porep", "porep-33g", "PoRep-32g", "porep-32g "})
    EXPECT_EQ(find_circuit(id).status().code(), StatusCode::not_found) << id;
}

}  // namespace
}  // namespace cuzk
