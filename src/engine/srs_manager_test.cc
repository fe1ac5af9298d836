// The manager of resident circuits by itself: its figures, evictions and failures.
#include "engine/srs_manager.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "engine/book_keeper_test_support.h"
#include "engine/circuit_id.h"

namespace cuzk {
namespace {

using namespace cuzk::testing;  // NOLINT(google-build-using-namespace)
using Outcome = SrsLoad::Outcome;

const CircuitParameters& circuit(const char* id) {
  return *find_circuit(id).value();
}

class SrsManagerTest : public ::testing::Test {
 protected:
  static constexpr std::array kIds = {"wpost-2k", "wpost-4k", "wpost-16k", "winning-2k"};

  static void SetUpTestSuite() {
    folder_ = std::make_unique<ScratchFolder>();
    const CircuitCache cache(folder_->path());
    for (const char* id : kIds) {
      shapes_[id] = CircuitShape::of(cache.get(circuit(id)).r1cs);
      write_hollow_params(shapes_[id], params_file(folder_->path(), id));
    }
  }
  static void TearDownTestSuite() { folder_.reset(); }

  // `bytes` of each device; none is a processor's.
  void make(std::vector<std::uint64_t> bytes = {1000}) {
    manager_.reset();
    std::vector<SrsManager::Device> devices;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      budgets_.push_back(std::make_unique<MemoryBudget>("memory of device " + std::to_string(i), bytes[i]));
      keepers_.push_back(std::make_unique<BookKeeper>(budgets_.back().get()));
      for (const auto& [id, plan] : plans_) keepers_.back()->plans[shapes_[id].num_aux] = plan;
      devices.push_back({keepers_.back().get(), budgets_.back().get()});
    }
    manager_ = std::make_unique<SrsManager>(
        folder_->path(), folder_->path(), *host_, std::move(devices), CircuitSet(),
        [this](bool, const std::string& text) {
          const std::lock_guard lock(notes_mutex_);
          notes_.push_back(text);
        },
        SrsManager::Progress());
  }
  Outcome load(const char* id, int worker = 0) { return manager_->load(worker, circuit(id)).outcome; }
  bool is_resident(const char* id, int worker = 0) { return manager_->is_resident(worker, circuit(id)); }
  std::uint64_t evict(const char* id) { return manager_->evict(circuit(id)).value().value_or(0); }
  CircuitStatus row(const std::string& id) {
    for (const CircuitStatus& status : manager_->status()) {
      if (status.circuit_id == id) return status;
    }
    return {};
  }
  std::uint64_t constraints_bytes(const char* id) { return shapes_[id].r1cs_bytes; }

  static inline std::unique_ptr<ScratchFolder> folder_;
  static inline std::map<std::string, CircuitShape> shapes_;

