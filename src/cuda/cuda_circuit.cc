#include "cuda/cuda_circuit.h"

#include <algorithm>
#include <string>

#include "cuda/msm/point_loader.h"
#include "cuda/msm/points.h"

namespace cuzk::cuda {
namespace {

// One stretch of the stream's work as a phase of the proof; ends when the work has.
template <class Work>
auto timed(ProveTimings& timings, ProvePhase phase, cudaStream_t stream, Work work) {
  EventTimer timer;
  timings.start(phase);
  timer.start(stream);
  auto result = work();
  timer.stop(stream);
  timings.add(phase, timer.ms());
  return result;
}

BitVector all_ones(std::size_t n) {
  BitVector bits;
  bits.reserve(n);
  for (; n >= 64; n -= 64) bits.append(~std::uint64_t{0}, 64);
  if (n != 0) bits.append((std::uint64_t{1} << n) - 1, static_cast<unsigned>(n));
  return bits;
}

std::size_t num_bit_words(const CircuitShape& shape) noexcept {
  return (shape.num_aux + 63) / 64;
}
std::size_t num_values(const CircuitShape& shape) noexcept {
  return shape.num_inputs + shape.num_full;
}

MsmShape sparse_shape(const CircuitShape& shape, Query query) {
  return MsmShape::sparse(shape.srs[query], num_values(shape));
}

}  // namespace

struct CudaCircuit::WitnessBuffers {
  WitnessBuffers(Arena& arena, const CircuitShape& shape)
      : d_values(arena.alloc<Fr>(num_values(shape))),
        d_bits(arena.alloc<std::uint64_t>(num_bit_words(shape))) {}

