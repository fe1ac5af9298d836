// Memory of messages: from their receipt to the end of the job, within the budget, back to zero (D09).
#include <algorithm>
#include <random>
#include <thread>

#include "engine/engine_jobs_test_support.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)

class EngineMessages : public EngineJobs {
 protected:
  std::uint64_t used() { return engine_->status().host_memory.used_bytes; }
  std::uint64_t limit() { return engine_->status().host_memory.limit_bytes; }
  CircuitStatus circuit(const std::string& id) {
    for (const CircuitStatus& circuit : engine_->status().circuits) {
      if (circuit.circuit_id == id) return circuit;
    }
    return {};
  }
  void expect_all_given_back() {
    for (const char* id : {"wpost-2k", "winning-2k"})
      EXPECT_TRUE(eventually([&] { return engine_->evict(id).is_ok(); }));
    EXPECT_TRUE(eventually([&] { return used() == 0; })) << used();
    // Nothing counts as on its way either.
    EXPECT_TRUE(engine_->reserve_message(limit() / 2).is_ok());
  }
};

TEST_F(EngineMessages, TwiceTheBytesAreReservedUntilTheyAreDropped) {
  make();
  {
    Result<MessageMemory> memory = engine_->reserve_message(1000);
    ASSERT_TRUE(memory.is_ok());
    EXPECT_EQ(used(), 2000u);
    MessageMemory moved = std::move(memory).value();
    moved.shrink_to(300);
    EXPECT_EQ(used(), 600u);
    EXPECT_EQ(moved.bytes(), 300u);
    moved = engine_->reserve_message(50).value();
    EXPECT_EQ(used(), 100u);
  }
  expect_all_given_back();
}

TEST_F(EngineMessages, WhatComesWithTheRequestIsUsed) {
  make();
  engine_->drain();  // nothing is loaded meanwhile
  const ProofRequest request = window_request();
  MessageMemory memory = engine_->reserve_message(1'000'000).value();
  EXPECT_EQ(engine_->submit(request, std::move(memory)).status().code(), StatusCode::unavailable);
  EXPECT_EQ(used(), 0u);
  engine_->undrain();
  memory = engine_->reserve_message(request.memory_bytes() + 1).value();
  const Result<Submitted> submitted = engine_->submit(request, std::move(memory));
  ASSERT_TRUE(submitted.is_ok()) << submitted.status().to_string();
  EXPECT_EQ(await_job(*engine_, submitted.value().job_id).state, JobState::completed);
  expect_all_given_back();
}

TEST_F(EngineMessages, ABadRequestGivesItsMemoryBack) {
  make();
  ProofRequest request = window_request();
  request.vanilla_proofs[1].pop_back();
  for (const std::uint64_t reserved : {std::uint64_t{10}, 2 * request.memory_bytes()}) {
    EXPECT_EQ(engine_->submit(request, engine_->reserve_message(reserved).value()).status().code(),
              StatusCode::invalid_argument);
    EXPECT_FALSE(engine_->validate(request, engine_->reserve_message(reserved).value()).is_ok());
    EXPECT_EQ(used(), 0u);
  }
  expect_all_given_back();
}

