// Parameters: what is said of them before a load, loads, evictions.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "engine/engine_test_support.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)
using Desk = TestBackend::Desk;

class EngineParams : public ::testing::Test {
 protected:
  void make() { engine_ = make_engine(config_, {desk_}); }
  CircuitStatus circuit(const std::string& id) {
    for (const CircuitStatus& status : engine_->status().circuits) {
      if (status.circuit_id == id) return status;
    }
    return {};
  }
  JobState prove(const ProofRequest& request) {
    const Result<Submitted> submitted = engine_->submit(request);
    EXPECT_TRUE(submitted.is_ok()) << submitted.status().to_string();
    return submitted.is_ok() ? await_job(*engine_, submitted.value().job_id).state : JobState::failed;
  }

  EngineConfig config_ = test_config();
  std::shared_ptr<Desk> desk_ = std::make_shared<Desk>();
  std::unique_ptr<Engine> engine_;
};

TEST_F(EngineParams, D01ABrokenFileIsNamedAndOtherKindsStillProve) {
  const ScratchFolder folder;
  folder.add_params({"winning-2k"});
  config_.params_dir = folder.path();
  const auto good = params_file(test_params(), "wpost-2k"), bad = params_file(folder.path(), "wpost-2k");
  const auto size = std::filesystem::file_size(good);
  make();
  for (const std::uintmax_t broken : {std::uintmax_t{0}, size / 2, size - 1, size + 1}) {
    std::filesystem::copy_file(good, bad, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(bad, broken);
    const Status refused = engine_->submit(window_request()).status();
    EXPECT_EQ(refused.code(), StatusCode::unavailable);
    EXPECT_NE(refused.message().find(bad.string()), std::string::npos) << refused.message();
    EXPECT_NE(refused.message().find(std::to_string(broken) + " bytes found"), std::string::npos)
        << refused.message();
    EXPECT_EQ(circuit("wpost-2k").state, SrsState::invalid);
    EXPECT_EQ(circuit("wpost-2k").reason, refused.message());
  }
  std::filesystem::remove(bad);
  std::filesystem::create_directory(bad);
  EXPECT_EQ(engine_->submit(window_request()).status().code(), StatusCode::unavailable);
  EXPECT_EQ(engine_->status().host_memory.used_bytes, 0u);
  EXPECT_EQ(prove(winning_request()), JobState::completed);
  // Once the file is right, so is the kind.
  std::filesystem::remove(bad);
  std::filesystem::copy_file(good, bad);
  EXPECT_EQ(prove(window_request()), JobState::completed);
  EXPECT_EQ(circuit("wpost-2k").state, SrsState::ready);
}

TEST_F(EngineParams, D01ADamagedPointIsFoundByTheLoadAndRemembered) {
  const ScratchFolder folder;
  config_.params_dir = folder.path();
  const auto bad = params_file(folder.path(), "wpost-2k");
  std::filesystem::copy_file(params_file(test_params(), "wpost-2k"), bad);
  {
    std::fstream file(bad, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-100, std::ios::end);
    file.put('\x55');
  }
  make();
  const JobSnapshot job = await_job(*engine_, engine_->submit(window_request()).value().job_id);
  ASSERT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error->code, StatusCode::unavailable);
  EXPECT_NE(job.error->message.find(bad.string()), std::string::npos);
  EXPECT_NE(job.error->message.find("b_g2"), std::string::npos) << job.error->message;
  EXPECT_EQ(engine_->submit(window_request()).status().message(), job.error->message);
  EXPECT_EQ(desk_->loads, 1u);
  EXPECT_TRUE(eventually([&] { return engine_->status().host_memory.used_bytes == 0; }));
}

TEST_F(EngineParams, D03NothingIsMadeOrSubstituted) {
  const ScratchFolder folder;
  config_.params_dir = folder.path();
  make();
  const auto wanted = params_file(folder.path(), "wpost-2k");
  // The same content under the name of another version.
  std::string other = wanted.filename().string();
  other.replace(0, 3, "v27");
  std::filesystem::create_symlink(params_file(test_params(), "wpost-2k"), folder.path() / other);
  const Status refused = engine_->submit(window_request()).status();
  EXPECT_EQ(refused.code(), StatusCode::unavailable);
  EXPECT_NE(refused.message().find(wanted.string()), std::string::npos) << refused.message();
  EXPECT_FALSE(std::filesystem::exists(wanted));
}