  Fr* d_values;
  std::uint64_t* d_bits;
};

std::size_t CudaCircuit::resident_bytes(const CircuitShape& shape, std::size_t num_blocks) {
  return arena_bytes(shape, num_blocks) + DeviceDomain::table_bytes(shape.log_domain);
}

// What memory_ must hold.
std::size_t CudaCircuit::arena_bytes(const CircuitShape& shape, std::size_t num_blocks) {
  std::size_t bytes = DeviceR1cs::bytes(shape.r1cs_bytes, num_blocks);
  for (const Query query : kQueries) bytes += query_point_bytes(query) * shape.srs[query] + Arena::kAlignment;
  return bytes + 3 * QueryPoints::bytes(shape.num_inputs, shape.num_aux, shape.num_full);
}

// Allocates as prove() does.
std::size_t CudaCircuit::work_bytes(const CircuitShape& shape) {
  Arena arena = Arena::dry();
  const WitnessBuffers witness(arena, shape);
  const std::size_t domain = std::size_t{1} << shape.log_domain;
  {
    const Arena::Scope scope(arena);
    arena.alloc<Fr>(domain);
    {
      const Arena::Scope transforms(arena);
      for (int i = 0; i < 3; ++i) arena.alloc<Fr>(domain);
    }
    const DeviceMsm<G1Affine> msm(arena, MsmShape::dense(shape.srs[Query::h]));
  }
  for (const Query query : {Query::l, Query::a, Query::b_g1, Query::b_g2}) {
    const Arena::Scope scope(arena);
    const OnesList ones(arena, num_bit_words(shape));
    if (query == Query::b_g2) {
      const DeviceMsm<G2Affine> msm(arena, sparse_shape(shape, query));
    } else {
      const DeviceMsm<G1Affine> msm(arena, sparse_shape(shape, query));
    }
  }
  return arena.peak();
}

CudaCircuit::CudaCircuit(std::shared_ptr<const R1cs> r1cs, const CircuitShape& shape, VerifyingKey vk,
                         cudaStream_t stream)
    : r1cs_(std::move(r1cs)),
      shape_(shape),
      vk_(std::move(vk)),
      memory_(arena_bytes(shape_, r1cs_->blocks().size())) {
  for (const Query query : kQueries) {
    d_queries_[static_cast<std::size_t>(query)] =
        memory_.alloc<std::uint8_t>(query_point_bytes(query) * shape_.srs[query]);
  }
  domain_.emplace(shape_.log_domain, stream);
  matrices_.emplace(memory_, *r1cs_, stream);
  const Densities densities = r1cs_->densities();
  l_.emplace(memory_, *r1cs_, BitVector(), nullptr, stream);
  a_.emplace(memory_, *r1cs_, all_ones(r1cs_->num_inputs()), &densities.aux_in_a, stream);
  b_.emplace(memory_, *r1cs_, densities.inputs_in_b, &densities.aux_in_b, stream);
}

template <class Affine>
Affine* CudaCircuit::points(Query query) const noexcept {
  return reinterpret_cast<Affine*>(d_queries_[static_cast<std::size_t>(query)]);
}

Status CudaCircuit::load_points(const SrsView& srs, ProgressObserver* progress, cudaStream_t stream) {
  PointLoader loader(stream);
  for (const Query query : kQueries) {
    const std::size_t total = shape_.srs[query];
    const auto report = [&](std::size_t done) {
      if (progress != nullptr) progress->progress(query_name(query), done, total);
    };
    const Status status = query == Query::b_g2 ? loader.load(srs[query], points<G2Affine>(query), report)
                                               : loader.load(srs[query], points<G1Affine>(query), report);
    if (srs.release) srs.release(query);
    if (!status.is_ok()) return status.with_context(std::string("query ") + query_name(query));
  }
  return Status::ok();
}

Status CudaCircuit::compute_quotient(const WitnessBuffers& witness, Fr* d_h, Arena& work,
                                     ProveTimings& timings, cudaStream_t stream) const {
  const Arena::Scope scope(work);
  const std::size_t size = domain_->size();
  Fr* d_b = work.alloc<Fr>(size);
  Fr* d_c = work.alloc<Fr>(size);
  Fr* d_scratch = work.alloc<Fr>(size);
  const auto failing = timed(timings, ProvePhase::r1cs_eval, stream, [&] {
    return matrices_->evaluate({witness.d_values, witness.d_bits}, d_h, d_b, d_c, size, stream);
  });
  if (failing) {
    return not_satisfied("constraint " + std::to_string(*failing) + " of " +
                         std::to_string(shape_.num_constraints) + " does not hold: a * b != c");
  }
  CUZK_TRY(timings.check_stop());
  return timed(timings, ProvePhase::ntt, stream, [&] {
    if (size > 1) domain_->quotient(d_h, d_b, d_c, d_scratch, stream);
    return Status::ok();
  });
}

template <class Affine>
ProjectivePoint<typename Affine::Field> CudaCircuit::sum_query(Query query, const QueryPoints& map,
                                                               const WitnessBuffers& witness, Arena& work,
                                                               cudaStream_t stream) const {
  const Arena::Scope scope(work);
  OnesList ones(work, num_bit_words(shape_));
  DeviceMsm<Affine> msm(work, sparse_shape(shape_, query));
  const std::size_t num_ones =
      ones.list(witness.d_bits, num_bit_words(shape_), map.mask(), msm.ones(), stream);
  return msm.run(points<Affine>(query), map.scalars(witness.d_values), num_ones, stream);
}

Result<QuerySums> CudaCircuit::prove(const Witness& witness, Arena& work, Uploader& uploader,
                                     ProveTimings& timings, cudaStream_t stream) const {
  const Arena::Scope scope(work);
  const WitnessBuffers buffers(work, shape_);
  timed(timings, ProvePhase::prep_msm, stream, [&] {
    const auto upload = [&](auto* d_to, const auto& from) {
      uploader.upload(d_to, from.data(), from.size(), stream);
    };
    upload(buffers.d_values, witness.inputs);
    upload(buffers.d_values + shape_.num_inputs, witness.fulls);
    upload(buffers.d_bits, witness.bits.words());
    return true;
  });
  CUZK_TRY(timings.check_stop());
  QuerySums sums;
  {
    const Arena::Scope h_scope(work);
    Fr* d_h = work.alloc<Fr>(domain_->size());
    CUZK_TRY(compute_quotient(buffers, d_h, work, timings, stream));
    CUZK_TRY(timings.check_stop());
    sums.h = timed(timings, ProvePhase::msm_h, stream, [&] {
      const std::size_t n = shape_.srs[Query::h];
      DeviceMsm<G1Affine> msm(work, MsmShape::dense(n));
      return msm.run(points<G1Affine>(Query::h), {d_h, nullptr, nullptr, n}, 0, stream);
    });
  }
  const auto sum = [&]<class Field>(ProvePhase phase, Query query, const QueryPoints& map,
                                    ProjectivePoint<Field>& out) {
    CUZK_TRY(timings.check_stop());
    out = timed(timings, phase, stream,
                [&] { return sum_query<AffinePoint<Field>>(query, map, buffers, work, stream); });
    return Status::ok();
  };
  CUZK_TRY(sum(ProvePhase::msm_l, Query::l, *l_, sums.l));
  CUZK_TRY(sum(ProvePhase::msm_a, Query::a, *a_, sums.a));
  CUZK_TRY(sum(ProvePhase::msm_b_g1, Query::b_g1, *b_, sums.b_g1));
  CUZK_TRY(sum(ProvePhase::msm_b_g2, Query::b_g2, *b_, sums.b_g2));
  return sums;
}

}  // namespace cuzk::cuda
