#include "cpu/setup.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "cpu/qap.h"
#include "curve/projective.h"
#include "msm/fixed_base.h"

namespace cuzk {
namespace {

constexpr std::size_t kPointsPerChunk = 1 << 17;
constexpr std::size_t kScalarsPerTask = 1 << 12;

// Everything a setup knows before it makes points. Columns are inputs, then aux.
struct SetupScalars {
  std::vector<Fr> a;
  std::vector<Fr> b;
  std::vector<Fr> combined;              // beta a_i + alpha b_i + c_i
  std::vector<std::uint32_t> a_columns;  // those with a point in query a
  std::vector<std::uint32_t> b_columns;  // and in b_g1, b_g2
};

void combine(const ToxicWaste& toxic, const SetupScalars& scalars, std::span<Fr> c) {
  parallel_for(c.size(), kScalarsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) c[i] += toxic.beta * scalars.a[i] + toxic.alpha * scalars.b[i];
  });
}

SetupScalars compute_scalars(const R1cs& r1cs, const ToxicWaste& toxic, const Densities& densities,
                             ProgressObserver* progress) {
  const auto done = [&](std::uint64_t steps) {
    if (progress != nullptr) progress->progress("qap", steps, 4);
  };
  SetupScalars scalars;
  const std::vector<Fr> lagrange = lagrange_at(toxic.tau, r1cs.log_domain(), r1cs.num_domain_rows());
  done(1);
  scalars.a = column_sums(r1cs, Matrix::a, lagrange);
  done(2);
  scalars.b = column_sums(r1cs, Matrix::b, lagrange);
  done(3);
  scalars.combined = column_sums(r1cs, Matrix::c, lagrange);
  combine(toxic, scalars, scalars.combined);
  done(4);

  const auto num_inputs = static_cast<std::uint32_t>(r1cs.num_inputs());
  for (std::uint32_t i = 0; i < num_inputs; ++i) {
    scalars.a_columns.push_back(i);
    if (densities.inputs_in_b[i]) scalars.b_columns.push_back(i);
  }
  for (std::uint32_t i = 0; i < r1cs.num_aux(); ++i) {
    if (densities.aux_in_a[i]) scalars.a_columns.push_back(num_inputs + i);
    if (densities.aux_in_b[i]) scalars.b_columns.push_back(num_inputs + i);
  }
  return scalars;
}

// No reader accepts a point at infinity, so there must be no zero.
Status check_finite(const R1cs& r1cs, const SetupScalars& scalars) {
  const auto name = [&](std::size_t column) {
    const bool input = column < r1cs.num_inputs();
    return (input ? "input " : "aux variable ") + std::to_string(input ? column : column - r1cs.num_inputs());
  };
  for (std::size_t i = 0; i < scalars.combined.size(); ++i) {
    if (scalars.combined[i].is_zero())
      return invalid_argument(name(i) +
                              " occurs in no constraint: its point in the verifying key or in l is infinity");
  }
  for (const std::uint32_t i : scalars.a_columns) {
    if (scalars.a[i].is_zero())
      return invalid_argument("the polynomial of " + name(i) + " in A has the root tau");
  }
  for (const std::uint32_t i : scalars.b_columns) {
    if (scalars.b[i].is_zero())
      return invalid_argument("the polynomial of " + name(i) + " in B has the root tau");
  }
  return Status::ok();
}

// The tables of the generators, made once per process: 20 MiB and a fraction of a second.
const FixedBaseG1& generator_g1() {
  static const FixedBaseG1 table(G1Affine::generator());
  return table;
}
const FixedBaseG2& generator_g2() {
  static const FixedBaseG2 table(G2Affine::generator());
  return table;
}

// Turns scalars into points, chunk by chunk, and hands them to the sink.
class PointStream {
 public:
  PointStream(SrsSink& sink, ProgressObserver* progress) : sink_(sink), progress_(progress) {}