TEST_F(EngineParams, D04StatusListsEachKindAndMissingOnesAreRefusedAtSubmit) {
  const ScratchFolder folder;
  folder.add_params({"winning-2k"});
  config_.params_dir = folder.path();
  make();
  EXPECT_EQ(circuit("winning-2k").state, SrsState::ready);
  for (const char* id : {"porep-2k", "wpost-2k", "snap-2k"}) {
    EXPECT_EQ(circuit(id).state, SrsState::missing) << id;
    EXPECT_NE(circuit(id).reason.find(params_file(folder.path(), id).string()), std::string::npos);
  }
  EXPECT_EQ(engine_->submit(window_request()).status().code(), StatusCode::unavailable);
  EXPECT_EQ(engine_->submit(update_request()).status().code(), StatusCode::unavailable);
  EXPECT_EQ(prove(winning_request()), JobState::completed);
  EXPECT_EQ((engine_->metrics().refused.at({ProofKind::window, "unavailable"})), 1u);
}

// Parameters that were to be preloaded and are not there: not ready, until they are.
TEST_F(EngineParams, D04NotReadyWhileAPreloadFails) {
  const ScratchFolder folder;
  config_.params_dir = folder.path();
  config_.preload = {"wpost-2k"};
  Recorder recorder;
  const auto engine = make_engine(config_, {desk_}, nullptr, &recorder);
  ASSERT_TRUE(eventually([&] { return !recorder.notes().empty(); }));
  EXPECT_EQ(recorder.notes().front().find("wpost-2k cannot be preloaded: "), 0u) << recorder.notes().front();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(engine->status().ready);
  folder.add_params({"wpost-2k"});
  EXPECT_TRUE(eventually([&] { return engine->status().ready; }));
}

TEST_F(EngineParams, D05EightPreloadsAreOneLoad) {
  desk_->load_time = std::chrono::milliseconds(50);
  make();
  std::vector<std::thread> clients;
  std::atomic<int> good{0};
  for (int i = 0; i < 8; ++i) clients.emplace_back([&] { good += engine_->preload("wpost-2k").is_ok(); });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(good, 8);
  EXPECT_EQ(desk_->loads, 1u);
  EXPECT_TRUE(engine_->preload("wpost-2k").value());
  EXPECT_EQ(engine_->preload("porep-9k").status().code(), StatusCode::not_found);
  EXPECT_EQ(circuit("wpost-2k").tier, SrsTier::hot);
}

TEST_F(EngineParams, D05AnSrsInUseIsEvictedWhenItsProofIsDone) {
  make();
  desk_->close();
  const std::string id = engine_->submit(window_request()).value().job_id;
  ASSERT_TRUE(desk_->wait_for_prove());
  EXPECT_EQ(circuit("wpost-2k").users, 1u);
  EXPECT_EQ(engine_->evict("wpost-2k").status().code(), StatusCode::unavailable);
  desk_->open();
  EXPECT_EQ(await_job(*engine_, id).state, JobState::completed);
  EXPECT_TRUE(eventually([&] { return circuit("wpost-2k").tier != SrsTier::hot; }));
  EXPECT_FALSE(engine_->evict("wpost-2k").value().has_value());
  EXPECT_EQ(prove(window_request()), JobState::completed);
}

TEST_F(EngineParams, D06BothFitTwoLoads) {
  make();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(prove(window_request()), JobState::completed);
    EXPECT_EQ(prove(winning_request()), JobState::completed);
  }
  EXPECT_EQ(desk_->loads, 2u);
  EXPECT_EQ(circuit("wpost-2k").loads, 1u);
  EXPECT_EQ(circuit("wpost-2k").evictions, 0u);
}

// The device holds one circuit: winning stays, and what no longer fits beside it is refused with the numbers.
TEST_F(EngineParams, D06WinningIsNeverEvicted) {
  desk_->resident_bytes = 600;
  desk_->device.total_bytes = 1000;
  make();
  EXPECT_EQ(prove(window_request()), JobState::completed);
  EXPECT_EQ(prove(winning_request()), JobState::completed);  // evicts window
  EXPECT_EQ(circuit("wpost-2k").evictions, 1u);
  const Status refused = engine_->submit(window_request()).status();
  EXPECT_EQ(refused.code(), StatusCode::resource_exhausted);
  EXPECT_NE(refused.message().find("needs 600 bytes, the limit is 1000, of which 600"), std::string::npos)
      << refused.message();
  EXPECT_EQ(circuit("wpost-2k").state, SrsState::refused);
  EXPECT_EQ(circuit("winning-2k").tier, SrsTier::hot);
}

}  // namespace
}  // namespace cuzk
