#include "server/proto_conversions.h"

#include <cuzk/v1/proving.pb.h>
#include <gtest/gtest.h>

#include <limits>

#include "server/fake_engine_test_support.h"
#include "server/text.h"

namespace cuzk {
namespace {

v1::SubmitProofRequest full_request() {
  v1::SubmitProofRequest message;
  message.set_request_id("porep-1000-7");
  message.set_proof_kind(v1::POREP_SEAL_COMMIT);
  message.set_sector_size(2048);
  message.set_registered_proof(5);
  message.set_priority(v1::LOW);
  message.set_vanilla_proof("c1");
  message.add_vanilla_proofs("first");
  message.add_vanilla_proofs("");
  message.set_sector_number(7);
  message.set_miner_id(1000);
  message.set_randomness(std::string(32, 'r'));
  message.set_partition_index(9);
  message.set_comm_r_old("old");
  message.set_comm_r_new("new");
  message.set_comm_d_new("data");
  return message;
}

// Every field of the message is filled; one that is added and forgotten here shows.
void expect_all_fields_set(const google::protobuf::Message& message) {
  const auto* reflection = message.GetReflection();
  const auto* type = message.GetDescriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    const auto* field = type->field(i);
    const bool is_set = field->is_repeated() ? reflection->FieldSize(message, field) > 0
                                             : reflection->HasField(message, field);
    EXPECT_TRUE(is_set) << field->full_name();
  }
}

TEST(ProtoConversions, RequestTakesEveryField) {
  expect_all_fields_set(full_request());
  const Result<ProofRequest> made = request_from_proto(full_request());
  ASSERT_TRUE(made.is_ok()) << made.status().to_string();
  const ProofRequest& request = made.value();
  EXPECT_EQ(request.request_id, "porep-1000-7");
  EXPECT_EQ(request.kind, ProofKind::porep);
  EXPECT_EQ(request.sector_size, 2048u);
  EXPECT_EQ(request.registered_proof, 5u);
  EXPECT_EQ(request.priority, Priority::low);
  EXPECT_EQ(request.vanilla_proof, "c1");
  EXPECT_EQ(request.vanilla_proofs, (std::vector<std::string>{"first", ""}));
  EXPECT_EQ(request.sector_number, 7u);
  EXPECT_EQ(request.miner_id, 1000u);
  EXPECT_EQ(request.randomness, std::string(32, 'r'));
  EXPECT_EQ(request.partition_index, 9u);
  EXPECT_EQ(request.comm_r_old, "old");
  EXPECT_EQ(request.comm_r_new, "new");
  EXPECT_EQ(request.comm_d_new, "data");
}

TEST(ProtoConversions, KindsAndPriorities) {
  const std::vector<std::pair<v1::ProofKind, ProofKind>> kinds = {
      {v1::POREP_SEAL_COMMIT, ProofKind::porep},
      {v1::SNAP_DEALS_UPDATE, ProofKind::update},
      {v1::WINDOW_POST_PARTITION, ProofKind::window},
      {v1::WINNING_POST, ProofKind::winning}};
  for (const auto& [wire, kind] : kinds) {
    v1::SubmitProofRequest message;
    message.set_proof_kind(wire);
    const Result<ProofRequest> request = request_from_proto(std::move(message));
    ASSERT_TRUE(request.is_ok());
    EXPECT_EQ(request.value().kind, kind);
    EXPECT_FALSE(request.value().priority.has_value());
  }
  for (int wire = 1; wire <= 4; ++wire) {
    v1::SubmitProofRequest message = full_request();
    message.set_priority(static_cast<v1::Priority>(wire));
    EXPECT_EQ(static_cast<int>(*request_from_proto(std::move(message)).value().priority), wire);
  }
}

// D32: what is not given or unknown is refused by the name of the field, with the number found.
TEST(ProtoConversions, UnknownEnumerationValuesNameTheField) {
  v1::SubmitProofRequest message = full_request();
  message.clear_proof_kind();
  Status status = request_from_proto(std::move(message)).status();
  EXPECT_EQ(status.code(), StatusCode::invalid_argument);
  EXPECT_NE(status.message().find("proof_kind is not given"), std::string::npos) << status.message();
  for (const int wrong : {5, 99, -1, std::numeric_limits<int>::max()}) {
    message = full_request();
    message.set_proof_kind(static_cast<v1::ProofKind>(wrong));
    status = request_from_proto(std::move(message)).status();
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
    EXPECT_NE(status.message().find("proof_kind is " + std::to_string(wrong)), std::string::npos);
    message = full_request();
    message.set_priority(static_cast<v1::Priority>(wrong));
    status = request_from_proto(std::move(message)).status();
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
    EXPECT_NE(status.message().find("priority is " + std::to_string(wrong)), std::string::npos);
  }
}

TEST(ProtoConversions, CompletedJob) {
  const Result<v1::AwaitProofResponse> made = ended_job_to_proto(sample_job("id", JobState::completed));
  ASSERT_TRUE(made.is_ok());
  const v1::AwaitProofResponse& message = made.value();
  EXPECT_EQ(message.job_id(), "id");
  EXPECT_EQ(message.status(), v1::AwaitProofResponse::COMPLETED);
  EXPECT_EQ(message.proof(), std::string(1920, '\x8e'));
  EXPECT_EQ(message.error_message(), "");
  EXPECT_FALSE(message.has_error());
  EXPECT_EQ(message.queue_wait_ms(), 228u);
  EXPECT_EQ(message.srs_load_ms(), 13u);
  EXPECT_EQ(message.synthesis_ms(), 60'525u);
  EXPECT_EQ(message.gpu_compute_ms(), 33'230u);
  EXPECT_EQ(message.total_ms(), 93'984u);
}

// D30, D36: all sectors at fault in a field for programs; class, phase, job and advice in the sentence for people.
TEST(ProtoConversions, FailedJobNamesEveryFinding) {
  const v1::AwaitProofResponse message = ended_job_to_proto(sample_job("id", JobState::failed)).value();
  EXPECT_EQ(message.status(), v1::AwaitProofResponse::FAILED);
  EXPECT_EQ(
      message.error_message(),
      "2 of 4 sectors do not hold: 12, 17 (not_satisfied in validate, job id; trying again will not help)");
  EXPECT_TRUE(message.proof().empty());
  EXPECT_EQ(message.error().error_class(), "not_satisfied");
  EXPECT_EQ(message.error().phase(), "validate");
  EXPECT_FALSE(message.error().retryable());
  ASSERT_EQ(message.error().findings_size(), 2);
  expect_all_fields_set(message.error().findings(0));
  EXPECT_EQ(message.error().findings(0).sector_id(), 12u);
  EXPECT_EQ(message.error().findings(0).partition(), 0u);
  EXPECT_EQ(message.error().findings(0).challenge(), 3u);
  EXPECT_EQ(message.error().findings(0).field(), "comm_r_last");
  EXPECT_EQ(message.error().findings(0).expected(), "aa");
  EXPECT_EQ(message.error().findings(0).found(), "bb");
  EXPECT_EQ(message.error().findings(1).sector_id(), 17u);
  EXPECT_FALSE(message.error().findings(1).has_challenge());
}

TEST(ProtoConversions, OtherEnds) {
  EXPECT_EQ(ended_job_to_proto(sample_job("id", JobState::cancelled)).value().status(),
            v1::AwaitProofResponse::CANCELLED);
  const v1::AwaitProofResponse waiting = waiting_job_to_proto(sample_job("id", JobState::proving), 250);
  EXPECT_EQ(waiting.status(), v1::AwaitProofResponse::TIMEOUT);
  EXPECT_EQ(waiting.error_message(),
            "after 250 ms job id is proving, 0 of 10 proofs done; it goes on, ask again");
  JobSnapshot empty = sample_job("id", JobState::completed);
  empty.proof.clear();
  EXPECT_EQ(ended_job_to_proto(empty).status().code(), StatusCode::internal);  // D32: never an empty proof
  EXPECT_EQ(ended_job_to_proto(sample_job("id", JobState::queued)).status().code(), StatusCode::internal);
}

TEST(ProtoConversions, JobInfoCarriesEveryField) {
  JobSnapshot job = sample_job("id", JobState::failed);
  job.partitions_done = 3;
  job.queue_position = 2;
  job.priority = Priority::high;
  job.error->retryable = true;
  const v1::JobInfo message = job_to_proto(job);
  expect_all_fields_set(message);
  expect_all_fields_set(message.error());
  EXPECT_EQ(message.proof_kind(), "porep");
  EXPECT_EQ(message.priority(), v1::HIGH);
  EXPECT_EQ(message.state(), "failed");
  EXPECT_EQ(message.accepted_at_ms(), job.accepted_at_ms);
  EXPECT_EQ(message.finished_at_ms(), job.finished_at_ms);
  EXPECT_DOUBLE_EQ(message.queue_ms(), 228.4);
  EXPECT_DOUBLE_EQ(message.total_ms(), 93'984);
  ASSERT_EQ(message.spans_size(), 2);
  EXPECT_EQ(message.spans(0).partition(), -1);
  EXPECT_EQ(message.spans(1).partition(), 3);
  EXPECT_EQ(message.spans(1).phase(), "msm_h");
  EXPECT_EQ(message.spans(1).worker(), 0);
  EXPECT_DOUBLE_EQ(message.spans(1).start_ms(), 61'000);
  EXPECT_DOUBLE_EQ(message.spans(1).duration_ms(), 412.7);
}

EngineStatus full_status() {
  EngineStatus status;
  status.uptime_ms = 61'900;
  status.ready = true;
  status.not_ready_because = "not asked";
  status.draining = true;
  status.host_memory = {5, 10};
  status.resident_set_bytes = 77;
  WorkerStatus cpu;
  cpu.backend = "cpu";
  WorkerStatus gpu;
  gpu.index = 1;
  gpu.backend = "cuda";
  gpu.name = "NVIDIA H200";
  gpu.uuid = "GPU-1";
  gpu.usable = false;
  gpu.unusable_because = "retired";
  gpu.memory = {3, 9};
  gpu.work_space_bytes = 2;
  gpu.memory_total_bytes = 140;
  gpu.memory_free_bytes = 90;
  gpu.job_id = "job";
  gpu.job_kind = ProofKind::window;
  gpu.partition = 4;
  gpu.phase = "msm_a";
  gpu.proofs = 8;
  gpu.faults = 2;
  gpu.busy_ms = 9.5;
  status.workers = {cpu, gpu};
  status.circuits = {
      {"porep-32g", ProofKind::porep, 32, SrsState::ready, "fine", SrsTier::warm, 47, 2, true, 3, 4, 5.5},
      {"wpost-32g", ProofKind::window, 32, SrsState::missing, "no file", SrsTier::cold, 61, 0, false, 0, 0,
       0}};
  status.kinds = {{ProofKind::porep, 1, 2, 10, 3, 4, 5}, {ProofKind::window, 6, 7, 20, 8, 9, 10}};
  return status;
}

TEST(ProtoConversions, StatusCarriesEveryField) {
  const v1::GetStatusResponse message = status_to_proto(full_status(), "1.2.3");
  expect_all_fields_set(message);
  ASSERT_EQ(message.gpus_size(), 1);  // a processor is no GPU
  v1::GPUStatus gpu = message.gpus(0);
  EXPECT_EQ(gpu.ordinal(), 0u);
  EXPECT_EQ(gpu.vram_total_bytes(), 140u);
  EXPECT_EQ(gpu.vram_free_bytes(), 90u);
  EXPECT_EQ(gpu.vram_reserved_bytes(), 3u);
  EXPECT_EQ(gpu.current_job_id(), "job");
  EXPECT_EQ(gpu.current_proof_kind(), "window");
  EXPECT_EQ(gpu.unusable_because(), "retired");
  ASSERT_EQ(message.workers_size(), 2);
  EXPECT_EQ(message.workers(0).backend(), "cpu");
  v1::WorkerInfo worker = message.workers(1);
  EXPECT_FALSE(worker.usable());
  worker.set_usable(true);
  expect_all_fields_set(worker);
  EXPECT_EQ(worker.partition(), 4);
  EXPECT_EQ(worker.proofs(), 8u);
  EXPECT_EQ(worker.faults(), 2u);
  EXPECT_EQ(worker.work_space_bytes(), 2u);
  ASSERT_EQ(message.loaded_srs_size(), 1);  // what is on disk only is not loaded
  EXPECT_EQ(message.loaded_srs(0).circuit_id(), "porep-32g");
  EXPECT_EQ(message.loaded_srs(0).tier(), v1::SRSStatus::WARM);
  EXPECT_EQ(message.loaded_srs(0).size_bytes(), 47u);
  EXPECT_EQ(message.loaded_srs(0).ref_count(), 2u);
  ASSERT_EQ(message.circuits_size(), 2);
  expect_all_fields_set(message.circuits(0));
  EXPECT_EQ(message.circuits(1).state(), "missing");
  EXPECT_EQ(message.circuits(1).reason(), "no file");
  ASSERT_EQ(message.queues_size(), 2);
  EXPECT_EQ(message.queues(1).proof_kind(), "window");
  EXPECT_EQ(message.queues(1).pending(), 6u);
  EXPECT_EQ(message.queues(1).in_progress(), 7u);
  EXPECT_EQ(message.total_proofs_completed(), 11u);
  EXPECT_EQ(message.total_proofs_failed(), 13u);
  EXPECT_EQ(message.uptime_seconds(), 61u);
  EXPECT_EQ(message.pinned_memory_bytes(), 5u);
  EXPECT_EQ(message.pinned_memory_limit_bytes(), 10u);
  EXPECT_EQ(message.resident_set_bytes(), 77u);
  EXPECT_EQ(message.version(), "1.2.3");
  EXPECT_EQ(message.not_ready_because(), "not asked");
}

// A text with bytes that are not UTF-8 could not be read by the client at all.
TEST(ProtoConversions, ForeignBytesCannotSpoilAMessage) {
  JobSnapshot job = sample_job("id", JobState::failed);
  job.error->message = "found \xff\xfe in the file";
  job.error->findings[0].found = std::string("\xc3\x28\x00", 3);
  const v1::AwaitProofResponse sent = ended_job_to_proto(job).value();
  v1::AwaitProofResponse read;
  ASSERT_TRUE(read.ParseFromString(sent.SerializeAsString()));
  EXPECT_EQ(read.error().message(), "found \uFFFD\uFFFD in the file");
  EXPECT_EQ(read.error().findings(0).found(), "\uFFFD(\uFFFD");
}

TEST(Text, WellFormedTextIsKept) {
  for (const std::string text : {"", "a", "\u00e9", "\u20ac", "\U0001F600", "line\n\ttab"})
    EXPECT_EQ(clean_utf8(text), text);
}

TEST(Text, IllFormedTextIsReplaced) {
  const std::vector<std::string> wrong = {
      "\x80",     "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80",
      "\xe2\x82", "\x01",     "\x7f"};
  for (const std::string& text : wrong) {
    const std::string clean = clean_utf8("a" + text);
    EXPECT_EQ(clean.rfind("a\uFFFD", 0), 0u) << clean;
    EXPECT_EQ(clean_utf8(clean), clean);
  }
}

TEST(Text, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(clean_utf8("abcdef", 6), "abcdef");
  EXPECT_EQ(clean_utf8("abcdefg", 6), "abc...");
  EXPECT_EQ(clean_utf8("\u20ac\u20ac\u20ac", 8), "\u20ac...");
  EXPECT_EQ(clean_ascii("a\nb\xff\u00e9", 4), "a?b?");
}

}  // namespace
}  // namespace cuzk
