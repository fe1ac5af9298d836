#include "groth16/setup_scalars.h"

#include <atomic>
#include <bit>
#include <functional>
#include <string>

#include "base/check.h"
#include "base/thread_pool.h"
#include "curve/projective.h"
#include "groth16/qap.h"

namespace cuzk {
namespace {

constexpr std::size_t kScalarsPerTask = 1 << 12;
constexpr std::size_t kIcPerTask = 64;

// Appends `first` + i for every bit i that is set.
std::uint32_t* append_ones(const BitVector& bits, std::uint32_t first, std::uint32_t* out) {
  const std::span<const std::uint64_t> words = bits.words();
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::uint64_t word = words[w]; word != 0; word &= word - 1)
      *out++ =
          first + static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(word));
  }
  return out;
}

// The smallest i < n for which value_at(i) is zero, or n. Parallel.
template <typename ValueAt>
std::size_t first_zero(std::size_t n, const ValueAt& value_at) {
  std::atomic<std::size_t> first{n};
  parallel_for(n, kScalarsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!value_at(i).is_zero()) continue;
      std::size_t known = first.load();
      while (i < known && !first.compare_exchange_weak(known, i)) {
      }
      return;
    }
  });
  return first.load();
}

template <typename Projective>
auto times_generator(const Fr& scalar) {
  return Projective::generator().mul(scalar).to_affine();
}

}  // namespace

SetupScalars::PowerTable::PowerTable(const Fr& tau, const Fr& factor, std::size_t count)
    : low_(kLow), high_(count / kLow + 1) {
  low_[0] = Fr::one();
  for (std::size_t i = 1; i < kLow; ++i) low_[i] = low_[i - 1] * tau;
  high_[0] = factor;
  const Fr step = low_[kLow - 1] * tau;
  for (std::size_t i = 1; i < high_.size(); ++i) high_[i] = high_[i - 1] * step;
}

// h: tau^i (tau^m - 1) / delta
SetupScalars::SetupScalars(const R1cs& r1cs, const ToxicWaste& toxic, const Densities& densities)
    : toxic_(toxic),
      gamma_inverse_(toxic.gamma.inverse()),
      delta_inverse_(toxic.delta.inverse()),
      num_inputs_(r1cs.num_inputs()),
      counts_(SrsCounts::of(r1cs, densities)),
      h_powers_(toxic.tau,
                (toxic.tau.pow(std::uint64_t{1} << r1cs.log_domain()) - Fr::one()) * delta_inverse_,
                counts_[Query::h]),
      a_columns_(counts_[Query::a]),
      b_columns_(counts_[Query::b_g1]) {}

Result<SetupScalars> SetupScalars::compute(const R1cs& r1cs, const ToxicWaste& toxic,
                                           ProgressObserver* progress) {
  CUZK_TRY(toxic.check(r1cs.log_domain()));
  const Densities densities = r1cs.densities();
  SetupScalars scalars(r1cs, toxic, densities);
  scalars.compute_columns(r1cs, densities, progress);
  CUZK_TRY(scalars.check_finite());
  return scalars;
}

void SetupScalars::compute_columns(const R1cs& r1cs, const Densities& densities, ProgressObserver* progress) {
  const auto done = [&](std::uint64_t steps) {
    if (progress != nullptr) progress->progress("qap", steps, 4);
  };
  const Buffer<Fr> lagrange = lagrange_at(toxic_.tau, r1cs.log_domain(), r1cs.num_domain_rows());
  done(1);
  // Each of these begins with work for one thread, so they run side by side.
  const auto first_aux = static_cast<std::uint32_t>(num_inputs_);
  const std::function<void()> tasks[] = {
      [&] { a_ = column_sums(r1cs, Matrix::a, lagrange.span()); },
      [&] { b_ = column_sums(r1cs, Matrix::b, lagrange.span()); },
      [&] { combined_ = column_sums(r1cs, Matrix::c, lagrange.span()); },
      [&] {
        for (std::uint32_t i = 0; i < first_aux; ++i) a_columns_[i] = i;
        append_ones(densities.aux_in_a, first_aux, a_columns_.data() + first_aux);
      },
      [&] {
        append_ones(densities.aux_in_b, first_aux, append_ones(densities.inputs_in_b, 0, b_columns_.data()));
      },
  };
  run_tasks(tasks);
  done(3);
  parallel_for(combined_.size(), kScalarsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) combined_[i] += toxic_.beta * a_[i] + toxic_.alpha * b_[i];
  });
  done(4);
}

std::string SetupScalars::column_name(std::size_t column) const {
  const bool input = column < num_inputs_;
  return (input ? "input " : "aux variable ") + std::to_string(input ? column : column - num_inputs_);
}

Status SetupScalars::check_finite() const {
  const std::size_t unused = first_zero(combined_.size(), [&](std::size_t i) { return combined_[i]; });
  if (unused < combined_.size()) {
    return invalid_argument(column_name(unused) +
                            " occurs in no constraint: its point in the verifying key or in l is infinity");
  }
  const auto check = [&](const char* matrix, const Buffer<Fr>& values, const Buffer<std::uint32_t>& columns) {
    const std::size_t root = first_zero(columns.size(), [&](std::size_t i) { return values[columns[i]]; });
    if (root == columns.size()) return Status::ok();
    return invalid_argument("the polynomial of " + column_name(columns[root]) + " in " + matrix +
                            " has the root tau");
  };
  CUZK_TRY(check("A", a_, a_columns_));
  return check("B", b_, b_columns_);
}

void SetupScalars::fill(Query query, std::size_t begin, std::span<Fr> out) const {
  CUZK_CHECK(begin <= counts_[query] && out.size() <= counts_[query] - begin, "a query has fewer scalars");
  const auto fill_with = [&](const auto& scalar_at) {
    parallel_for(out.size(), kScalarsPerTask, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) out[i] = scalar_at(begin + i);
    });
  };
  if (query == Query::h) return fill_with(h_powers_);
  if (query == Query::l)
    return fill_with([&](std::size_t i) { return combined_[num_inputs_ + i] * delta_inverse_; });
  if (query == Query::a) return fill_with([&](std::size_t i) { return a_[a_columns_[i]]; });
  fill_with([&](std::size_t i) { return b_[b_columns_[i]]; });
}

VerifyingKey SetupScalars::verifying_key() const {
  VerifyingKey vk;
  vk.alpha_g1 = times_generator<G1Projective>(toxic_.alpha);
  vk.beta_g1 = times_generator<G1Projective>(toxic_.beta);
  vk.beta_g2 = times_generator<G2Projective>(toxic_.beta);
  vk.gamma_g2 = times_generator<G2Projective>(toxic_.gamma);
  vk.delta_g1 = times_generator<G1Projective>(toxic_.delta);
  vk.delta_g2 = times_generator<G2Projective>(toxic_.delta);
  vk.ic.resize(num_inputs_);
  parallel_for(num_inputs_, kIcPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      vk.ic[i] = times_generator<G1Projective>(combined_[i] * gamma_inverse_);
  });
  return vk;
}

}  // namespace cuzk
