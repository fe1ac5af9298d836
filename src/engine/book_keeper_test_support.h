// What the tests of SrsManager share: a backend that takes no memory but keeps the books of a device, so that a test can hold a budget to
// them; and parameters without points for it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "engine/engine_test_support.h"
#include "engine/memory_budget.h"
#include "groth16/backend.h"
#include "srs/parameter_file.h"

namespace cuzk::testing {

// Parameters of the right lengths, whose points are holes of the file.
inline void write_hollow_params(const CircuitShape& shape, const std::filesystem::path& path) {
  const auto real = std::string(CUZK_TEST_DATA) + "/" + params_file("", "wpost-2k").filename().string();
  VerifyingKey vk = ParameterFile::open(real).value().vk();
  vk.ic.resize(shape.num_inputs, vk.ic.front());
  std::ofstream file(path, std::ios::binary);
  const std::vector<std::uint8_t> head = vk.encode();
  file.write(reinterpret_cast<const char*>(head.data()), static_cast<std::streamsize>(head.size()));
  std::uint64_t end = head.size();
  for (const Query query : kQueries) {
    const std::uint64_t count = shape.srs[query];
    file.seekp(static_cast<std::streamoff>(end));
    for (const int shift : {24, 16, 8, 0}) file.put(static_cast<char>(count >> shift));
    end += 4 + count * query_point_bytes(query);
  }
  file.close();
  std::filesystem::resize_file(path, end);
  CUZK_CHECK(ParameterFile::open(path, shape.srs).is_ok(), path.string());
}

// A device as CudaBackend uses one: circuits with a part of their own, and a work space as large as the largest of theirs.
class BookKeeper final : public Backend {
 public:
  explicit BookKeeper(MemoryBudget* budget) : budget_(budget) {}
  std::string_view name() const noexcept override { return "books"; }
  MemoryPlan plan(const CircuitShape& shape) const override { return plans.at(shape.num_aux); }
  DeviceStatus device_status() const override {
    const std::lock_guard lock(mutex_);
    DeviceStatus status;
    status.name = "books";
    status.total_bytes = total();
    status.free_bytes = total() - taken();
    return status;
  }
  Result<std::unique_ptr<ResidentCircuit>> load(const SrsView& srs, std::shared_ptr<const R1cs> r1cs,
                                                ProgressObserver*) override;
  Result<Proof> prove(ResidentCircuit&, const Witness&, const Blinding&, ProveTimings&) override {
    return internal_error("makes no proofs");
  }
  // What the circuits take, the work space apart; and it.
  std::uint64_t own() {
    const std::lock_guard lock(mutex_);
    return own_;
  }
  std::uint64_t work() {
    const std::lock_guard lock(mutex_);
    return largest_work();
  }

  std::map<std::size_t, MemoryPlan> plans;  // by number of aux variables
  std::function<Status()> on_load;          // a failure to give instead, in the middle of a load
  std::uint64_t taken_by_others = 0;        // by other programs, of which the budget knows nothing

 private:
  class Loaded;
  // The mutex is held.
  std::uint64_t total() const { return budget_->limit_bytes(); }
  std::uint64_t largest_work() const { return work_.empty() ? 0 : *work_.rbegin(); }
  std::uint64_t taken() const { return own_ + largest_work() + taken_by_others; }
  void expect_backed(std::uint64_t on_top) const {
    EXPECT_LE(own_ + largest_work() + on_top, budget_->used_bytes()) << "taken and not reserved";
  }

  MemoryBudget* const budget_;
  mutable std::mutex mutex_;
  std::uint64_t own_ = 0;
  std::multiset<std::uint64_t> work_;
};

class BookKeeper::Loaded final : public ResidentCircuit {
 public:
  // The keeper's mutex is held.
  Loaded(BookKeeper& keeper, std::shared_ptr<const R1cs> r1cs, VerifyingKey vk, const MemoryPlan& plan)
      : keeper_(keeper), r1cs_(std::move(r1cs)), vk_(std::move(vk)), plan_(plan) {
    keeper_.own_ += plan_.resident_device - plan_.shared_device;
    keeper_.work_.insert(plan_.shared_device);
  }
  ~Loaded() override {
    const std::lock_guard lock(keeper_.mutex_);
    keeper_.expect_backed(0);
    keeper_.own_ -= plan_.resident_device - plan_.shared_device;
    keeper_.work_.erase(keeper_.work_.find(plan_.shared_device));
  }
  const R1cs& r1cs() const noexcept override { return *r1cs_; }
  const VerifyingKey& vk() const noexcept override { return vk_; }

 private:
  BookKeeper& keeper_;
  const std::shared_ptr<const R1cs> r1cs_;
  const VerifyingKey vk_;
  const MemoryPlan plan_;
};

inline Result<std::unique_ptr<ResidentCircuit>> BookKeeper::load(const SrsView& srs,
                                                                 std::shared_ptr<const R1cs> r1cs,
                                                                 ProgressObserver*) {
  if (on_load) CUZK_TRY(on_load());
  const MemoryPlan plan = plans.at(r1cs->num_aux());
  const std::lock_guard lock(mutex_);
  const std::uint64_t work = std::max(plan.shared_device, largest_work()) - largest_work();
  if (taken() + plan.resident_device - plan.shared_device + plan.load_device + work > total())
    return resource_exhausted("the device has too little memory");
  auto loaded = std::make_unique<Loaded>(*this, std::move(r1cs), srs.vk, plan);
  expect_backed(plan.load_device);
  return std::unique_ptr<ResidentCircuit>(std::move(loaded));
}

}  // namespace cuzk::testing
