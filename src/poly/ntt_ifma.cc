// The transform kernels eight lanes wide, with AVX-512 IFMA.
//
// A "record" is an FrX8. In a column pass the lanes of a record are eight adjacent columns. In a row, the lanes are
// eight adjacent values, as long as a butterfly pairs whole records; for the last three levels (first three, on the way
// to natural order) groups of eight records are transposed, so that again every butterfly works lane by lane.
//
// Values keep the scalar form; roots and scales are constants in the x8 form, so no product needs a correction.
// Bounds, in multiples of p (x8.h): values come in below 2. A level to bit-reversed order adds at most 2: y is the
// larger factor, at most 33, c at most 1.03, the product below 2. Levels to natural order bring sums back to about 1
// every two levels. What is stored is below 2, and canonical at the end of a transform.
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "base/check.h"
#include "field/x8.h"
#include "poly/ntt_kernel.h"

namespace cuzk {
namespace {

// Row lengths the bounds allow: 2 + 2 * 13 <= 33. A column pass may begin with two unreduced levels: 8 + 2 * 11.
constexpr unsigned kMinRowLevels = 6;
constexpr unsigned kMaxRowLevels = 13;
constexpr unsigned kMaxColumnLevels = 12;
constexpr std::size_t kLanes = 8;
constexpr std::size_t kGroup = 64;          // values of a group of eight records
constexpr std::size_t kFactorsOfGroup = 7;  // records of roots that its last three levels take: 1 + 2 + 4

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

// Roots of unity in the x8 form, twice: as limbs to broadcast, and packed as if they were scalar elements, for loads of
// eight different ones.
struct RootTable {
  std::vector<Limbs52<FrParams>> limbs;
  std::vector<Fr> packed;

  RootTable(Root root, std::size_t length) : packed(bit_reversed_roots(root, length)) {
    for (Fr& value : packed) {
      limbs.push_back(radix52_form(value));
      value = times_power_of_two(value, 4);  // 2^256 to 2^260
    }
  }
};

// What of a kernel the code below needs; plain data, made outside the AVX-512 region.
struct Tables {
  PassPlan plan;
  std::array<RootTable, 2> roots;
  std::array<std::vector<Fr>, 2> powers;  // of 7 and 1/7, x8 form, packed

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
    return radix52_form(scale.factor * base_of(scale.base).pow(exponent));
  }
  const Fr* row_powers(const Scale& scale) const noexcept {
    return powers[scale.base == Scale::Base::generator ? 0 : 1].data();
  }
  std::size_t num_records() const noexcept { return plan.row_length() / kLanes; }
  std::size_t num_group_factors() const noexcept { return plan.row_length() / kGroup * kFactorsOfGroup; }
};

CUZK_IFMA_BEGIN

[[gnu::always_inline]] inline __m512i set1(std::uint64_t word) {
  return _mm512_set1_epi64(static_cast<long long>(word));
}

// floor(2^286 / r).
constexpr std::uint64_t kReciprocal = 0x8d54253b;

// The value minus q r, 0 <= q <= 35 estimated from its top 32 bits: from limbs in [0, 2^59) and a value below 2^260 to a
// tight value below r (1 + 2^-25). Subtracting q r is adding q (2^260 - r) modulo 2^260.
[[gnu::always_inline]] inline FrX8 nearly_reduce(const FrX8& a) {
  constexpr Limbs52<FrParams> kMinusR = [] {
    Limbs52<FrParams> out = split52<FrParams>(FrParams::kModulus);
    for (auto& limb : out) limb ^= kMask52;
    out[0] += 1;  // the lowest limb of r is not 0
    return out;
  }();
  const __m512i q = _mm512_srli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(a.l[4], 20), set1(kReciprocal)), 58);
  FrX8 out = a;
  CUZK_UNROLL
  for (std::size_t i = 0; i < 5; ++i) out.l[i] = _mm512_madd52lo_epu64(out.l[i], q, set1(kMinusR[i]));
  CUZK_UNROLL
  for (std::size_t i = 0; i < 4; ++i) out.l[i + 1] = _mm512_madd52hi_epu64(out.l[i + 1], q, set1(kMinusR[i]));
  out = FrX8::tighten(out);
  out.l[4] = _mm512_and_si512(out.l[4], set1(kMask52));
  return out;
}

