// D39: what the engine says of itself adds up.
#include <numeric>
#include <thread>

#include "engine/circuit_id.h"
#include "engine/engine_jobs_test_support.h"
#include "engine/srs_manager.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)

class EngineFigures : public EngineJobs {
 protected:
  std::shared_ptr<const ProofInput> winning_input() { return parse_request(winning_request()).value(); }
};

TEST_F(EngineFigures, D39DeviceMemoryIsThatOfTheCircuitsAndOneWorkSpace) {
  const std::size_t window = CircuitShape::of(record_circuit(*find_circuit("wpost-2k").value())).num_aux;
  for (const auto& desk : {desk_, other_desk_}) {
    desk->device.name = "a device";
    desk->device.total_bytes = desk->device.free_bytes = 1000;
    desk->on_plan = [window](const CircuitShape& shape) {
      return shape.num_aux == window ? MemoryPlan{.resident_device = 800, .shared_device = 600}
                                     : MemoryPlan{.resident_device = 700, .shared_device = 500};
    };
  }
  make(2);
  EXPECT_EQ(await_job(*engine_, submit()).state, JobState::completed);
  for (const char* id : {"wpost-2k", "winning-2k"}) EXPECT_TRUE(engine_->preload(id).is_ok()) << id;
  const EngineStatus status = engine_->status();
  std::uint64_t reserved = status.host_memory.used_bytes, shown = 0;
  for (const WorkerStatus& worker : status.workers) {
    EXPECT_EQ(worker.memory.used_bytes, 1000u);
    EXPECT_EQ(worker.work_space_bytes, 600u);
    reserved += worker.memory.used_bytes;
    shown += worker.work_space_bytes;
  }
  for (const CircuitStatus& circuit : status.circuits) {
    EXPECT_EQ(circuit.evictions, 0u) << circuit.circuit_id;
    if (circuit.tier == SrsTier::hot) shown += circuit.size_bytes;
  }
  EXPECT_EQ(shown, reserved);
  for (const char* id : {"wpost-2k", "winning-2k"})
    EXPECT_TRUE(eventually([&] { return engine_->evict(id).is_ok(); })) << id;
  for (const WorkerStatus& worker : engine_->status().workers) {
    EXPECT_EQ(worker.memory.used_bytes, 0u);
    EXPECT_EQ(worker.work_space_bytes, 0u);
  }
}

// At every moment a job is in one place, and a failed one in one class.
TEST_F(EngineFigures, D39JobsAddUpAtEveryMoment) {
  desk_->on_prove = [](unsigned call) {
    return call % 3 == 0 ? not_satisfied("constraint 7 does not hold") : Status::ok();
  };
  make();
  std::atomic<bool> is_over{false};
  unsigned looks = 0;
  std::thread observer([&] {
    for (; !is_over; ++looks) {
      for (const KindCounts& kind : engine_->status().kinds) {
        EXPECT_EQ(kind.submitted,
                  kind.pending + kind.in_progress + kind.completed + kind.failed + kind.cancelled);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  std::vector<std::string> ids;
  for (int i = 0; i < 30; ++i) {
    ids.push_back(submit());
    if (i % 4 == 0) (void)engine_->cancel(ids.back());
  }
  for (const std::string& id : ids) await_job(*engine_, id);
  is_over = true;
  observer.join();
  EXPECT_GT(looks, 0u);
  const KindCounts window = counts(ProofKind::window);
  EXPECT_EQ(window.submitted, 30u);
  EXPECT_EQ(window.completed + window.failed + window.cancelled, 30u);
  const auto failed = engine_->metrics().failed;
  const std::uint64_t by_class =
      std::accumulate(failed.begin(), failed.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto& entry) { return sum + entry.second; });
  EXPECT_EQ(by_class, window.failed);
  EXPECT_EQ(engine_->metrics().total.at(ProofKind::window).count, window.completed);
}

}  // namespace
}  // namespace cuzk
