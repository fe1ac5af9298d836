#include "engine/engine_test_support.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <thread>

#include "cpu/setup.h"
#include "engine/circuit_id.h"
#include "groth16/verify.h"
#include "hash/test_scalar.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"
#include "srs/parameter_writer.h"
#include "support/slowdown.h"
#include "vanilla/post_proof_reader.h"

namespace cuzk::testing {
namespace {

constexpr const char* kRandomness = "b3929a15aefaadad1e512efabfda36bc6742d3beeeb8f8b5952440de717fe532";

std::filesystem::path fresh_folder() {
  static std::atomic<unsigned> number{0};
  const auto path = std::filesystem::temp_directory_path() /
                    ("cuzk-engine-test-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
  std::filesystem::create_directories(path);
  return path;
}

std::string raw(std::string_view hex) {
  const std::vector<std::uint8_t> bytes = from_hex(hex).value();
  return {bytes.begin(), bytes.end()};
}

void write_params(const std::string& id, const std::filesystem::path& folder) {
  const CircuitParameters& circuit = *find_circuit(id).value();
  const R1cs r1cs = record_circuit(circuit);
  ParameterWriter writer = ParameterWriter::create(parameter_paths(folder, circuit.cache_id).params).value();
  const ToxicWaste toxic{test_scalar("setup alpha"), test_scalar("setup beta"), test_scalar("setup gamma"),
                         test_scalar("setup delta"), test_scalar("setup tau")};
  const Status made = setup(r1cs, toxic, writer);
  CUZK_CHECK(made.is_ok(), made.message());
}

std::vector<PostSectorProof> window_sectors() {
  std::vector<PostSectorProof> sectors;
  const SectorShape& shape = *find_sector_shape("2KiB").value();
  for (const char* name : {"window-2KiB-1.vproof", "window-2KiB-2.vproof"}) {
    sectors.push_back(
        read_post_proof_file(std::string(CUZK_TEST_DATA) + "/" + name, shape, PostKind::window).value());
  }
  return sectors;
}

}  // namespace

ScratchFolder::ScratchFolder() : path_(fresh_folder()) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void ScratchFolder::add_params(const std::vector<std::string>& circuit_ids) const {
  for (const std::string& id : circuit_ids)
    std::filesystem::create_symlink(params_file(test_params(), id), params_file(path_, id));
}

const std::filesystem::path& test_params() {
  static const ScratchFolder folder;
  static const bool made = [] {
    write_params("winning-2k", folder.path());
    const auto window = params_file(folder.path(), "wpost-2k");
    std::filesystem::create_symlink(std::filesystem::path(CUZK_TEST_DATA) / window.filename(), window);
    return true;
  }();
  CUZK_CHECK(made, "parameters");
  return folder.path();
}

std::filesystem::path params_file(const std::filesystem::path& folder, const std::string& circuit_id) {
  return parameter_paths(folder, find_circuit(circuit_id).value()->cache_id).params;
}

std::string read_test_data(const std::string& name) {
  std::ifstream file(std::string(CUZK_TEST_DATA) + "/" + name, std::ios::binary);
  CUZK_CHECK(file.good(), name);
  return {std::istreambuf_iterator<char>(file), {}};
}

ProofRequest window_request() {
  ProofRequest request;
  request.kind = ProofKind::window;
  request.sector_size = 2048;
  request.registered_proof = 10;
  request.vanilla_proofs = {read_test_data("window-2KiB-1.vproof"), read_test_data("window-2KiB-2.vproof")};
  request.miner_id = 1000;
  request.randomness = raw(kRandomness);
  return request;
}

ProofRequest winning_request() {
  ProofRequest request;
  request.kind = ProofKind::winning;
  request.sector_size = 2048;
  request.registered_proof = 0;
  request.vanilla_proofs = {read_test_data("winning-2KiB-1.vproof")};
  request.miner_id = 1000;
  request.randomness = raw(kRandomness);
  return request;
}

ProofRequest update_request() {
  ProofRequest request;
  request.kind = ProofKind::update;
  request.sector_size = 2048;
  request.registered_proof = 0;
  request.vanilla_proofs = {read_test_data("update-2KiB-0.pproof")};
  request.miner_id = 1000;
  request.comm_d_new = raw("d8f518990230a55063c4e0c1216aab88a3de699cb091c8772f365bea3a4e5e33");
  request.comm_r_new = raw("334b6e6006a8b4017e2886ed3a2a7aeea878ff237294e23b81e34d6fa70ed01c");
  request.comm_r_old = raw("c9d01d4ba09aafb9ca154418b421962f5cb65ed8c7eb21bb19fd5cdbdd381d46");
  return request;
}

std::shared_ptr<const ProofInput> window_input(unsigned partitions) {
  const std::vector<PostSectorProof> two = window_sectors();
  std::vector<PostSectorProof> sectors;
  for (unsigned i = 0; i < partitions; ++i) sectors.insert(sectors.end(), two.begin(), two.end());
  const RegisteredPost proof = registered_post_from_number(10).value();
  return make_post_input(proof, bytes32_from_hex(kRandomness).value(), std::move(sectors)).value();
}

bool TestBackend::Desk::wait_for_prove() {
  std::unique_lock lock(mutex);
  return changed.wait_for(lock, kSlowdown * std::chrono::seconds(20), [&] { return in_prove > 0; });
}

MemoryPlan TestBackend::plan(const CircuitShape& shape) const {
  if (desk_->on_plan) return desk_->on_plan(shape);
  if (desk_->resident_bytes == 0) return cpu_.plan(shape);
  if (desk_->device.total_bytes > 0) return {.resident_device = desk_->resident_bytes};
  return {.resident_host = desk_->resident_bytes};
}

DeviceStatus TestBackend::device_status() const {
  const std::lock_guard lock(desk_->mutex);
  return desk_->device;
}

Result<std::unique_ptr<ResidentCircuit>> TestBackend::load(const SrsView& srs,
                                                           std::shared_ptr<const R1cs> r1cs,
                                                           ProgressObserver* progress) {
  unsigned call = 0;
  std::function<Status(unsigned)> on_load;
  {
    const std::lock_guard lock(desk_->mutex);
    call = desk_->loads++;
    on_load = desk_->on_load;
  }
  if (on_load) CUZK_TRY(on_load(call));
  std::this_thread::sleep_for(desk_->load_time);
  return cpu_.load(srs, std::move(r1cs), progress);
}

Result<Proof> TestBackend::known_or_new(ResidentCircuit& circuit, const Witness& witness,
                                        const Blinding& blinding, ProveTimings& timings) {
  {
    const std::lock_guard lock(known_mutex_);
    for (const auto& [inputs, proof] : known_) {
      if (inputs == witness.inputs) return proof;
    }
  }
  CUZK_ASSIGN(const Proof proof, cpu_.prove(circuit, witness, blinding, timings));
  const std::lock_guard lock(known_mutex_);
  known_.emplace_back(witness.inputs, proof);
  return proof;
}

Result<Proof> TestBackend::prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                                 ProveTimings& timings) {
  unsigned call = 0;
  std::function<Status(unsigned)> on_prove;
  std::function<bool(unsigned)> is_wrong;
  {
    const PhaseTimer timer(timings, ProvePhase::prep_msm);
    std::unique_lock lock(desk_->mutex);
    call = desk_->prove_calls++;
    on_prove = desk_->on_prove;
    is_wrong = desk_->is_wrong;
    desk_->proved.push_back(std::to_string(witness.inputs.size()));
    desk_->most_in_prove = std::max(desk_->most_in_prove, ++desk_->in_prove);
    desk_->changed.notify_all();
    for (bool stop = false; desk_->closed && !stop;) {
      desk_->changed.wait_for(lock, std::chrono::milliseconds(2));
      lock.unlock();  // the engine may ask for the device's status while it answers
      stop = !timings.check_stop().is_ok();
      lock.lock();
    }
    --desk_->in_prove;
  }
  std::this_thread::sleep_for(desk_->prove_time);
  CUZK_TRY(timings.check_stop());
  if (on_prove) CUZK_TRY(on_prove(call));
  Result<Proof> proof = known_or_new(circuit, witness, blinding, timings);
  if (proof.is_ok() && is_wrong && is_wrong(call)) proof.value().a = -proof.value().a;
  return proof;
}

void Recorder::span_ended(const JobSnapshot&, const PhaseSpan&) {}

void Recorder::job_changed(const JobSnapshot& job) {
  const std::lock_guard lock(mutex_);
  changes_[job.job_id].push_back(job_state_name(job.state));
}

void Recorder::note(Level, const std::string& text) {
  const std::lock_guard lock(mutex_);
  notes_.push_back(text);
}

std::vector<std::string> Recorder::changes(const std::string& job_id) {
  const std::lock_guard lock(mutex_);
  return changes_[job_id];
}

std::vector<std::string> Recorder::notes() {
  const std::lock_guard lock(mutex_);
  return notes_;
}

EngineConfig test_config() {
  EngineConfig config;
  config.params_dir = test_params();
  config.host_memory_limit_bytes = std::uint64_t{4} << 30;
  config.warm_up = false;
  return config;
}

std::unique_ptr<Engine> make_engine(EngineConfig config,
                                    std::vector<std::shared_ptr<TestBackend::Desk>> desks,
                                    std::unique_ptr<Journal> journal, EngineObserver* observer) {
  std::vector<std::unique_ptr<Backend>> backends;
  for (auto& desk : desks) backends.push_back(std::make_unique<TestBackend>(std::move(desk)));
  Result<std::unique_ptr<Engine>> engine =
      Engine::create(std::move(config), std::move(backends), std::move(journal), observer);
  CUZK_CHECK(engine.is_ok(), engine.status().message());
  return std::move(engine).value();
}

JobSnapshot await_job(Engine& engine, const std::string& job_id) {
  const Result<JobSnapshot> job = engine.await(job_id, kSlowdown * std::chrono::minutes(5));
  EXPECT_TRUE(job.is_ok()) << job.status().to_string();
  if (!job.is_ok()) return {};
  EXPECT_TRUE(is_final(job.value().state)) << job_state_name(job.value().state);
  return job.value();
}

Status check_proof(const JobSnapshot& job, const ProofRequest& request) {
  CUZK_ASSIGN(const std::unique_ptr<ProofInput> input, parse_request(request));
  CUZK_ASSIGN(const std::vector<Proof> proofs, decode_proofs(job.proof));
  if (proofs.size() != input->num_proofs()) return internal_error("another number of proofs");
  const auto path = parameter_paths(test_params(), input->circuit().cache_id).params;
  CUZK_ASSIGN(const ParameterFile file, ParameterFile::open(path));
  const PreparedVerifyingKey key(file.vk());
  for (std::size_t i = 0; i < proofs.size(); ++i) CUZK_TRY(verify(key, input->public_inputs(i), proofs[i]));
  return Status::ok();
}

bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 12'000 * kSlowdown; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace cuzk::testing
