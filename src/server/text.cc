#include "server/text.h"

#include <algorithm>
#include <cstdint>

namespace cuzk {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kEllipsis = "...";

// The length of the well-formed character at the start of `text`, or 0. Table 3-7 of the Unicode standard.
std::size_t character_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const auto is_tail = [&](std::size_t i, std::uint8_t low = 0x80, std::uint8_t high = 0xBF) {
    return i < text.size() && at(i) >= low && at(i) <= high;
  };
  const std::uint8_t first = at(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return is_tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const std::uint8_t low = first == 0xE0 ? 0xA0 : 0x80;
    const std::uint8_t high = first == 0xED ? 0x9F : 0xBF;
    return is_tail(1, low, high) && is_tail(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const std::uint8_t low = first == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t high = first == 0xF4 ? 0x8F : 0xBF;
    return is_tail(1, low, high) && is_tail(2) && is_tail(3) ? 4 : 0;
  }
  return 0;
}

bool is_control(char c) {
  return (static_cast<std::uint8_t>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

}  // namespace

std::string clean_utf8(std::string_view text, std::size_t max_bytes) {
  const std::size_t max_cut = max_bytes - std::min(max_bytes, kEllipsis.size());
  std::string clean;
  std::size_t cut = 0;  // where a text that turns out too long ends
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const bool is_good = length > 0 && !is_control(text[0]);
    clean.append(is_good ? text.substr(0, length) : kReplacement);
    text.remove_prefix(is_good ? length : 1);
    if (clean.size() <= max_cut) cut = clean.size();
    if (clean.size() > max_bytes) return clean.substr(0, cut).append(kEllipsis);
  }
  return clean;
}

std::string clean_ascii(std::string_view text, std::size_t max_bytes) {
  std::string clean(text.substr(0, max_bytes));
  for (char& c : clean)
    if (c < 0x20 || c > 0x7e) c = '?';
  return clean;
}

}  // namespace cuzk
