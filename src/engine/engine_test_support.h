// What the tests of the engine share: parameters of the two small PoSt circuits, requests for them, and a backend whose timing and
// faults a test controls.
#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cpu/cpu_backend.h"
#include "engine/engine.h"

namespace cuzk::testing {

// A folder with the parameters of wpost-2k and winning-2k, made once for each test program and removed at its end.
const std::filesystem::path& test_params();
// A folder of its own that is removed with the object.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  const std::filesystem::path& path() const noexcept { return path_; }
  // Links the parameters of these circuits from test_params().
  void add_params(const std::vector<std::string>& circuit_ids) const;

 private:
  std::filesystem::path path_;
};
std::filesystem::path params_file(const std::filesystem::path& folder, const std::string& circuit_id);

std::string read_test_data(const std::string& name);
ProofRequest window_request();   // sectors 1 and 2
ProofRequest winning_request();  // sector 1
ProofRequest update_request();
// A WindowPoSt of so many partitions, each of the same two sectors.
std::shared_ptr<const ProofInput> window_input(unsigned partitions);

// The CPU backend behind a desk where a test stands. Proofs of equal witnesses are made once and then handed out again, so that a
// test of hundreds of them takes no time; every proof still goes through verification.
class TestBackend final : public Backend {
 public:
  struct Desk {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::string> proved;  // circuit ids, by number of inputs, in order of the calls
    unsigned loads = 0;
    unsigned in_prove = 0, most_in_prove = 0;
    bool closed = false;  // prove() waits between two phases until it is open, or told to stop
    std::chrono::milliseconds prove_time{0};
    std::chrono::milliseconds load_time{0};
    std::uint64_t resident_bytes = 0;                        // 0: what the CPU backend plans
    std::function<MemoryPlan(const CircuitShape&)> on_plan;  // a plan to give instead
    // Asked for each call of prove and load by its number from 0: a failure to give instead; ok: go on.
    std::function<Status(unsigned)> on_prove, on_load;
    std::function<bool(unsigned)> is_wrong;  // whether the proof of this call is damaged
    unsigned prove_calls = 0;
    DeviceStatus device;

    void open() {
      const std::lock_guard lock(mutex);
      closed = false;
      changed.notify_all();
    }
    void close() {
      const std::lock_guard lock(mutex);
      closed = true;
    }
    unsigned times_loaded() {
      const std::lock_guard lock(mutex);
      return loads;
    }
    unsigned calls() {
      const std::lock_guard lock(mutex);
      return prove_calls;
    }
    // Waits until a proof is at the desk.
    bool wait_for_prove();
  };

  explicit TestBackend(std::shared_ptr<Desk> desk) : desk_(std::move(desk)) {}
  std::string_view name() const noexcept override { return "test"; }
  MemoryPlan plan(const CircuitShape& shape) const override;
  DeviceStatus device_status() const override;
  Result<std::unique_ptr<ResidentCircuit>> load(const SrsView& srs, std::shared_ptr<const R1cs> r1cs,
                                                ProgressObserver* progress) override;
  Result<Proof> prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                      ProveTimings& timings) override;

 private:
  Result<Proof> known_or_new(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                             ProveTimings& timings);

  std::shared_ptr<Desk> desk_;
  CpuBackend cpu_;
  std::mutex known_mutex_;
  std::vector<std::pair<std::vector<Fr>, Proof>> known_;  // by inputs
};

// Keeps what the engine says.
class Recorder final : public EngineObserver {
 public:
  void span_ended(const JobSnapshot& job, const PhaseSpan& span) override;
  void job_changed(const JobSnapshot& job) override;
  void note(Level level, const std::string& text) override;
  std::vector<std::string> changes(const std::string& job_id);
  std::vector<std::string> notes();

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<std::string>> changes_;
  std::vector<std::string> notes_;
};

EngineConfig test_config();
std::unique_ptr<Engine> make_engine(EngineConfig config,
                                    std::vector<std::shared_ptr<TestBackend::Desk>> desks,
                                    std::unique_ptr<Journal> journal = nullptr,
                                    EngineObserver* observer = nullptr);
// The final job; fails the test after five minutes.
JobSnapshot await_job(Engine& engine, const std::string& job_id);
// Whether the proof is one of the request.
Status check_proof(const JobSnapshot& job, const ProofRequest& request);
// Polls until `condition` holds; false after a minute.
bool eventually(const std::function<bool()>& condition);

}  // namespace cuzk::testing
