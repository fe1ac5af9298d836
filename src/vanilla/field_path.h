// Where in a nested object a reader stands, kept as cheaply as possible and spelt out only for an error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cuzk {

// Frames are names, indices and ordinals: "partition 0, challenge 3, drg_parents[2].column.rows[1]".
class FieldPath {
 public:
  // While it lives, the path is one frame longer. `name` must outlive it (a literal).
  class Scope {
   public:
    Scope(FieldPath& path, std::string_view name) : path_(path) {
      path.frames_.push_back({name, 0, Kind::name});
    }
    Scope(FieldPath& path, std::size_t index) : path_(path) {
      path.frames_.push_back({{}, index, Kind::index});
    }
    // "challenge 3"
    Scope(FieldPath& path, std::string_view name, std::size_t ordinal) : path_(path) {
      path.frames_.push_back({name, ordinal, Kind::ordinal});
    }
    ~Scope() { path_.frames_.pop_back(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    FieldPath& path_;
  };

  std::string to_string() const;

 private:
  enum class Kind { name, index, ordinal };
  struct Frame {
    std::string_view name;
    std::size_t number;
    Kind kind;
  };
  std::vector<Frame> frames_;
};

}  // namespace cuzk
