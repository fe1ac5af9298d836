#include "cpu/cpu_backend.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>
#include <string>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "cpu/query_map.h"
#include "groth16/assemble.h"
#include "msm/msm.h"
#include "poly/quotient.h"
#include "r1cs/evaluate.h"

namespace cuzk {
namespace {

constexpr std::size_t kRowsPerTask = 1 << 14;

// The buffers of one proof, kept from proof to proof.
struct WorkSpace {
  explicit WorkSpace(std::size_t domain_size) : a(domain_size), b(domain_size), c(domain_size) {}

  Buffer<Fr> a, b, c;
  WitnessScalars l_scalars, a_scalars, b_scalars;
};

class CpuCircuit final : public ResidentCircuit {
 public:
  CpuCircuit(std::shared_ptr<const R1cs> r1cs, VerifyingKey vk)
      : r1cs_(std::move(r1cs)),
        vk_(std::move(vk)),
        maps_(QueryMaps::of(*r1cs_)),
        domain_(r1cs_->log_domain()),
        work_(domain_.size()) {}

  const R1cs& r1cs() const noexcept override { return *r1cs_; }
  const VerifyingKey& vk() const noexcept override { return vk_; }

  Status load(const SrsView& srs, ProgressObserver* progress);
  Result<Proof> prove(const Witness& witness, const Blinding& blinding, ProveTimings& timings);

 private:
  template <typename F>
  static Status load_query(const SrsView& srs, Query query, ProgressObserver* progress, Bases<F>& bases);
  void gather(const Witness& witness);
  std::optional<std::size_t> first_failing_row() const;
  Result<QuerySums> sum_queries(ProveTimings& timings) const;

  std::shared_ptr<const R1cs> r1cs_;
  VerifyingKey vk_;
  G1Bases h_, l_, a_, b_g1_;
  G2Bases b_g2_;
  QueryMaps maps_;
  Domain domain_;
  std::mutex mutex_;  // guards work_: one proof at a time
  WorkSpace work_;
};

template <typename F>
Status CpuCircuit::load_query(const SrsView& srs, Query query, ProgressObserver* progress, Bases<F>& bases) {
  Result<Bases<F>> loaded = Bases<F>::from_encoded(srs[query]);
  if (srs.release) srs.release(query);
  if (!loaded.is_ok()) return loaded.status().with_context(std::string("query ") + query_name(query));
  bases = std::move(loaded).value();
  if (progress != nullptr) progress->progress(query_name(query), bases.size(), bases.size());
  return Status::ok();
}

Status CpuCircuit::load(const SrsView& srs, ProgressObserver* progress) {
  CUZK_TRY(load_query(srs, Query::h, progress, h_));
  CUZK_TRY(load_query(srs, Query::l, progress, l_));
  CUZK_TRY(load_query(srs, Query::a, progress, a_));
  CUZK_TRY(load_query(srs, Query::b_g1, progress, b_g1_));
  return load_query(srs, Query::b_g2, progress, b_g2_);
}

void CpuCircuit::gather(const Witness& witness) {
  maps_.l.gather(witness, work_.l_scalars);
  maps_.a.gather(witness, work_.a_scalars);
  maps_.b.gather(witness, work_.b_scalars);
}

std::optional<std::size_t> CpuCircuit::first_failing_row() const {
  const std::size_t rows = r1cs_->num_constraints();
  std::atomic<std::size_t> first{rows};
  parallel_for(rows, kRowsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (work_.a[i] * work_.b[i] == work_.c[i]) continue;
      std::size_t known = first.load();
      while (i < known && !first.compare_exchange_weak(known, i)) {
      }
      return;
    }
  });
  if (first == rows) return std::nullopt;
  return first.load();
}

