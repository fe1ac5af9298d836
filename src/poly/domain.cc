#include "poly/domain.h"

#include "base/check.h"
#include "base/cpu_features.h"
#include "poly/bit_reversal.h"
#include "poly/passes.h"

namespace cuzk {
namespace {

constexpr unsigned kMinIfmaRowLevels = 6;

void check_length(const Domain& domain, std::span<Fr> values) {
  CUZK_CHECK(values.size() == domain.size(), "a transform of a vector of another length than its domain");
}

}  // namespace

Domain::Domain(unsigned log_n, const Tuning& tuning) : log_n_(log_n) {
  CUZK_CHECK(log_n < kFrTwoAdicity, "Fr has no root of unity of twice this order");
  omega_ = root_of_unity(log_n, Root::forward);
  plan_ = std::make_unique<const PassPlan>(log_n, tuning.row_levels, tuning.column_levels);
  const bool ifma = tuning.allow_ifma && cpu_features().avx512_ifma && plan_->row_levels >= kMinIfmaRowLevels;
  kernel_ = ifma ? make_ifma_kernel(*plan_) : make_portable_kernel(*plan_);
}

Domain::~Domain() = default;
Domain::Domain(Domain&&) noexcept = default;
Domain& Domain::operator=(Domain&&) noexcept = default;

void Domain::ntt(std::span<Fr> values, Order from, Order to) const {
  check_length(*this, values);
  if (from == Order::natural) {
    natural_to_bit_reversed(*this, values, Root::forward, {});
    if (to == Order::natural) bit_reverse(values);
  } else {
    bit_reversed_to_natural(*this, values, Root::forward);
    if (to == Order::bit_reversed) bit_reverse(values);
  }
}

void Domain::intt(std::span<Fr> values, Order from, Order to) const {
  check_length(*this, values);
  if (from == Order::bit_reversed) bit_reverse(values);
  natural_to_bit_reversed(*this, values, Root::inverse, {.factor = Fr::from_u64(size()).inverse()});
  if (to == Order::natural) bit_reverse(values);
}

}  // namespace cuzk
