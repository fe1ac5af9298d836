// The transform kernels eight lanes wide, with AVX-512 IFMA.
//
// A "record" is an FrX8. In a column pass the lanes of a record are eight adjacent columns. In a row, the
// lanes are eight adjacent values, as long as a butterfly pairs whole records; for the last three levels
// (first three, on the way to natural order) groups of eight records are transposed, so that again every
// butterfly works lane by lane.
//
// Values keep the scalar form; roots and scales are constants, so no product needs a correction. Bounds are
// kept as butterflies_x8.h says. What is stored is canonical at the end of a transform and below 1 + 2^-25
// multiples of r before.
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "base/check.h"
#include "field/x8.h"
#include "poly/group_x8.h"
#include "poly/ntt_kernel.h"

namespace cuzk {
namespace {

constexpr unsigned kMinRowLevels = 6;
constexpr unsigned kMaxRowLevels = 13;     // values below 2 + 2 * 13 <= 33
constexpr unsigned kMaxColumnLevels = 12;  // below 4 + 2 * 12
constexpr std::size_t kLanes = 8;

// Working memory of a thread, kept from call to call: at most 1 MB at the default pass lengths.
class Workspace {
 public:
  // `bytes` of unspecified content, aligned for records.
  void* get(std::size_t bytes) {
    if (bytes > bytes_) {
      memory_.reset(static_cast<std::byte*>(::operator new(bytes, kAlignment)));
      bytes_ = bytes;
    }
    return memory_.get();
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Release {
    void operator()(std::byte* memory) const noexcept { ::operator delete(memory, kAlignment); }
  };
  std::unique_ptr<std::byte, Release> memory_;
  std::size_t bytes_ = 0;
};

Workspace& workspace() {
  static thread_local Workspace instance;
  return instance;
}

// T of one root: as factors to broadcast, for the column passes; and in the x8 form, packed as if they were
// scalar elements, for loads of eight different ones in a row.
struct RootTable {
  std::vector<Factor> factors;
  std::vector<Fr> packed;

  RootTable(const PassPlan& plan, Root root) {
    for (const Fr& value : bit_reversed_roots(root, plan.num_rows())) factors.push_back(Factor::of(value));
    packed = bit_reversed_roots(root, plan.row_length() / 2);
    for (Fr& value : packed) value = times_power_of_two(value, 4);  // 2^256 to 2^260
  }
};

// What of a kernel the code below needs; plain data, made outside the AVX-512 region.
struct Tables {
  PassPlan plan;
  std::array<RootTable, 2> roots;
  std::array<std::vector<Fr>, 2> powers;  // of g and 1/g, x8 form, packed

