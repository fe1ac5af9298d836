// sum_chains (point_kernels.h) over a lane backend L: L::kLanes chains advance together, one per lane.
//
// For each vector of lanes there is a record: the accumulators (ax, ay), and of the addition in progress
// e = x - ax, n = y - ay and the product of all e of this round up to this one. With `inverse` = 1 / (product of all e),
// taking the records in the opposite order gives every 1/e = inverse * (product before it), inverse *= e. So a round is
//
//     slope = n / e,  x3 = slope^2 - ax - x,  y3 = slope (ax - x3) - ay
//
// and the sweep that consumes round j also builds the product for round j + 1; sweeps alternate in direction.
// The product is per lane: lanes meet only in the inversion.
//
// Exceptions are exact: a lane that has no point left, gets its first point, or meets the opposite of its accumulator
// puts 1 into the product and keeps what the accumulator was set to; equal points put 2 ay, with n = 3 ax^2.
//
// Source: Montgomery's trick across independent affine additions, as used for MSM buckets in gnark-crypto and others.
//
// This file is included once by each build, after the headers that its backend needs, and inside the region of the
// build's instruction set; so it defines templates over L only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "msm/point_kernels.h"

namespace cuzk {

template <class L>
class ChainSum {
 public:
  using Field = typename L::Field;
  using Element = typename L::Element;
  using Mask = typename L::Mask;
  using Batch = ChainBatch<Field>;
  static constexpr std::size_t kLanes = L::kLanes;

  struct alignas(64) Record {
    Element ax, ay, e, n, product;
    Mask infinite;  // lanes whose accumulator is infinity
    Mask keep;      // lanes that do not change in this round
    Mask twice;     // lanes that double
  };

  static std::size_t scratch_bytes(std::size_t count) noexcept {
    return (count + kLanes - 1) / kLanes * sizeof(Record);
  }

  static void run(const Batch& batch, std::byte* scratch) {
    ChainSum sum(batch, reinterpret_cast<Record*>(scratch));
    sum.first_points();
    unsigned round = 1;
    for (bool upward = true; sum.start_round(round); ++round, upward = !upward) sum.sweep(round, upward);
    sum.store(round);
  }

 private:
  ChainSum(const Batch& batch, Record* records)
      : batch_(batch), records_(records), num_vectors_((batch.count + kLanes - 1) / kLanes) {}

  // Vectors that have a chain longer than j; they are the first ones.
  std::size_t active_vectors(unsigned j) const {
    while (num_active_ > 0 && batch_.length[(num_active_ - 1) * kLanes] <= j) --num_active_;
    return num_active_;
  }

  // Lanes of vector v, which must be active, that have a j-th point. refs receives it, and a valid reference for the other lanes.
  Mask read_refs(std::size_t v, unsigned j, PointRef* refs) const {
    const std::size_t begin = v * kLanes;
    const std::size_t offset = j * batch_.stride;
    if (begin + kLanes <= batch_.count && batch_.length[begin + kLanes - 1] > j) [[likely]] {
      for (std::size_t k = 0; k < kLanes; ++k) refs[k] = batch_.refs[batch_.start[begin + k] + offset];
      return L::kAllLanes;
    }
    const PointRef usable = batch_.refs[batch_.start[begin] + offset];  // the longest chain has a j-th point
    unsigned lanes = 0;
    for (std::size_t k = 0; k < kLanes; ++k) {
      const std::size_t chain = begin + k;
      const bool has_point = chain < batch_.count && batch_.length[chain] > j;
      refs[k] = has_point ? batch_.refs[batch_.start[chain] + offset] : usable;
      lanes |= static_cast<unsigned>(has_point) << k;
    }
    return static_cast<Mask>(lanes);
  }

  // Always inlined: g++ 12 takes a call of a function that only prefetches for one without effect, and drops it.
  [[gnu::always_inline]] void prefetch(std::size_t v, unsigned j) const {
    PointRef refs[kLanes];
    read_refs(v, j, refs);
    for (std::size_t k = 0; k < kLanes; ++k) {
      const auto* bytes = reinterpret_cast<const char*>(batch_.points + (refs[k] & ~kNegate));
      for (std::size_t line = 0; line < sizeof(KernelPoint<Field>); line += 64)
        __builtin_prefetch(bytes + line);
    }
  }