TEST_F(EngineMessages, NoRoomIsSaidWithNeededFreeAndLimit) {
  config_.host_memory_limit_bytes = 1000;
  make();
  const MessageMemory held = engine_->reserve_message(300).value();
  const Status message = engine_->reserve_message(401).status();
  EXPECT_EQ(message.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(message.message(), "host memory: a message needs 401 bytes, 400 of 1000 are free");
  const Status input = engine_->reserve_message(201).status();
  EXPECT_EQ(input.message(),
            "host memory: what is parsed from a message needs 201 bytes, 199 of 1000 are free");
  EXPECT_EQ(used(), 600u);
  EXPECT_TRUE(engine_->reserve_message(200).is_ok());
  engine_->count_refused(ProofKind::window, message.code());
  const auto refused = engine_->metrics().refused;
  EXPECT_EQ(refused.at({ProofKind::window, "resource_exhausted"}), 1u);
}

TEST_F(EngineMessages, IdleCircuitsMakeRoomThoseInUseDoNot) {
  make();
  EXPECT_EQ(await_job(*engine_, submit()).state, JobState::completed);
  ASSERT_TRUE(eventually([&] { return circuit("wpost-2k").users == 0; }));
  desk_->close();
  const std::string id = submit();
  ASSERT_TRUE(desk_->wait_for_prove());
  EXPECT_EQ(engine_->reserve_message(limit() / 2).status().code(), StatusCode::resource_exhausted);
  EXPECT_EQ(circuit("wpost-2k").evictions, 0u);
  desk_->open();
  EXPECT_EQ(await_job(*engine_, id).state, JobState::completed);
  EXPECT_TRUE(eventually([&] { return engine_->reserve_message(limit() / 2).is_ok(); }));
  EXPECT_EQ(circuit("wpost-2k").evictions, 1u);
}

// The job that waits could never be loaded otherwise.
TEST_F(EngineMessages, RoomIsLeftForTheCircuitsOfTheQueue) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  config_.max_circuits = 1;
  make();
  desk_->close();
  const std::string first = submit();
  ASSERT_TRUE(desk_->wait_for_prove());
  const auto most = [&] {
    std::uint64_t bytes = 0;
    for (std::uint64_t step = limit(); step > kMiB / 4; step /= 2)
      if (engine_->reserve_message(bytes + step).is_ok()) bytes += step;
    return bytes;
  };
  const std::uint64_t before = most();
  const Result<Submitted> second = engine_->submit(winning_request());
  ASSERT_TRUE(second.is_ok()) << second.status().to_string();
  const std::uint64_t left = most();
  EXPECT_LT(left + 4 * kMiB, before);
  const Status refused = engine_->reserve_message(left + kMiB).status();
  EXPECT_EQ(refused.code(), StatusCode::resource_exhausted);
  EXPECT_NE(refused.message().find("winning-2k needs"), std::string::npos) << refused.message();
  // Also if the bytes come in two.
  const Result<MessageMemory> half = engine_->reserve_message(left / 2);
  ASSERT_TRUE(half.is_ok()) << half.status().to_string();
  EXPECT_FALSE(engine_->reserve_message(left / 2 + kMiB).is_ok());
  desk_->open();
  for (const std::string& id : {first, second.value().job_id})
    EXPECT_EQ(await_job(*engine_, id).state, JobState::completed);
}

TEST_F(EngineMessages, D09AFloodStaysWithinTheLimitAndComesBackToZero) {
  config_.max_jobs = 8;
  make();
  const ProofRequest request = window_request();
  const std::uint64_t bytes = request.memory_bytes();
  std::atomic<std::uint64_t> held{0};
  std::atomic<int> accepted{0}, wrong{0}, over{0};
  std::vector<std::thread> clients;
  for (unsigned i = 0; i < 8; ++i) {
    clients.emplace_back([&, i] {
      std::mt19937 random(i);
      for (int round = 0; round < 40; ++round) {
        const std::uint64_t wanted = bytes + random() % (limit() / 6);
        Result<MessageMemory> memory = engine_->reserve_message(wanted);
        if (!memory.is_ok()) {
          wrong += memory.status().code() != StatusCode::resource_exhausted;
          continue;
        }
        over += (held += 2 * wanted) > limit();
        std::this_thread::yield();
        held -= 2 * wanted;
        if (round % 8 == 0) accepted += engine_->submit(request, std::move(memory).value()).is_ok();
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(over, 0);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(accepted, 0);
  EXPECT_TRUE(engine_->wait_idle(std::chrono::seconds(60)));
  expect_all_given_back();
}

}  // namespace
}  // namespace cuzk