  // Large, middle, small; and one that is never evicted.
  std::map<std::string, MemoryPlan> plans_ = {
      {"wpost-16k", {.resident_device = 800, .shared_device = 500, .load_device = 20}},
      {"wpost-4k", {.resident_device = 500, .shared_device = 400}},
      {"wpost-2k", {.resident_device = 300, .shared_device = 200}},
      {"winning-2k", {.resident_device = 50, .shared_device = 40}}};
  std::unique_ptr<MemoryBudget> host_ = std::make_unique<MemoryBudget>("host memory", std::uint64_t{1} << 30);
  std::vector<std::unique_ptr<MemoryBudget>> budgets_;
  std::vector<std::unique_ptr<BookKeeper>> keepers_;
  std::mutex notes_mutex_;
  std::vector<std::string> notes_;
  std::unique_ptr<SrsManager> manager_;
};

// 800 + 500 + 300 are more than 1000: only because the work space is one do they fit.
TEST_F(SrsManagerTest, D06CircuitsThatFitWithOneWorkSpaceAreResidentTogether) {
  make();
  for (const char* id : {"wpost-2k", "wpost-16k", "wpost-4k"}) {
    ASSERT_EQ(load(id), Outcome::resident) << id;
    EXPECT_EQ(budgets_[0]->used_bytes(), keepers_[0]->own() + keepers_[0]->work()) << id;
  }
  EXPECT_EQ(budgets_[0]->used_bytes(), 1000u);
  EXPECT_EQ(manager_->work_space_bytes(0), 500u);
  std::uint64_t rows = 0, evictions = 0;
  for (const CircuitStatus& status : manager_->status()) {
    if (status.tier == SrsTier::hot) rows += status.size_bytes;
    evictions += status.evictions;
  }
  EXPECT_EQ(evictions, 0u);
  EXPECT_EQ(rows + manager_->work_space_bytes(0), host_->used_bytes() + budgets_[0]->used_bytes());

  // With the largest goes what the work space was larger for: 300 of its own and 100.
  EXPECT_EQ(evict("wpost-16k"), 400 + constraints_bytes("wpost-16k"));
  EXPECT_EQ(manager_->work_space_bytes(0), 400u);
  EXPECT_EQ(budgets_[0]->used_bytes(), keepers_[0]->own() + keepers_[0]->work());
  EXPECT_EQ(budgets_[0]->free_bytes(), 400u);
  EXPECT_EQ(evict("wpost-2k"), 100 + constraints_bytes("wpost-2k"));
  EXPECT_EQ(evict("wpost-4k"), 500 + constraints_bytes("wpost-4k"));
  EXPECT_EQ(budgets_[0]->used_bytes(), 0u);
  EXPECT_EQ(host_->used_bytes(), 0u);
  EXPECT_EQ(manager_->work_space_bytes(0), 0u);
}

TEST_F(SrsManagerTest, ViewsKnowThatTheWorkSpaceIsShared) {
  const CircuitParameters& small = circuit("wpost-2k");
  for (const std::uint64_t bytes : {999, 1000}) {
    make({bytes});
    for (const char* id : {"wpost-2k", "wpost-16k", "wpost-4k"}) ASSERT_EQ(load(id), Outcome::resident);
    evict("wpost-2k");
    ASSERT_EQ(load("wpost-4k"), Outcome::resident);  // it may have made room
    EXPECT_EQ(manager_->may_fit(0, small), bytes == 1000);
    EXPECT_EQ(manager_->view(0, {&small}).fits.contains(&small), bytes == 1000);
  }
}

// The one that was not used for longest goes first, and none if that would not be enough.
TEST_F(SrsManagerTest, EvictsForTheWorkSpaceTooAndNeverInVain) {
  plans_["wpost-16k"] = {.resident_device = 700, .shared_device = 500};
  for (const std::uint64_t bytes : {760, 860}) {
    make({bytes});
    ASSERT_EQ(load("wpost-4k"), Outcome::resident);
    ASSERT_EQ(load("wpost-2k"), Outcome::resident);                    // in all 200 and a work space of 400
    ASSERT_TRUE(manager_->lease(0, circuit("wpost-4k")).has_value());  // the last one used
    if (bytes == 760) {
      // 160 are free. Without wpost-2k 260 would be, and 200 and 100 of work space are needed.
      const auto lease = manager_->lease(0, circuit("wpost-4k"));
      const SrsLoad refused = manager_->load(0, circuit("wpost-16k"));
      EXPECT_EQ(refused.outcome, Outcome::no_memory);
      EXPECT_EQ(refused.status.message(),
                "memory of device 0: wpost-16k needs 300 bytes, 160 of 760 are free");
      EXPECT_TRUE(is_resident("wpost-2k")) << "evicted in vain";
    }
    ASSERT_EQ(load("wpost-16k"), Outcome::resident);
    EXPECT_FALSE(is_resident("wpost-2k"));
    EXPECT_EQ(is_resident("wpost-4k"), bytes == 860);
    EXPECT_EQ(budgets_.back()->used_bytes(), bytes == 860 ? 800u : 700u);
  }
}

// Another program has some of the device, of which the budget knows nothing.
TEST_F(SrsManagerTest, D22EvictsWhatTheDeviceLacksIfThatHelps) {
  make({1000});
  ASSERT_EQ(load("wpost-4k"), Outcome::resident);
  const std::uint64_t before = budgets_[0]->used_bytes();
  keepers_[0]->taken_by_others = 300;  // 820 would be needed, and 700 are there
  EXPECT_EQ(load("wpost-16k"), Outcome::device_full);
  EXPECT_TRUE(is_resident("wpost-4k")) << "evicted in vain";
  EXPECT_EQ(budgets_[0]->used_bytes(), before);
  keepers_[0]->taken_by_others = 150;
  EXPECT_EQ(load("wpost-16k"), Outcome::resident);
  EXPECT_FALSE(is_resident("wpost-4k"));
  // A failure that memory does not explain evicts nothing.
  evict("wpost-16k");
  ASSERT_EQ(load("wpost-4k"), Outcome::resident);
  keepers_[0]->taken_by_others = 0;
  keepers_[0]->on_load = [] { return resource_exhausted("pinned host memory"); };
  EXPECT_EQ(load("wpost-16k"), Outcome::device_full);
  EXPECT_TRUE(is_resident("wpost-4k"));
}

TEST_F(SrsManagerTest, D06WhatIsNeverEvictedSharesItsWorkSpace) {
  plans_["winning-2k"] = {.resident_device = 500, .shared_device = 450};
  make({820});
  ASSERT_EQ(load("winning-2k"), Outcome::resident);
  // 300 of its own, 20 for the load, and a work space that is larger by 50.
  EXPECT_EQ(
      manager_->check(circuit("wpost-16k")).message(),
      "memory of device 0: wpost-16k needs 370 bytes, the limit is 820, of which 500 are taken for good");
  EXPECT_EQ(row("wpost-16k").state, SrsState::refused);
  EXPECT_EQ(load("wpost-16k"), Outcome::never_fits);
  EXPECT_EQ(load("wpost-4k"), Outcome::resident) << "100 beside 500";
  // What was refused is so no more once its reason is gone.
  evict("winning-2k");
  EXPECT_EQ(row("wpost-16k").state, SrsState::ready);
  EXPECT_EQ(row("wpost-16k").reason, "");
}

TEST_F(SrsManagerTest, D05ALoadThatFailsLeavesNothing) {
  make();
  ASSERT_EQ(load("wpost-2k"), Outcome::resident);
  const std::uint64_t host = host_->used_bytes();
  const std::map<Outcome, std::function<Status()>> failures = {
      {Outcome::device_full, [] { return resource_exhausted("GPU memory"); }},
      {Outcome::device_error, [] { return internal_error("odd"); }},
      {Outcome::device_lost, [] { return unavailable("fell off the bus"); }}};
  for (const auto& [outcome, failure] : failures) {
    keepers_[0]->on_load = [&] {
      EXPECT_EQ(budgets_[0]->used_bytes(), 920u) << "all is reserved before";
      return failure();
    };
    EXPECT_EQ(load("wpost-16k"), outcome);
    EXPECT_EQ(budgets_[0]->used_bytes(), 300u);
    EXPECT_EQ(manager_->work_space_bytes(0), 200u);
    EXPECT_EQ(host_->used_bytes(), host);
    EXPECT_EQ(manager_->constraints(circuit("wpost-16k")), nullptr);
  }
  keepers_[0]->on_load = []() -> Status { throw std::bad_alloc(); };
  EXPECT_EQ(load("wpost-16k"), Outcome::no_memory);
  EXPECT_EQ(budgets_[0]->used_bytes(), 300u);
  keepers_[0]->on_load = nullptr;
  EXPECT_EQ(load("wpost-16k"), Outcome::resident);
  EXPECT_EQ(budgets_[0]->used_bytes(), 900u);
}

// The constraints of idle circuits are all that they hold of the host, and worth an eviction where they are what is missing.
TEST_F(SrsManagerTest, ConstraintsOfIdleCircuitsMakeHostRoom) {
  make({1000, 1000});
  for (const int worker : {0, 1}) ASSERT_EQ(load("wpost-2k", worker), Outcome::resident);
  const std::uint64_t bytes = constraints_bytes("wpost-2k");
  ASSERT_EQ(host_->used_bytes(), bytes);
  const std::uint64_t all = host_->limit_bytes();
  {
    const auto lease = manager_->lease(1, circuit("wpost-2k"));
    EXPECT_FALSE(manager_->make_host_room(all, nullptr));
    EXPECT_TRUE(is_resident("wpost-2k", 0)) << "evicted in vain";
  }
  EXPECT_FALSE(manager_->make_host_room(all, &circuit("wpost-2k")));
  EXPECT_TRUE(manager_->make_host_room(all - bytes, nullptr));
  EXPECT_TRUE(is_resident("wpost-2k", 0)) << "there was room";
  EXPECT_TRUE(manager_->make_host_room(all, nullptr));
  EXPECT_EQ(host_->used_bytes(), 0u);
}

TEST_F(SrsManagerTest, ALoadThatWaitsForMemoryIsNotRecordedAgain) {
  make({850});
  ASSERT_EQ(load("wpost-16k"), Outcome::resident);
  evict("wpost-16k");
  ASSERT_EQ(load("wpost-4k"), Outcome::resident);
  const auto lease = manager_->lease(0, circuit("wpost-4k"));
  const std::uint64_t host = host_->used_bytes();
  const SrsLoad refused = manager_->load(0, circuit("wpost-16k"));
  EXPECT_EQ(refused.outcome, Outcome::no_memory);
  EXPECT_EQ(refused.record_ms, 0) << "seconds for nothing, several times a second";
  EXPECT_EQ(host_->used_bytes(), host);
  // The same for what lacks the memory for its constraints from the start.
  const Reservation rest = host_->try_reserve("the rest", host_->free_bytes()).value();
  const SrsLoad first = manager_->load(0, circuit("winning-2k")),
                again = manager_->load(0, circuit("winning-2k"));
  EXPECT_EQ(first.outcome, Outcome::no_memory);
  EXPECT_GT(first.record_ms, 0);
  EXPECT_EQ(again.outcome, Outcome::no_memory);
  EXPECT_EQ(again.record_ms, 0);
}

// A load takes long enough for a bad file to be replaced under it.
TEST_F(SrsManagerTest, D01AFileThatTookThePlaceOfABadOneIsNotToBlame) {
  make();
  const auto path = params_file(folder_->path(), "wpost-2k");
  unsigned loads = 0;
  keepers_[0]->on_load = [&] {
    ++loads;
    const auto fresh = std::filesystem::path(path).replace_extension("new");
    std::filesystem::copy_file(path, fresh);
    std::filesystem::rename(fresh, path);
    return invalid_argument("b_g2: point 7 is not on the curve");
  };
  EXPECT_EQ(load("wpost-2k"), Outcome::parameters);
  EXPECT_TRUE(manager_->check(circuit("wpost-2k")).is_ok());
  keepers_[0]->on_load = [&] {
    ++loads;
    return invalid_argument("b_g2: point 7 is not on the curve");
  };
  EXPECT_EQ(load("wpost-2k"), Outcome::parameters);
  EXPECT_EQ(load("wpost-2k"), Outcome::parameters) << "remembered";
  EXPECT_EQ(loads, 2u);
  EXPECT_EQ(manager_->check(circuit("wpost-2k")).message(),
            path.string() + ": b_g2: point 7 is not on the curve");
}

TEST_F(SrsManagerTest, ALoadThatEndsAfterItsWorkerLeftLeavesNothing) {
  make({1000, 1000});
  keepers_[0]->on_load = [&] {
    manager_->forget_worker(0);
    return Status::ok();
  };
  EXPECT_EQ(load("wpost-2k"), Outcome::device_lost);
  EXPECT_EQ(budgets_[0]->used_bytes(), 0u);
  EXPECT_EQ(host_->used_bytes(), 0u);
  keepers_[0]->on_load = nullptr;
  EXPECT_EQ(load("wpost-2k"), Outcome::device_lost);
  EXPECT_EQ(load("wpost-2k", 1), Outcome::resident);
}

TEST_F(SrsManagerTest, AWorkerThatLeftIsNoPlaceForAJob) {
  make({1000, 100});
  EXPECT_TRUE(manager_->check(circuit("wpost-16k")).is_ok());
  manager_->forget_worker(0);
  EXPECT_EQ(manager_->check(circuit("wpost-16k")).message(),
            "memory of device 1: wpost-16k needs 820 bytes, the limit is 100");
}

// Under any order of loads, proofs and evictions the budget covers what the device holds, and in the end both are empty.
TEST_F(SrsManagerTest, TheBudgetCoversTheDeviceWhateverHappens) {
  make({900});
  std::atomic<unsigned> fails{0};
  keepers_[0]->on_load = [&] { return ++fails % 7 == 0 ? resource_exhausted("now and then") : Status::ok(); };
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 60; ++i) {
      const char* const id = kIds[random() % kIds.size()];
      if (random() % 4 == 0) {
        (void)manager_->evict(circuit(id));
      } else if (manager_->load(0, circuit(id)).outcome == Outcome::resident) {
        const auto lease = manager_->lease(0, circuit(id));
        std::this_thread::yield();
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 3; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budgets_[0]->used_bytes(), keepers_[0]->own() + keepers_[0]->work());
  EXPECT_EQ(manager_->work_space_bytes(0), keepers_[0]->work());
  for (const char* id : kIds) evict(id);
  EXPECT_EQ(budgets_[0]->used_bytes(), 0u);
  EXPECT_EQ(host_->used_bytes(), 0u);
}

}  // namespace
}  // namespace cuzk