  const RootTable& root_table(Root root) const noexcept { return roots[root == Root::forward ? 0 : 1]; }
  // T[(row << s) + b] = T[b] twist[s].
  std::array<Limbs52<FrParams>, kMaxRowLevels> twists(std::size_t row, Root root) const noexcept {
    std::array<Limbs52<FrParams>, kMaxRowLevels> out{};
    Fr t = root_of_unity(plan.log_n, root).pow(reverse_bits(row, plan.log_n - plan.row_levels));
    for (unsigned s = plan.row_levels; s-- > 0; t = t.squared()) out[s] = radix52_form(t);
    return out;
  }
  // The factor that all values of a row share.
  Limbs52<FrParams> row_factor(std::size_t row, const Scale& scale) const noexcept {
    const std::size_t exponent = reverse_bits(row, plan.log_n - plan.row_levels);
    return radix52_form(scale.factor * base_of(scale.base, plan.log_n).pow(exponent));
  }
  const Fr* row_powers(const Scale& scale) const noexcept {
    return powers[scale.base == Scale::Base::coset ? 0 : 1].data();
  }
  std::size_t num_records() const noexcept { return plan.row_length() / kLanes; }
  std::size_t num_group_factors() const noexcept { return plan.row_length() / kGroup * kFactorsOfGroup; }
};

CUZK_IFMA_BEGIN

// ---- the last three levels of a row ----

// Roots of group g, for lanes = its eight octets: one for distance 4, two for 2, four for 1.
[[gnu::always_inline]] inline FrX8 untwisted_root(const Fr* packed, std::size_t group, std::size_t i) {
  if (i == 0) return FrX8::load(packed + 8 * group);
  if (i <= 2) return FrX8::load(packed + 16 * group + (i - 1), 2);
  return FrX8::load(packed + 32 * group + (i - 3), 4);
}

// factors[7 g + i]: the roots of group g in row `row`.
void make_group_factors(FrX8* factors, const Tables& tables, const Limbs52<FrParams>* twists, Root root) {
  const Fr* packed = tables.root_table(root).packed.data();
  const unsigned levels = tables.plan.row_levels;
  const FrX8 twist[3] = {FrX8::broadcast(twists[levels - 3]), FrX8::broadcast(twists[levels - 2]),
                         FrX8::broadcast(twists[levels - 1])};
  for (std::size_t g = 0; g < tables.plan.row_length() / kGroup; ++g) {
    for (std::size_t i = 0; i < kFactorsOfGroup; ++i) {
      factors[kFactorsOfGroup * g + i] = FrX8::mul(untwisted_root(packed, g, i), twist[i == 0   ? 0
                                                                                       : i <= 2 ? 1
                                                                                                : 2]);
    }
  }
}

// out[2^s + b]: the factor of block b at level s of the row, for the levels that pair whole records. With m =
// w 2^260 mod r, which the product of T[b] and the twist is, w = m / 2^260 and w' = -m / r mod 2^260.
void make_row_factors(Factor* out, const Tables& tables, const Limbs52<FrParams>* twists, Root root) {
  const FrX8 unit = FrX8::broadcast({1}), minus_inverse = FrX8::broadcast(kMinusInverse52);
  for (unsigned s = 0; s + 3 < tables.plan.row_levels; ++s) {
    const FrX8 twist = FrX8::broadcast(twists[s]);
    const std::size_t count = std::size_t{1} << s;
    for (std::size_t b = 0; b < count; b += kLanes) {
      const FrX8 m = FrX8::mul(FrX8::load(tables.root_table(root).packed.data() + b), twist);
      FrX8 quotient = FrX8::zero();
      add_low_product(quotient, m, minus_inverse);
      alignas(64) std::uint64_t w[5 * kLanes], q[5 * kLanes];
      FrX8::store52(w, FrX8::mul(m, unit));
      FrX8::store52(q, settle(quotient));
      for (std::size_t k = 0; k < std::min(kLanes, count); ++k) {
        for (std::size_t i = 0; i < 5; ++i) {
          out[count + b + k].w[i] = w[kLanes * i + k];
          out[count + b + k].quotient[i] = q[kLanes * i + k];
        }
      }
    }
  }
}

// ---- scales: record 8 g + i holds the factors of values 64 g + 8 lane + i ----

void make_scale_records(FrX8* out, const Tables& tables, std::size_t row, const Scale& scale) {
  const FrX8 factor = FrX8::broadcast(tables.row_factor(row, scale));
  const Fr* powers = tables.row_powers(scale);
  for (std::size_t r = 0; r < tables.num_records(); ++r) {
    out[r] = scale.base == Scale::Base::one
                 ? factor
                 : FrX8::mul(factor, FrX8::load(powers + r / 8 * kGroup + r % 8, kLanes));
  }
}

// ---- whole passes ----

void load_columns(FrX8* records, const Fr* first, const ColumnPass& pass) {
  for (std::size_t i = 0; i < std::size_t{1} << pass.levels; ++i)
    records[i] = FrX8::load(first + i * pass.stride);
}

// From loose values of any bound; to canonical ones if this `ends` the transform.
void store_columns(Fr* first, const FrX8* records, const ColumnPass& pass, bool ends) {
  for (std::size_t i = 0; i < std::size_t{1} << pass.levels; ++i) {
    const FrX8 value = nearly_reduce(records[i]);
    FrX8::store(first + i * pass.stride, ends ? FrX8::reduce(value) : value);
  }
}

void transform_columns_to_reversed(FrX8* records, const Tables& tables, const ColumnPass& pass,
                                   std::size_t block, Root root) {
  const Factor* table = tables.root_table(root).factors.data();
  records_to_reversed(
      records, pass.levels, block == 0,
      [ table, block ](unsigned s, std::size_t b) -> const auto& { return table[(block << s) + b]; });
}

void transform_columns_to_natural(FrX8* records, const Tables& tables, const ColumnPass& pass,
                                  std::size_t block, Root root) {
  const Factor* table = tables.root_table(root).factors.data();
  records_to_natural(
      records, pass.levels, block == 0,
      [ table, block ](unsigned s, std::size_t b) -> const auto& { return table[(block << s) + b]; });
}

// The factors of one row and one root.
struct RowFactors {
  Factor* of_records;
  FrX8* of_groups;