// ---- butterflies ----

[[gnu::always_inline]] inline void butterfly_to_reversed(FrX8& x, FrX8& y, const FrX8& c) {
  const FrX8 product = FrX8::mul_loose(y, c);
  y = FrX8::tighten_signed(FrX8::sub_loose<2>(x, product));
  x = FrX8::tighten(FrX8::add_loose(x, product));
}

// c = 1, y below K p.
template <std::uint64_t K>
[[gnu::always_inline]] inline void butterfly_without_factor(FrX8& x, FrX8& y) {
  const FrX8 sum = FrX8::add(x, y);
  y = FrX8::sub<K>(x, y);
  x = sum;
}

// x, y below 2p before and after.
[[gnu::always_inline]] inline void butterfly_to_natural(FrX8& x, FrX8& y, const FrX8& c) {
  const FrX8 sum = FrX8::add_loose(x, y);
  y = FrX8::mul(FrX8::sub<2>(x, y), c);
  x = nearly_reduce(sum);
}

// Two levels of one block of four values: level s pairs x0 x2 and x1 x3 with c, level s + 1 pairs x0 x1 with c0 and x2 x3
// with c1.
[[gnu::always_inline]] inline void four_to_reversed(FrX8* x, const FrX8& c, const FrX8& c0, const FrX8& c1) {
  butterfly_to_reversed(x[0], x[2], c);
  butterfly_to_reversed(x[1], x[3], c);
  butterfly_to_reversed(x[0], x[1], c0);
  butterfly_to_reversed(x[2], x[3], c1);
}

// The same for block 0, where c = c0 = 1; from below 2 to below 8.
[[gnu::always_inline]] inline void first_four_to_reversed(FrX8* x, const FrX8& c1) {
  butterfly_without_factor<2>(x[0], x[2]);
  butterfly_without_factor<2>(x[1], x[3]);
  butterfly_without_factor<4>(x[0], x[1]);
  butterfly_to_reversed(x[2], x[3], c1);
}

// Below 2p before and after.
[[gnu::always_inline]] inline void four_to_natural(FrX8* x, const FrX8& c, const FrX8& c0, const FrX8& c1) {
  const FrX8 sum0 = FrX8::add_loose(x[0], x[1]), sum1 = FrX8::add_loose(x[2], x[3]);
  const FrX8 difference0 = FrX8::mul(FrX8::sub<2>(x[0], x[1]), c0);
  const FrX8 difference1 = FrX8::mul(FrX8::sub<2>(x[2], x[3]), c1);
  x[0] = nearly_reduce(FrX8::add_loose(sum0, sum1));
  x[2] = FrX8::mul(FrX8::tighten_signed(FrX8::sub_loose<4>(sum0, sum1)), c);
  x[1] = nearly_reduce(FrX8::add_loose(difference0, difference1));
  x[3] = FrX8::mul(FrX8::sub<2>(difference0, difference1), c);
}

[[gnu::always_inline]] inline void first_four_to_natural(FrX8* x, const FrX8& c1) {
  const FrX8 sum0 = FrX8::add_loose(x[0], x[1]), sum1 = FrX8::add_loose(x[2], x[3]);
  const FrX8 difference0 = FrX8::sub<2>(x[0], x[1]);
  const FrX8 difference1 = FrX8::mul(FrX8::sub<2>(x[2], x[3]), c1);
  x[0] = nearly_reduce(FrX8::add_loose(sum0, sum1));
  x[2] = nearly_reduce(FrX8::tighten_signed(FrX8::sub_loose<4>(sum0, sum1)));
  x[1] = nearly_reduce(FrX8::add_loose(difference0, difference1));
  x[3] = nearly_reduce(FrX8::sub<2>(difference0, difference1));
}

