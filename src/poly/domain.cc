#include "poly/domain.h"

#include "base/check.h"
#include "base/cpu_features.h"
#include "poly/bit_reversal.h"
#include "poly/passes.h"

namespace cuzk {
namespace {

constexpr unsigned kMinIfmaRowLevels = 6;

// Where the coefficients are scaled decides the network: they are in bit-reversed order before it or after
// it.
void values_of(const Domain& domain, std::span<Fr> values, const Scale& scale, Order from, Order to) {
  CUZK_CHECK(values.size() == domain.size(), "a transform of a vector of another length than its domain");
  if (from == Order::natural && scale.is_trivial()) {
    natural_to_bit_reversed(domain, values, Root::forward, scale);
    if (to == Order::natural) bit_reverse(values);
    return;
  }
  if (from == Order::natural) bit_reverse(values);
  bit_reversed_to_natural(domain, values, Root::forward, scale);
  if (to == Order::bit_reversed) bit_reverse(values);
}

void coefficients_of(const Domain& domain, std::span<Fr> values, const Scale& scale, Order from, Order to) {
  CUZK_CHECK(values.size() == domain.size(), "a transform of a vector of another length than its domain");
  if (from == Order::bit_reversed) bit_reverse(values);
  natural_to_bit_reversed(domain, values, Root::inverse, scale);
  if (to == Order::natural) bit_reverse(values);
}

Fr one_over_size(const Domain& domain) {
  return Fr::from_u64(domain.size()).inverse();
}

}  // namespace

Domain::Domain(unsigned log_n, const Tuning& tuning) : log_n_(log_n) {
  CUZK_CHECK(log_n <= kFrTwoAdicity, "Fr has no root of unity of this order");
  omega_ = root_of_unity(log_n, Root::forward);
  plan_ = std::make_unique<const PassPlan>(log_n, tuning.row_levels, tuning.column_levels);
  const bool ifma = tuning.allow_ifma && cpu_features().avx512_ifma && plan_->row_levels >= kMinIfmaRowLevels;
  kernel_ = ifma ? make_ifma_kernel(*plan_) : make_portable_kernel(*plan_);
}

Domain::~Domain() = default;
Domain::Domain(Domain&&) noexcept = default;
Domain& Domain::operator=(Domain&&) noexcept = default;

void Domain::ntt(std::span<Fr> values, Order from, Order to) const {
  values_of(*this, values, {}, from, to);
}

void Domain::intt(std::span<Fr> values, Order from, Order to) const {
  coefficients_of(*this, values, {.factor = one_over_size(*this)}, from, to);
}

void Domain::coset_ntt(std::span<Fr> values, Order from, Order to) const {
  values_of(*this, values, {.base = Scale::Base::generator}, from, to);
}

void Domain::coset_intt(std::span<Fr> values, Order from, Order to) const {
  coefficients_of(*this, values, {.base = Scale::Base::inverse_generator, .factor = one_over_size(*this)},
                  from, to);
}

}  // namespace cuzk
