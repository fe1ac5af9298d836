// Variable: one column of an R1CS. Inputs and auxiliary variables are two separate index spaces; input 0 is
// ONE.
#pragma once

#include <compare>
#include <cstdint>

namespace cuzk {

class Variable {
 public:
  constexpr Variable() noexcept = default;  // ONE
  static constexpr Variable input(std::uint32_t index) noexcept { return Variable(index); }
  static constexpr Variable aux(std::uint32_t index) noexcept { return Variable(index | kAuxBit); }

  constexpr bool is_aux() const noexcept { return (raw_ & kAuxBit) != 0; }
  constexpr std::uint32_t index() const noexcept { return raw_ & ~kAuxBit; }
  // Inputs before aux, each by ascending index: the order of terms in a digest.
  constexpr auto operator<=>(const Variable&) const noexcept = default;

 private:
  explicit constexpr Variable(std::uint32_t raw) noexcept : raw_(raw) {}
  static constexpr std::uint32_t kAuxBit = 1u << 31;
  std::uint32_t raw_ = 0;
};

inline constexpr Variable kOneVariable = Variable::input(0);

}  // namespace cuzk