  void first_points() {
    num_active_ = num_vectors_;
    const std::size_t active = active_vectors(0);
    for (std::size_t v = 0; v < active; ++v) {
      if (v + kPrefetchDistance < active) prefetch(v + kPrefetchDistance, 0);
      Record& r = records_[v];
      PointRef refs[kLanes];
      const Mask lanes = read_refs(v, 0, refs);
      L::load_points(batch_.points, refs, r.ax, r.ay);
      r.infinite = static_cast<Mask>(L::kAllLanes & ~lanes);
      r.keep = r.twice = 0;
    }
    for (std::size_t v = active; v < num_vectors_; ++v) records_[v].infinite = L::kAllLanes;
    const std::size_t next = active_vectors(1);
    const typename L::Round bounds(1);
    product_ = &one_;
    for (std::size_t v = 0; v < next; ++v) {
      if (v + kPrefetchDistance < next) prefetch(v + kPrefetchDistance, 1);
      prepare(v, 1, bounds);
    }
  }

  // Turns the product that was built for this round into its inverse; false if no chain is that long.
  bool start_round(unsigned round) {
    if (active_vectors(round) == 0) return false;
    inverse_ = L::inverse(*product_);
    product_ = &one_;
    return true;
  }

  // Finishes the additions of `round` and prepares those of the next. The product was built in the direction that
  // `upward` names, and is taken apart in the other.
  void sweep(unsigned round, bool upward) {
    const std::size_t active = active_vectors(round);
    const std::size_t next = active_vectors(round + 1);
    const typename L::Round bounds(round), next_bounds(round + 1);
    for (std::size_t i = 0; i < active; ++i) {
      const std::size_t v = upward ? active - 1 - i : i;
      const std::size_t ahead = upward ? v - kPrefetchDistance : v + kPrefetchDistance;
      if (ahead < next) prefetch(ahead, round + 1);
      const Element& before = i + 1 == active ? one_ : records_[upward ? v - 1 : v + 1].product;
      if (v < next) {
        finish_and_prepare(v, round, before, bounds, next_bounds);
      } else {
        finish(records_[v], before, bounds);
      }
    }
  }

  void prepare(std::size_t v, unsigned round, const typename L::Round& bounds) {
    Record& r = records_[v];
    Element x, y;
    const Mask lanes = load_points(v, round, x, y);
    prepare_with(r, lanes, x, y, L::difference(x, r.ax, bounds), bounds);
  }

  [[gnu::always_inline]] Mask load_points(std::size_t v, unsigned round, Element& x, Element& y) const {
    PointRef refs[kLanes];
    const Mask lanes = read_refs(v, round, refs);
    L::load_points(batch_.points, refs, x, y);
    return lanes;
  }

  // The rest of prepare, from e on.
  [[gnu::always_inline]] void prepare_with(Record& r, Mask lanes, const Element& x, const Element& y,
                                           Element e, const typename L::Round& bounds) {
    Element n = L::difference(y, r.ay, bounds);
    const Mask suspect = static_cast<Mask>(L::maybe_zero(e, bounds) | r.infinite | (L::kAllLanes & ~lanes));
    if (suspect != 0) [[unlikely]]
      settle_exceptions(r, lanes, x, y, e, n);
    r.e = e;
    r.n = n;
    r.product = L::mul(*product_, e);
    product_ = &r.product;
  }