  // scalar_at(i) is the scalar of point i; it is called from several threads.
  template <typename ScalarAt>
  Status send(Query query, std::size_t count, const ScalarAt& scalar_at) {
    for (std::size_t begin = 0; begin < count; begin += kPointsPerChunk) {
      const std::size_t n = std::min(kPointsPerChunk, count - begin);
      scalars_.resize(n);
      parallel_for(n, kScalarsPerTask, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) scalars_[i] = scalar_at(begin + i);
      });
      CUZK_TRY(query == Query::b_g2 ? send_g2() : send_g1(query));
      if (progress_ != nullptr) progress_->progress(query_name(query), begin + n, count);
    }
    return Status::ok();
  }

 private:
  Status send_g1(Query query) {
    g1_points_.resize(scalars_.size());
    generator_g1().mul(scalars_, g1_points_);
    return sink_.append(query, g1_points_);
  }
  Status send_g2() {
    g2_points_.resize(scalars_.size());
    generator_g2().mul(scalars_, g2_points_);
    return sink_.append(g2_points_);
  }

  SrsSink& sink_;
  ProgressObserver* progress_;
  std::vector<Fr> scalars_;
  std::vector<G1Affine> g1_points_;
  std::vector<G2Affine> g2_points_;
};

VerifyingKey make_verifying_key(const R1cs& r1cs, const ToxicWaste& toxic, const SetupScalars& scalars) {
  const auto times_g1 = [](const Fr& scalar) { return G1Projective::generator().mul(scalar).to_affine(); };
  const auto times_g2 = [](const Fr& scalar) { return G2Projective::generator().mul(scalar).to_affine(); };
  VerifyingKey vk;
  vk.alpha_g1 = times_g1(toxic.alpha);
  vk.beta_g1 = times_g1(toxic.beta);
  vk.beta_g2 = times_g2(toxic.beta);
  vk.gamma_g2 = times_g2(toxic.gamma);
  vk.delta_g1 = times_g1(toxic.delta);
  vk.delta_g2 = times_g2(toxic.delta);
  std::vector<Fr> ic(scalars.combined.begin(),
                     scalars.combined.begin() + static_cast<std::ptrdiff_t>(r1cs.num_inputs()));
  const Fr gamma_inverse = toxic.gamma.inverse();
  for (Fr& scalar : ic) scalar *= gamma_inverse;
  vk.ic.resize(ic.size());
  generator_g1().mul(ic, vk.ic);
  return vk;
}

// tau^i factor for all i < count, needed in order: a table of powers of tau^1024 and one of tau.
class PowerTable {
 public:
  PowerTable(const Fr& tau, const Fr& factor, std::size_t count) : low_(kLow), high_(count / kLow + 1) {
    low_[0] = Fr::one();
    for (std::size_t i = 1; i < kLow; ++i) low_[i] = low_[i - 1] * tau;
    high_[0] = factor;
    const Fr step = low_[kLow - 1] * tau;
    for (std::size_t i = 1; i < high_.size(); ++i) high_[i] = high_[i - 1] * step;
  }
  Fr operator()(std::size_t i) const noexcept { return high_[i / kLow] * low_[i % kLow]; }

 private:
  static constexpr std::size_t kLow = 1024;
  std::vector<Fr> low_;
  std::vector<Fr> high_;
};

}  // namespace

Status setup(const R1cs& r1cs, const ToxicWaste& toxic, SrsSink& sink, ProgressObserver* progress) {
  CUZK_TRY(toxic.check(r1cs.log_domain()));
  const Densities densities = r1cs.densities();
  const SrsCounts counts = SrsCounts::of(r1cs, densities);
  const SetupScalars scalars = compute_scalars(r1cs, toxic, densities, progress);
  CUZK_TRY(check_finite(r1cs, scalars));

  PointStream stream(sink, progress);
  CUZK_TRY(sink.begin(make_verifying_key(r1cs, toxic, scalars), counts));
  // h: tau^i (tau^m - 1) / delta
  const Fr delta_inverse = toxic.delta.inverse();
  const Fr vanishing = toxic.tau.pow(std::uint64_t{1} << r1cs.log_domain()) - Fr::one();
  const PowerTable powers(toxic.tau, vanishing * delta_inverse, counts[Query::h]);
  CUZK_TRY(stream.send(Query::h, counts[Query::h], powers));
  CUZK_TRY(stream.send(Query::l, counts[Query::l], [&](std::size_t i) {
    return scalars.combined[r1cs.num_inputs() + i] * delta_inverse;
  }));
  CUZK_TRY(stream.send(Query::a, counts[Query::a],
                       [&](std::size_t i) { return scalars.a[scalars.a_columns[i]]; }));
  for (const Query query : {Query::b_g1, Query::b_g2}) {
    CUZK_TRY(
        stream.send(query, counts[query], [&](std::size_t i) { return scalars.b[scalars.b_columns[i]]; }));
  }
  return sink.finish();
}

}  // namespace cuzk