  void make(const Tables& tables, std::size_t row, Root root) const {
    const auto twists = tables.twists(row, root);
    make_row_factors(of_records, tables, twists.data(), root);
    make_group_factors(of_groups, tables, twists.data(), root);
  }
};

void transform_records_of_row_to_reversed(FrX8* records, const Tables& tables, const Factor* factors) {
  records_to_reversed(
      records, tables.plan.row_levels - 3, false, [factors](unsigned s, std::size_t b) -> const auto& {
        return factors[(std::size_t{1} << s) + b];
      });
}

void transform_records_of_row_to_natural(FrX8* records, const Tables& tables, const Factor* factors) {
  records_to_natural(
      records, tables.plan.row_levels - 3, false, [factors](unsigned s, std::size_t b) -> const auto& {
        return factors[(std::size_t{1} << s) + b];
      });
}

void load_row(FrX8* records, const Fr* row, std::size_t count) {
  for (std::size_t r = 0; r < count; ++r) records[r] = FrX8::load(row + kLanes * r);
}

// `scale` may be null.
void finish_row_to_reversed(Fr* row, const FrX8* records, std::size_t count, const FrX8* factors,
                            const FrX8* scale) {
  for (std::size_t r = 0; r < count; r += 8, factors += kFactorsOfGroup) {
    FrX8 x[8];
    for (std::size_t i = 0; i < 8; ++i) x[i] = records[r + i];
    transpose(x);
    group_to_reversed(x, factors);
    for (std::size_t i = 0; i < 8; ++i) {
      const FrX8 value = scale != nullptr ? FrX8::mul(settle(x[i]), scale[r + i]) : nearly_reduce(x[i]);
      FrX8::store(row + kLanes * r + i, FrX8::reduce(value), kLanes);
    }
  }
}

void begin_row_to_natural(FrX8* records, const Fr* row, std::size_t count, const FrX8* factors) {
  for (std::size_t r = 0; r < count; r += 8, factors += kFactorsOfGroup) {
    FrX8 x[8];
    for (std::size_t i = 0; i < 8; ++i) x[i] = FrX8::load(row + kLanes * r + i, kLanes);
    group_to_natural(x, factors);
    transpose(x);
    for (std::size_t i = 0; i < 8; ++i) records[r + i] = x[i];
  }
}

void turn_row(FrX8* records, std::size_t count, const FrX8* to_reversed, const FrX8* to_natural,
              const FrX8* scale) {
  for (std::size_t r = 0; r < count; r += 8, to_reversed += kFactorsOfGroup, to_natural += kFactorsOfGroup) {
    FrX8 x[8];
    for (std::size_t i = 0; i < 8; ++i) x[i] = records[r + i];
    transpose(x);
    group_to_reversed(x, to_reversed);
    for (std::size_t i = 0; i < 8; ++i) x[i] = FrX8::mul(settle(x[i]), scale[r + i]);
    group_to_natural(x, to_natural);
    transpose(x);
    for (std::size_t i = 0; i < 8; ++i) records[r + i] = x[i];
  }
}

// From loose values of any bound; to canonical ones if this `ends` the transform.
void store_row(Fr* row, const FrX8* records, std::size_t count, bool ends) {
  for (std::size_t r = 0; r < count; ++r) {
    const FrX8 value = nearly_reduce(records[r]);
    FrX8::store(row + kLanes * r, ends ? FrX8::reduce(value) : value);
  }
}

// a <- a b, in the scalar form, from loose values. With scalar forms a 2^256 and b 2^256 the first product is
// a b 2^252, and the last constant is 2^264.
void multiply(FrX8* a, const FrX8* b, std::size_t count) {
  const FrX8 last = FrX8::broadcast(radix52_form(times_power_of_two(Fr::one(), 4)));
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = FrX8::mul(FrX8::mul(nearly_reduce(a[i]), nearly_reduce(b[i])), last);
  }
}

CUZK_IFMA_END

class IfmaKernel final : public NttKernel {
 public:
  explicit IfmaKernel(const PassPlan& plan)
      : tables_{
            .plan = plan,
            .roots = {RootTable(plan, Root::forward), RootTable(plan, Root::inverse)},
            .powers = {x8_powers(plan, Scale::Base::coset), x8_powers(plan, Scale::Base::inverse_coset)}} {
    CUZK_CHECK(plan.row_levels >= kMinRowLevels && plan.row_levels <= kMaxRowLevels,
               "row length of the IFMA kernel");
    for (const ColumnPass& pass : plan.columns)
      CUZK_CHECK(pass.levels <= kMaxColumnLevels, "pass of the IFMA kernel");
  }