Result<QuerySums> CpuCircuit::sum_queries(ProveTimings& timings) const {
  const auto timed = [&](ProvePhase phase, auto& sum, const auto& bases, const auto& scalars) {
    CUZK_TRY(timings.check_stop());
    const PhaseTimer timer(timings, phase);
    sum = msm(bases, scalars);
    return Status::ok();
  };
  // The quotient lies in a; its last coefficient is zero and has no point.
  const std::span<const Fr> quotient_coefficients = work_.a.span().first(h_.size());
  QuerySums sums;
  CUZK_TRY(timed(ProvePhase::msm_h, sums.h, h_, quotient_coefficients));
  CUZK_TRY(timed(ProvePhase::msm_l, sums.l, l_, work_.l_scalars));
  CUZK_TRY(timed(ProvePhase::msm_a, sums.a, a_, work_.a_scalars));
  CUZK_TRY(timed(ProvePhase::msm_b_g1, sums.b_g1, b_g1_, work_.b_scalars));
  CUZK_TRY(timed(ProvePhase::msm_b_g2, sums.b_g2, b_g2_, work_.b_scalars));
  return sums;
}

Result<Proof> CpuCircuit::prove(const Witness& witness, const Blinding& blinding, ProveTimings& timings) {
  CUZK_TRY(check_dimensions(*r1cs_, witness));
  const std::lock_guard lock(mutex_);
  timings.clear();
  {
    const PhaseTimer timer(timings, ProvePhase::prep_msm);
    gather(witness);
  }
  CUZK_TRY(timings.check_stop());
  {
    const PhaseTimer timer(timings, ProvePhase::r1cs_eval);
    evaluate(*r1cs_, witness, work_.a.span(), work_.b.span(), work_.c.span());
    if (const auto row = first_failing_row()) {
      return not_satisfied("constraint " + std::to_string(*row) + " of " +
                           std::to_string(r1cs_->num_constraints()) + " does not hold: a * b != c");
    }
  }
  CUZK_TRY(timings.check_stop());
  {
    const PhaseTimer timer(timings, ProvePhase::ntt);
    quotient(domain_, work_.a.span(), work_.b.span(), work_.c.span());
  }
  CUZK_ASSIGN(const QuerySums sums, sum_queries(timings));
  const PhaseTimer timer(timings, ProvePhase::assemble);
  return assemble(vk_, sums, blinding);
}

}  // namespace

MemoryPlan CpuBackend::plan(const CircuitShape& shape) const {
  const std::uint64_t domain_bytes = sizeof(Fr) << shape.log_domain;
  std::uint64_t points = 0, most_points = 0;
  for (const Query query : kQueries) {
    const std::uint64_t bytes = query_point_bytes(query) * shape.srs[query];
    points += bytes;
    most_points = std::max(most_points, bytes);
  }
  MemoryPlan plan;
  // Points; a, b, c; the maps' masks and tables; the witness in three orders.
  plan.resident_host = points + 3 * domain_bytes + 3 * (shape.num_aux / 8 + 4 * shape.num_full) +
                       3 * (shape.num_aux / 8 + (sizeof(Fr) + 4) * shape.num_full);
  plan.load_host = most_points;  // pages of the parameter file
  // The h sum (msm/pippenger.h): scalars, entries of a window, buckets.
  plan.prove_host = domain_bytes + (std::uint64_t{16} << shape.log_domain) + (std::uint64_t{64} << 20);
  return plan;
}

Result<std::unique_ptr<ResidentCircuit>> CpuBackend::load(const SrsView& srs,
                                                          std::shared_ptr<const R1cs> r1cs,
                                                          ProgressObserver* progress) {
  CUZK_TRY(srs.counts().check_equal(SrsCounts::of(*r1cs, r1cs->densities())));
  try {
    auto circuit = std::make_unique<CpuCircuit>(std::move(r1cs), srs.vk);
    CUZK_TRY(circuit->load(srs, progress));
    return std::unique_ptr<ResidentCircuit>(std::move(circuit));
  } catch (const std::bad_alloc&) {
    return resource_exhausted("not enough memory to load the parameters");
  }
}

Result<Proof> CpuBackend::prove(ResidentCircuit& circuit, const Witness& witness, const Blinding& blinding,
                                ProveTimings& timings) {
  auto* const loaded = dynamic_cast<CpuCircuit*>(&circuit);
  if (loaded == nullptr) return invalid_argument("the circuit was not loaded by the backend cpu");
  return loaded->prove(witness, blinding, timings);
}

}  // namespace cuzk
