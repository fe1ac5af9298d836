#include "vanilla/field_path.h"

namespace cuzk {

std::string FieldPath::to_string() const {
  std::string out;
  bool after_ordinal = false;
  for (const Frame& frame : frames_) {
    if (frame.kind == Kind::index) {
      out += "[" + std::to_string(frame.number) + "]";
      continue;
    }
    if (!out.empty()) out += after_ordinal || frame.kind == Kind::ordinal ? ", " : ".";
    out += frame.name;
    after_ordinal = frame.kind == Kind::ordinal;
    if (after_ordinal) out += " " + std::to_string(frame.number);
  }
  return out;
}

}  // namespace cuzk