  void columns_to_bit_reversed(Fr* first, const ColumnPass& pass, std::size_t block,
                               Root root) const override {
    FrX8* records = static_cast<FrX8*>(workspace().get(sizeof(FrX8) << pass.levels));
    load_columns(records, first, pass);
    transform_columns_to_reversed(records, tables_, pass, block, root);
    store_columns(first, records, pass, false);
  }

  void columns_to_natural(Fr* first, const ColumnPass& pass, std::size_t block, Root root) const override {
    FrX8* records = static_cast<FrX8*>(workspace().get(sizeof(FrX8) << pass.levels));
    load_columns(records, first, pass);
    transform_columns_to_natural(records, tables_, pass, block, root);
    store_columns(first, records, pass, pass.level == 0);
  }

  void row_to_bit_reversed(Fr* row, std::size_t index, Root root, const Scale& after) const override {
    const RowSpace space(tables_);
    space.first.make(tables_, index, root);
    if (!after.is_trivial()) make_scale_records(space.scale, tables_, index, after);
    load_row(space.records, row, tables_.num_records());
    transform_records_of_row_to_reversed(space.records, tables_, space.first.of_records);
    finish_row_to_reversed(row, space.records, tables_.num_records(), space.first.of_groups,
                           after.is_trivial() ? nullptr : space.scale);
  }

  void row_to_natural(Fr* row, std::size_t index, Root root) const override {
    const RowSpace space(tables_);
    space.first.make(tables_, index, root);
    begin_row_to_natural(space.records, row, tables_.num_records(), space.first.of_groups);
    transform_records_of_row_to_natural(space.records, tables_, space.first.of_records);
    store_row(row, space.records, tables_.num_records(), tables_.plan.columns.empty());
  }

  void rows_through_coefficients(Fr* const rows[2], std::size_t index, const Scale& scale) const override {
    const RowSpace space(tables_);
    space.first.make(tables_, index, Root::inverse);
    space.second.make(tables_, index, Root::forward);
    make_scale_records(space.scale, tables_, index, scale);
    for (int k = 0; k < 2; ++k) {
      load_row(space.records, rows[k], tables_.num_records());
      transform_records_of_row_to_reversed(space.records, tables_, space.first.of_records);
      turn_row(space.records, tables_.num_records(), space.first.of_groups, space.second.of_groups,
               space.scale);
      transform_records_of_row_to_natural(space.records, tables_, space.second.of_records);
      store_row(rows[k], space.records, tables_.num_records(), tables_.plan.columns.empty());
    }
  }

  void product_columns(Fr* a, Fr* b, const ColumnPass& pass) const override {
    const std::size_t count = std::size_t{1} << pass.levels;
    FrX8* records = static_cast<FrX8*>(workspace().get(2 * count * sizeof(FrX8)));
    const Fr* const columns[2] = {a, b};
    for (std::size_t k = 0; k < 2; ++k) {
      load_columns(records + k * count, columns[k], pass);
      transform_columns_to_natural(records + k * count, tables_, pass, 0, Root::forward);
    }
    multiply(records, records + count, count);
    transform_columns_to_reversed(records, tables_, pass, 0, Root::inverse);
    store_columns(a, records, pass, false);
  }

 private:
  // The parts of a thread's workspace that a row needs.
  struct RowSpace {
    FrX8* records;
    FrX8* scale;
    RowFactors first, second;

    explicit RowSpace(const Tables& tables) {
      const std::size_t count = tables.num_records(), factors = tables.num_group_factors();
      const std::size_t bytes = (2 * count + 2 * factors) * sizeof(FrX8) + 2 * count * sizeof(Factor);
      records = static_cast<FrX8*>(workspace().get(bytes));
      scale = records + count;
      first.of_groups = scale + count;
      second.of_groups = first.of_groups + factors;
      first.of_records = reinterpret_cast<Factor*>(second.of_groups + factors);
      second.of_records = first.of_records + count;
    }
  };

  static std::vector<Fr> x8_powers(const PassPlan& plan, Scale::Base base) {
    std::vector<Fr> powers = bit_reversed_powers(plan, base_of(base, plan.log_n));
    for (Fr& value : powers) value = times_power_of_two(value, 4);
    return powers;
  }

  Tables tables_;
};

}  // namespace

std::unique_ptr<const NttKernel> make_ifma_kernel(const PassPlan& plan) {
  return std::make_unique<IfmaKernel>(plan);
}

}  // namespace cuzk
