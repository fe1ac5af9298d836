// FaultInjector: a backend that is another one, right in everything, until it is told to fail. For tests of whoever uses a
// backend: the wrong proof must be caught and made again, the lost device must be left alone. Works for every backend, so the
// same test runs with and without a GPU.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "curve/projective.h"
#include "groth16/backend.h"

namespace cuzk {

class FaultInjector final : public Backend {
 public:
  enum class Fault {
    wrong_limb,     // a bit of one limb of the sum in C has flipped: the point is off the curve
    wrong_sum,      // C lacks a term: a point of the group, and another one
    out_of_memory,  // no proof, resource_exhausted
    lost,           // the device is gone: unavailable from here on, and device_status() says so
  };

  explicit FaultInjector(std::unique_ptr<Backend> inner) : inner_(std::move(inner)) {}

  // Proofs number `after` to `after` + `count` - 1, counted from this call, have the fault. Replaces what was said before.
  void inject(Fault fault, int count = 1, int after = 0) {
    const std::lock_guard lock(mutex_);
    plan_ = Plan{fault, after, count};
  }
  // Calls of prove() so far, and how many of these had a fault.
  int num_calls() const { return locked(calls_); }
  int num_injected() const { return locked(injected_); }

  std::string_view name() const noexcept override { return inner_->name(); }
  MemoryPlan plan(const CircuitShape& shape) const override { return inner_->plan(shape); }
  DeviceStatus device_status() const override {
    DeviceStatus status = inner_->device_status();
    if (locked(lost_)) {
      status.usable = false;
      status.unusable_because = kLost;
    }
    return status;
  }
  Result<std::unique_ptr<ResidentCircuit>> load(const SrsView& srs, std::shared_ptr<const R1cs> r1cs,
                                                ProgressObserver* progress = nullptr) override {
    if (locked(lost_)) return unavailable(kLost);
    return inner_->load(srs, std::move(r1cs), progress);
  }

  Result<Proof> prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                      ProveTimings& timings) override {
    const std::optional<Fault> fault = next_fault();
    if (fault == Fault::lost) return unavailable(kLost);
    if (fault == Fault::out_of_memory) return resource_exhausted("GPU memory: needs more than is free");
    Result<Proof> proof = inner_->prove(circuit, witness, blinding, timings);
    if (proof.is_ok() && fault) corrupt(proof.value().c, *fault);
    return proof;
  }

 private:
  static constexpr const char* kLost = "the device was lost by a test";
  struct Plan {
    Fault fault;
    int after, count;
  };

  template <typename T>
  T locked(const T& value) const {
    const std::lock_guard lock(mutex_);
    return value;
  }

  std::optional<Fault> next_fault() {
    const std::lock_guard lock(mutex_);
    ++calls_;
    if (lost_) return Fault::lost;
    if (!plan_ || plan_->count == 0) return std::nullopt;
    if (plan_->after > 0) {
      --plan_->after;
      return std::nullopt;
    }
    --plan_->count;
    ++injected_;
    lost_ = plan_->fault == Fault::lost;
    return plan_->fault;
  }

  static void corrupt(G1Affine& point, Fault fault) {
    if (fault == Fault::wrong_sum) {
      point = (G1Projective(point) + G1Affine::generator()).to_affine();
      return;
    }
    Fp::Repr limbs = point.x.montgomery();
    limbs[2] ^= 1;
    point.x = Fp::from_montgomery(limbs);
  }

  std::unique_ptr<Backend> inner_;
  mutable std::mutex mutex_;
  std::optional<Plan> plan_;
  int calls_ = 0;
  int injected_ = 0;
  bool lost_ = false;
};

}  // namespace cuzk