// ---- levels that pair whole records ----

[[gnu::always_inline]] inline FrX8 broadcast(const Limbs52<FrParams>& limbs) {
  return FrX8::broadcast(limbs);
}

// Applies `four` to the four quarters of each block of level s, `whole` records long.
template <typename Factor, typename Four>
[[gnu::always_inline]] inline void two_levels(FrX8* records, std::size_t whole, unsigned s,
                                              std::size_t first_block, Factor factor, Four four) {
  const std::size_t quarter = whole / 4;
  for (std::size_t b = first_block; b < std::size_t{1} << s; ++b) {
    const FrX8 c = broadcast(factor(s, b)), c0 = broadcast(factor(s + 1, 2 * b)),
               c1 = broadcast(factor(s + 1, 2 * b + 1));
    FrX8* block = records + b * whole;
    for (std::size_t j = 0; j < quarter; ++j) {
      FrX8 x[4] = {block[j], block[quarter + j], block[2 * quarter + j], block[3 * quarter + j]};
      four(x, c, c0, c1);
      for (std::size_t i = 0; i < 4; ++i) block[i * quarter + j] = x[i];
    }
  }
}

template <typename Factor, typename Two>
[[gnu::always_inline]] inline void one_level(FrX8* records, std::size_t whole, unsigned s, Factor factor,
                                             Two two) {
  const std::size_t half = whole / 2;
  for (std::size_t b = 0; b < std::size_t{1} << s; ++b) {
    const FrX8 c = broadcast(factor(s, b));
    FrX8* block = records + b * whole;
    for (std::size_t j = 0; j < half; ++j) two(block[j], block[half + j], c);
  }
}

// 2^levels records. With `from_the_top`, factor(s, 0) = 1 for all s.
template <typename Factor>
[[gnu::always_inline]] inline void records_to_reversed(FrX8* records, unsigned levels, bool from_the_top,
                                                       Factor factor) {
  unsigned s = 0;
  if (from_the_top && levels >= 2) {
    two_levels(records, std::size_t{1} << levels, 0, 0, factor,
               [](FrX8* x, const FrX8&, const FrX8&, const FrX8& c1) { first_four_to_reversed(x, c1); });
    s = 2;
  }
  for (; s + 2 <= levels; s += 2) {
    two_levels(
        records, std::size_t{1} << (levels - s), s, 0, factor,
        [](FrX8* x, const FrX8& c, const FrX8& c0, const FrX8& c1) { four_to_reversed(x, c, c0, c1); });
  }
  if (s < levels) {
    one_level(records, 2, s, factor, [](FrX8& x, FrX8& y, const FrX8& c) { butterfly_to_reversed(x, y, c); });
  }
}

template <typename Factor>
[[gnu::always_inline]] inline void records_to_natural(FrX8* records, unsigned levels, bool to_the_top,
                                                      Factor factor) {
  unsigned s = levels;
  if (s % 2 != 0) {
    --s;
    one_level(records, 2, s, factor, [](FrX8& x, FrX8& y, const FrX8& c) { butterfly_to_natural(x, y, c); });
  }
  while (s > (to_the_top ? 2 : 0)) {
    s -= 2;
    two_levels(records, std::size_t{1} << (levels - s), s, 0, factor,
               [](FrX8* x, const FrX8& c, const FrX8& c0, const FrX8& c1) { four_to_natural(x, c, c0, c1); });
  }
  if (s == 2) {
    two_levels(records, std::size_t{1} << levels, 0, 0, factor,
               [](FrX8* x, const FrX8&, const FrX8&, const FrX8& c1) { first_four_to_natural(x, c1); });
  }
}

// ---- the last three levels of a row ----

