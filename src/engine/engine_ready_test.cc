// Readiness: what keeps an engine from being ready, and that it becomes ready by itself. D04, D24.
#include <gtest/gtest.h>

#include <thread>

#include "engine/circuit_id.h"
#include "engine/engine_test_support.h"
#include "engine/srs_manager.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)
using std::chrono::milliseconds;
using Desk = TestBackend::Desk;

class EngineReady : public ::testing::Test {
 protected:
  void make() { engine_ = make_engine(config_, {desk_}, nullptr, &recorder_); }
  std::string reason() { return engine_->status().not_ready_because; }
  bool reason_comes(const std::string& part) {
    return eventually([&] { return reason().find(part) != std::string::npos; });
  }
  bool becomes_ready() {
    return eventually([&] { return engine_->status().ready; }) && reason().empty();
  }
  JobState prove(const ProofRequest& request) {
    const Result<Submitted> submitted = engine_->submit(request);
    EXPECT_TRUE(submitted.is_ok()) << submitted.status().to_string();
    return submitted.is_ok() ? await_job(*engine_, submitted.value().job_id).state : JobState::failed;
  }
  std::size_t notes_with(const std::string& part) {
    const std::vector<std::string> notes = recorder_.notes();
    return static_cast<std::size_t>(std::count_if(notes.begin(), notes.end(), [&](const std::string& note) {
      return note.find(part) != std::string::npos;
    }));
  }

  EngineConfig config_ = test_config();
  Recorder recorder_;
  std::shared_ptr<Desk> desk_ = std::make_shared<Desk>();
  std::unique_ptr<Engine> engine_;
};

TEST_F(EngineReady, D04AMissingFileIsNamedOtherKindsProveAndItsComingIsSeen) {
  const ScratchFolder folder;
  folder.add_params({"winning-2k"});
  config_.params_dir = folder.path();
  config_.preload = {"winning-2k", "wpost-2k"};
  make();
  ASSERT_TRUE(reason_comes("wpost-2k cannot be preloaded: ")) << reason();
  EXPECT_NE(reason().find(params_file(folder.path(), "wpost-2k").string()), std::string::npos) << reason();
  EXPECT_EQ(reason().find("winning"), std::string::npos) << reason();
  EXPECT_EQ(prove(winning_request()), JobState::completed);
  std::this_thread::sleep_for(milliseconds(1200));
  EXPECT_FALSE(engine_->status().ready);
  EXPECT_EQ(notes_with("wpost-2k cannot be preloaded"), 1u) << "said once";
  folder.add_params({"wpost-2k"});
  EXPECT_TRUE(becomes_ready()) << reason();
  EXPECT_EQ(prove(window_request()), JobState::completed);
  EXPECT_EQ(desk_->loads, 2u);
}

TEST_F(EngineReady, D04AJobThatLoadsTheCircuitMakesItReady) {
  const ScratchFolder folder;
  config_.params_dir = folder.path();
  config_.preload = {"wpost-2k"};
  desk_->on_load = [](unsigned call) {
    return call == 0 ? resource_exhausted("no memory: 500 bytes needed, 20 free") : Status::ok();
  };
  folder.add_params({"wpost-2k"});
  make();
  ASSERT_TRUE(reason_comes("500 bytes needed, 20 free")) << reason();
  EXPECT_FALSE(engine_->status().ready);
  EXPECT_EQ(prove(window_request()), JobState::completed);
  EXPECT_TRUE(becomes_ready()) << reason();
  EXPECT_EQ(desk_->loads, 2u);
}

// They would evict one another for ever.
TEST_F(EngineReady, CircuitsThatDoNotFitTogetherAreSaidAndNotLoadedAgainAndAgain) {
  desk_->device.name = "a device";
  desk_->device.total_bytes = desk_->device.free_bytes = 1000;
  desk_->resident_bytes = 600;
  config_.preload = {"wpost-2k", "winning-2k"};
  make();
  ASSERT_TRUE(reason_comes("wpost-2k")) << reason();
  std::this_thread::sleep_for(milliseconds(1500));
  EXPECT_FALSE(engine_->status().ready);
  EXPECT_NE(reason().find("wpost-2k"), std::string::npos) << reason();
  EXPECT_EQ(reason().find("winning-2k"), std::string::npos) << reason();
  EXPECT_EQ(desk_->loads, 2u);
}

TEST_F(EngineReady, D24AFailedWarmUpIsTriedAgain) {
  config_.warm_up = true;
  desk_->on_prove = [](unsigned call) {
    return call == 0 ? Status(StatusCode::internal, "a kernel is missing") : Status::ok();
  };
  make();
  ASSERT_TRUE(reason_comes("the warm-up of worker 0 failed: a kernel is missing")) << reason();
  EXPECT_TRUE(becomes_ready()) << reason();
  EXPECT_EQ(desk_->calls(), 2u);
}

TEST_F(EngineReady, NotReadyOnceNoWorkerIsLeft) {
  desk_->on_prove = [](unsigned) { return unavailable("fell off the bus"); };
  make();
  ASSERT_TRUE(becomes_ready()) << reason();
  EXPECT_EQ(prove(window_request()), JobState::failed);
  EXPECT_FALSE(engine_->status().ready);
  EXPECT_EQ(reason(), "no usable worker is left: fell off the bus");
}

TEST_F(EngineReady, AnEngineThatIsNotReadyEndsAtOnce) {
  const ScratchFolder folder;
  config_.params_dir = folder.path();
  config_.preload = {"wpost-2k"};
  make();
  ASSERT_TRUE(reason_comes("cannot be preloaded")) << reason();
  const auto begin = std::chrono::steady_clock::now();
  engine_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

}  // namespace
}  // namespace cuzk
