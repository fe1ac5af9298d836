// The one-lane backend of chain_sum.h: plain field arithmetic, always reduced, in the form of the field classes.
#pragma once

#include "msm/point_kernels.h"

namespace cuzk {

template <typename F>
struct PortableLane {
  using Field = F;
  using Element = F;
  using Mask = std::uint8_t;
  static constexpr std::size_t kLanes = 1;
  static constexpr Mask kAllLanes = 1;

  // Bounds of lazily reduced values; there are none here.
  struct Round {
    explicit Round(unsigned) {}
  };

  static Element one() noexcept { return F::one(); }
  static Element mul(const Element& a, const Element& b) noexcept { return a * b; }
  static Element sqr(const Element& a) noexcept { return a.squared(); }
  static Element sum(const Element& a, const Element& b) noexcept { return a + b; }
  static Element twice(const Element& a) noexcept { return a.doubled(); }
  static Element inverse(const Element& a) noexcept { return a.inverse(); }
  static Element select(Mask mask, const Element& a, const Element& b) noexcept { return mask != 0 ? a : b; }
  static Mask is_zero(const Element& a) noexcept { return a.is_zero(); }

  static Element difference(const Element& a, const Element& b, const Round&) noexcept { return a - b; }
  static Element next_difference(const Element& a, const Element& b, const Round&) noexcept { return a - b; }
  static Element zero_difference(const Round&) noexcept { return F::zero(); }
  static Element third_x(const Element& slope, const Element& ax, const Element& e, const Round&) noexcept {
    return slope.squared() - ax.doubled() - e;
  }
  static Element third_y(const Element& slope, const Element& way, const Element& ay, const Round&) noexcept {
    return slope * way - ay;
  }
  static Mask maybe_zero(const Element& a, const Round&) noexcept { return a.is_zero(); }

  static void load_points(const KernelPoint<F>* points, const PointRef* refs, Element& x,
                          Element& y) noexcept {
    const KernelPoint<F>& point = points[refs[0] & ~kNegate];
    x = point.x;
    y = (refs[0] & kNegate) != 0 ? -point.y : point.y;
  }
  static void store_points(KernelPoint<F>* points, const Element& x, const Element& y) noexcept {
    points[0] = {x, y};
  }
};

}  // namespace cuzk