// x[i] lane k <-> x[k] lane i.
[[gnu::always_inline]] inline void transpose(FrX8* x) {
  CUZK_UNROLL
  for (std::size_t limb = 0; limb < 5; ++limb) {
    __m512i pairs[8], quads[8];
    CUZK_UNROLL
    for (std::size_t i = 0; i < 8; i += 2) {  // lanes (0 1) (2 3) ... of rows i, i + 1
      pairs[i] = _mm512_unpacklo_epi64(x[i].l[limb], x[i + 1].l[limb]);
      pairs[i + 1] = _mm512_unpackhi_epi64(x[i].l[limb], x[i + 1].l[limb]);
    }
    CUZK_UNROLL
    for (std::size_t i = 0; i < 8; i += 4) {
      CUZK_UNROLL
      for (std::size_t j = 0; j < 2; ++j) {
        quads[i + j] = _mm512_shuffle_i64x2(pairs[i + j], pairs[i + 2 + j], 0x88);
        quads[i + 2 + j] = _mm512_shuffle_i64x2(pairs[i + j], pairs[i + 2 + j], 0xdd);
      }
    }
    CUZK_UNROLL
    for (std::size_t j = 0; j < 4; ++j) {
      x[j].l[limb] = _mm512_shuffle_i64x2(quads[j], quads[4 + j], 0x88);
      x[4 + j].l[limb] = _mm512_shuffle_i64x2(quads[j], quads[4 + j], 0xdd);
    }
  }
}

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
  const FrX8 twist[3] = {broadcast(twists[levels - 3]), broadcast(twists[levels - 2]),
                         broadcast(twists[levels - 1])};
  for (std::size_t g = 0; g < tables.plan.row_length() / kGroup; ++g) {
    for (std::size_t i = 0; i < kFactorsOfGroup; ++i) {
      factors[kFactorsOfGroup * g + i] = FrX8::mul(untwisted_root(packed, g, i), twist[i == 0   ? 0
                                                                                       : i <= 2 ? 1
                                                                                                : 2]);
    }
  }
}

// out[2^s + b]: the factor of block b at level s of the row, for the levels that pair whole records.
void make_row_factors(Limbs52<FrParams>* out, const Tables& tables, const Limbs52<FrParams>* twists,
                      Root root) {
  const RootTable& table = tables.root_table(root);
  for (unsigned s = 0; s + 3 < tables.plan.row_levels; ++s) {
    const FrX8 twist = broadcast(twists[s]);
    const std::size_t count = std::size_t{1} << s;
    for (std::size_t b = 0; b < count; b += kLanes) {
      Fr products[kLanes];
      FrX8::store(products, FrX8::mul(FrX8::load(table.packed.data() + b), twist));
      for (std::size_t k = 0; k < std::min(kLanes, count); ++k) {
        out[count + b + k] = split52<FrParams>(products[k].montgomery());
      }
    }
  }
}

[[gnu::always_inline]] inline void group_to_reversed(FrX8* x, const FrX8* factors) {
  CUZK_UNROLL
  for (std::size_t j = 0; j < 2; ++j) {
    FrX8 quarter[4] = {x[j], x[2 + j], x[4 + j], x[6 + j]};
    four_to_reversed(quarter, factors[0], factors[1], factors[2]);
    for (std::size_t i = 0; i < 4; ++i) x[2 * i + j] = quarter[i];
  }
  CUZK_UNROLL
  for (std::size_t i = 0; i < 4; ++i) butterfly_to_reversed(x[2 * i], x[2 * i + 1], factors[3 + i]);
}

[[gnu::always_inline]] inline void group_to_natural(FrX8* x, const FrX8* factors) {
  CUZK_UNROLL
  for (std::size_t i = 0; i < 4; ++i) butterfly_to_natural(x[2 * i], x[2 * i + 1], factors[3 + i]);
  CUZK_UNROLL
  for (std::size_t j = 0; j < 2; ++j) {
    FrX8 quarter[4] = {x[j], x[2 + j], x[4 + j], x[6 + j]};
    four_to_natural(quarter, factors[0], factors[1], factors[2]);
    for (std::size_t i = 0; i < 4; ++i) x[2 * i + j] = quarter[i];
  }
}

// ---- scales: record 8 g + i holds the factors of values 64 g + 8 lane + i ----