  [[gnu::noinline]] static void settle_exceptions(Record& r, Mask lanes, const Element& x, const Element& y,
                                                  Element& e, Element& n) {
    const Mask first = static_cast<Mask>(lanes & r.infinite);
    const Mask meeting = static_cast<Mask>(lanes & ~r.infinite & L::is_zero(e));
    r.twice = static_cast<Mask>(meeting & L::is_zero(n));
    const Mask cancel = static_cast<Mask>(meeting & ~r.twice);
    r.keep = static_cast<Mask>((L::kAllLanes & ~lanes) | first | cancel);
    r.infinite = static_cast<Mask>((r.infinite & ~first) | cancel);
    // Equal points: the accumulator takes the new one's reduced coordinates, which third_x relies on.
    const Mask take = static_cast<Mask>(first | r.twice);
    r.ax = L::select(take, x, r.ax);
    r.ay = L::select(take, y, r.ay);
    e = L::select(r.keep, L::one(), L::select(r.twice, L::twice(r.ay), e));
    const Element square = L::sqr(r.ax);
    n = L::select(r.twice, L::sum(L::twice(square), square), n);
  }

  void finish(Record& r, const Element& before, const typename L::Round& bounds) {
    const Element slope = next_slope(r, before);
    inverse_ = L::mul(inverse_, r.e);
    if ((r.keep | r.twice) != 0) [[unlikely]]
      return finish_exceptional(r, slope, bounds);
    const Element x3 = L::third_x(slope, r.ax, r.e, bounds);
    r.ay = L::third_y(slope, L::next_difference(r.ax, x3, bounds), r.ay, bounds);
    r.ax = x3;
  }

  [[gnu::always_inline]] Element next_slope(const Record& r, const Element& before) const {
    return L::mul(L::mul(inverse_, before), r.n);
  }

  [[gnu::noinline]] static void finish_exceptional(Record& r, const Element& slope,
                                                   const typename L::Round& bounds) {
    const Element e = L::select(r.twice, L::zero_difference(bounds), r.e);
    const Element x3 = L::third_x(slope, r.ax, e, bounds);
    const Element y3 = L::third_y(slope, L::next_difference(r.ax, x3, bounds), r.ay, bounds);
    r.ax = L::select(r.keep, r.ax, x3);
    r.ay = L::select(r.keep, r.ay, y3);
    r.keep = r.twice = 0;
  }

  // finish, then prepare for the next round. The steps are interleaved such that between two products that need each
  // other, or beside the carries of a difference, there is one that needs neither: that keeps the multipliers busy.
  [[gnu::always_inline]] void finish_and_prepare(std::size_t v, unsigned round, const Element& before,
                                                 const typename L::Round& bounds,
                                                 const typename L::Round& next_bounds) {
    Record& r = records_[v];
    if ((r.keep | r.twice) != 0) [[unlikely]] {
      finish(r, before, bounds);
      return prepare(v, round + 1, next_bounds);
    }
    Element x, y;
    const Element slope = next_slope(r, before);
    const Element x3 = L::third_x(slope, r.ax, r.e, bounds);
    inverse_ = L::mul(inverse_, r.e);
    const Mask lanes = load_points(v, round + 1, x, y);
    const Element e = L::difference(x, x3, next_bounds);
    r.ay = L::third_y(slope, L::next_difference(r.ax, x3, bounds), r.ay, bounds);
    r.ax = x3;
    prepare_with(r, lanes, x, y, e, next_bounds);
  }

  // `round` is the first in which nothing was added.
  void store(unsigned round) const {
    const typename L::Round bounds(round);
    for (std::size_t v = 0; v < num_vectors_; ++v) {
      const Record& r = records_[v];
      KernelPoint<Field> points[kLanes] = {};
      if (r.infinite != L::kAllLanes) L::store_points(points, r.ax, r.ay);
      for (std::size_t k = 0; k < kLanes && v * kLanes + k < batch_.count; ++k) {
        const bool infinite = ((r.infinite >> k) & 1) != 0;
        batch_.out[batch_.slot[v * kLanes + k]] = infinite ? KernelPoint<Field>{} : points[k];
      }
    }
  }

  static constexpr std::size_t kPrefetchDistance = 32 / kLanes;

  const Batch& batch_;
  Record* records_;
  std::size_t num_vectors_;
  mutable std::size_t num_active_ = 0;  // of the last round asked for
  const Element one_ = L::one();
  const Element* product_ = nullptr;  // of all e prepared so far for the next round
  Element inverse_;                   // what is left of the inverted product of the round being finished
};

}  // namespace cuzk
