// The contract itself under test: backends that are wrong in one way each must fail it.
#include <gtest/gtest.h>

#include <mutex>
#include <optional>
#include <string_view>

#include "contract/contract.h"
#include "cpu/cpu_backend.h"

namespace cuzk::contract {
namespace {

enum class Fault {
  none,
  other_name,
  negated_c,
  wrong_for_33_constraints,  // one size only
  wrong_second_proof,        // of one circuit
  same_blinding_always,
  accepts_unsatisfied,        // hands out an earlier proof instead of refusing
  wrong_code_for_dimensions,  // internal where invalid_argument is due
  no_timings,
};

// The CPU backend behind a fault.
class FaultyBackend final : public Backend {
 public:
  explicit FaultyBackend(Fault fault) : fault_(fault) {}

  std::string_view name() const noexcept override {
    return fault_ == Fault::other_name ? "gpu" : inner_.name();
  }
  MemoryPlan plan(const CircuitShape& shape) const override { return inner_.plan(shape); }
  Result<std::unique_ptr<ResidentCircuit>> load(const SrsView& srs, std::shared_ptr<const R1cs> r1cs,
                                                ProgressObserver* progress) override {
    return inner_.load(srs, std::move(r1cs), progress);
  }

  Result<Proof> prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                      ProveTimings& timings) override {
    const std::lock_guard lock(mutex_);
    const Blinding used = fault_ == Fault::same_blinding_always ? Blinding{Fr::one(), Fr::one()} : blinding;
    Result<Proof> proof = inner_.prove(circuit, witness, used, timings);
    if (fault_ == Fault::no_timings) timings.clear();
    if (!proof.is_ok()) {
      if (fault_ == Fault::wrong_code_for_dimensions) return internal_error(proof.status().message());
      if (fault_ == Fault::accepts_unsatisfied && last_) return *last_;
      return proof;
    }
    ++proofs_;
    last_ = proof.value();
    if (is_wrong(circuit)) proof.value().c = -proof.value().c;
    return proof;
  }

 private:
  bool is_wrong(const ResidentCircuit& circuit) const {
    return fault_ == Fault::negated_c || (fault_ == Fault::wrong_second_proof && proofs_ == 2) ||
           (fault_ == Fault::wrong_for_33_constraints && circuit.r1cs().num_constraints() == 33);
  }

  CpuBackend inner_;
  Fault fault_;
  std::mutex mutex_;
  int proofs_ = 0;
  std::optional<Proof> last_;
};

Status run(std::string_view name, Fault fault) {
  const Subject subject{"cpu", [fault] { return std::make_unique<FaultyBackend>(fault); }};
  for (const Case& contract_case : cases()) {
    if (contract_case.name == name) return contract_case.run(subject);
  }
  ADD_FAILURE() << "no case " << name;
  return Status::ok();
}

struct FaultAndCase {
  Fault fault;
  const char* failing_case;
};

class ContractSuite : public testing::TestWithParam<FaultAndCase> {};

TEST_P(ContractSuite, FailsWithTheFaultOnly) {
  const auto& [fault, name] = GetParam();
  EXPECT_FALSE(run(name, fault).is_ok());
  const Status without = run(name, Fault::none);
  EXPECT_TRUE(without.is_ok()) << without.message();
}

constexpr FaultAndCase kFaults[] = {
    {Fault::other_name, "constraints_1"},
    {Fault::negated_c, "constraints_1"},
    {Fault::wrong_for_33_constraints, "constraints_33"},
    {Fault::wrong_second_proof, "reuse"},
    {Fault::same_blinding_always, "constraints_1"},
    {Fault::accepts_unsatisfied, "unsatisfied_witness"},
    {Fault::wrong_code_for_dimensions, "witness_of_another_circuit"},
    {Fault::no_timings, "timings_and_progress"},
};
INSTANTIATE_TEST_SUITE_P(Faults, ContractSuite, testing::ValuesIn(kFaults));

}  // namespace
}  // namespace cuzk::contract