void make_scale_records(FrX8* out, const Tables& tables, std::size_t row, const Scale& scale) {
  const FrX8 factor = broadcast(tables.row_factor(row, scale));
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

// From any bound to canonical values.
void store_columns(Fr* first, const FrX8* records, const ColumnPass& pass) {
  for (std::size_t i = 0; i < std::size_t{1} << pass.levels; ++i) {
    FrX8::store(first + i * pass.stride, FrX8::reduce(nearly_reduce(records[i])));
  }
}

void transform_columns_to_reversed(FrX8* records, const Tables& tables, const ColumnPass& pass,
                                   std::size_t block, Root root) {
  const Limbs52<FrParams>* table = tables.root_table(root).limbs.data();
  records_to_reversed(
      records, pass.levels, block == 0,
      [ table, block ](unsigned s, std::size_t b) -> const auto& { return table[(block << s) + b]; });
}

void transform_columns_to_natural(FrX8* records, const Tables& tables, const ColumnPass& pass,
                                  std::size_t block, Root root) {
  const Limbs52<FrParams>* table = tables.root_table(root).limbs.data();
  records_to_natural(
      records, pass.levels, block == 0,
      [ table, block ](unsigned s, std::size_t b) -> const auto& { return table[(block << s) + b]; });
}

// The factors of one row and one root.
struct RowFactors {
  Limbs52<FrParams>* of_records;
  FrX8* of_groups;

  void make(const Tables& tables, std::size_t row, Root root) const {
    const auto twists = tables.twists(row, root);
    make_row_factors(of_records, tables, twists.data(), root);
    make_group_factors(of_groups, tables, twists.data(), root);
  }
};

void transform_records_of_row_to_reversed(FrX8* records, const Tables& tables,
                                          const Limbs52<FrParams>* factors) {
  records_to_reversed(
      records, tables.plan.row_levels - 3, false, [factors](unsigned s, std::size_t b) -> const auto& {
        return factors[(std::size_t{1} << s) + b];
      });
}

void transform_records_of_row_to_natural(FrX8* records, const Tables& tables,
                                         const Limbs52<FrParams>* factors) {
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
      const FrX8 value = scale != nullptr ? FrX8::mul(x[i], scale[r + i]) : nearly_reduce(x[i]);
      FrX8::store(row + kLanes * r + i, FrX8::reduce(value), kLanes);
    }
  }
}

void begin_row_to_natural(FrX8* records, const Fr* row, std::size_t count, const FrX8* factors,
                          const FrX8* scale) {
  for (std::size_t r = 0; r < count; r += 8, factors += kFactorsOfGroup) {
    FrX8 x[8];
    for (std::size_t i = 0; i < 8; ++i) {
      x[i] = FrX8::load(row + kLanes * r + i, kLanes);
      if (scale != nullptr) x[i] = FrX8::mul(x[i], scale[r + i]);
    }
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
    for (std::size_t i = 0; i < 8; ++i) x[i] = FrX8::mul(x[i], scale[r + i]);
    group_to_natural(x, to_natural);
    transpose(x);
    for (std::size_t i = 0; i < 8; ++i) records[r + i] = x[i];
  }
}

// Values below 2p.
void store_row(Fr* row, const FrX8* records, std::size_t count) {
  for (std::size_t r = 0; r < count; ++r) FrX8::store(row + kLanes * r, FrX8::reduce(records[r]));
}

// a <- (a b - c) factor, in the scalar form; all below 2p. With scalar forms a 2^256 etc., mul_add gives (a b - c) 2^252,
// where -c comes from the plain integer -2^256, and the last constant is factor 2^264.
void combine(FrX8* a, const FrX8* b, const FrX8* c, std::size_t count, const Fr& factor) {
  const FrX8 minus = FrX8::broadcast_scalar_form(-Fr::one());
  const FrX8 last = broadcast(radix52_form(times_power_of_two(factor, 4)));
  for (std::size_t i = 0; i < count; ++i) a[i] = FrX8::mul(FrX8::mul_add(a[i], b[i], c[i], minus), last);
}

CUZK_IFMA_END

class IfmaKernel final : public NttKernel {
 public:
  explicit IfmaKernel(const PassPlan& plan)
      : tables_{.plan = plan,
                .roots = {RootTable(Root::forward, table_length(plan)),
                          RootTable(Root::inverse, table_length(plan))},
                .powers = {x8_powers(plan, Scale::Base::generator),
                           x8_powers(plan, Scale::Base::inverse_generator)}} {
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
    store_columns(first, records, pass);
  }

  void columns_to_natural(Fr* first, const ColumnPass& pass, std::size_t block, Root root) const override {
    FrX8* records = static_cast<FrX8*>(workspace().get(sizeof(FrX8) << pass.levels));
    load_columns(records, first, pass);
    transform_columns_to_natural(records, tables_, pass, block, root);
    store_columns(first, records, pass);
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

  void row_to_natural(Fr* row, std::size_t index, Root root, const Scale& before) const override {
    const RowSpace space(tables_);
    space.first.make(tables_, index, root);
    if (!before.is_trivial()) make_scale_records(space.scale, tables_, index, before);
    begin_row_to_natural(space.records, row, tables_.num_records(), space.first.of_groups,
                         before.is_trivial() ? nullptr : space.scale);
    transform_records_of_row_to_natural(space.records, tables_, space.first.of_records);
    store_row(row, space.records, tables_.num_records());
  }

  void rows_through_coefficients(Fr* const rows[3], std::size_t index, const Scale& scale) const override {
    const RowSpace space(tables_);
    space.first.make(tables_, index, Root::inverse);
    space.second.make(tables_, index, Root::forward);
    make_scale_records(space.scale, tables_, index, scale);
    for (int k = 0; k < 3; ++k) {
      load_row(space.records, rows[k], tables_.num_records());
      transform_records_of_row_to_reversed(space.records, tables_, space.first.of_records);
      turn_row(space.records, tables_.num_records(), space.first.of_groups, space.second.of_groups,
               space.scale);
      transform_records_of_row_to_natural(space.records, tables_, space.second.of_records);
      store_row(rows[k], space.records, tables_.num_records());
    }
  }

  void quotient_columns(Fr* a, Fr* b, Fr* c, const ColumnPass& pass, const Fr& factor) const override {
    const std::size_t count = std::size_t{1} << pass.levels;
    FrX8* records = static_cast<FrX8*>(workspace().get(3 * count * sizeof(FrX8)));
    const Fr* const columns[3] = {a, b, c};
    for (std::size_t k = 0; k < 3; ++k) {
      load_columns(records + k * count, columns[k], pass);
      transform_columns_to_natural(records + k * count, tables_, pass, 0, Root::forward);
    }
    combine(records, records + count, records + 2 * count, count, factor);
    transform_columns_to_reversed(records, tables_, pass, 0, Root::inverse);
    store_columns(a, records, pass);
  }

 private:
  // The parts of a thread's workspace that a row needs.
  struct RowSpace {
    FrX8* records;
    FrX8* scale;
    RowFactors first, second;

    explicit RowSpace(const Tables& tables) {
      const std::size_t count = tables.num_records(), factors = tables.num_group_factors();
      const std::size_t bytes =
          (2 * count + 2 * factors) * sizeof(FrX8) + 2 * count * sizeof(Limbs52<FrParams>);
      records = static_cast<FrX8*>(workspace().get(bytes));
      scale = records + count;
      first.of_groups = scale + count;
      second.of_groups = first.of_groups + factors;
      first.of_records = reinterpret_cast<Limbs52<FrParams>*>(second.of_groups + factors);
      second.of_records = first.of_records + count;
    }
  };

  static std::size_t table_length(const PassPlan& plan) {
    return std::size_t{1} << std::max(plan.row_levels, plan.log_n - plan.row_levels);
  }
  static std::vector<Fr> x8_powers(const PassPlan& plan, Scale::Base base) {
    std::vector<Fr> powers = bit_reversed_powers(plan, base_of(base));
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
