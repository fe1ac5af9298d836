// The files of src/server/page/, built into the program by embed_page.cmake.
#pragma once

#include <span>
#include <string_view>

namespace cuzk {

struct PageAsset {
  std::string_view path;  // as it is asked for: "/" or "/page/main.js"
  std::string_view content_type;
  std::string_view content;
};

std::span<const PageAsset> page_assets();

}  // namespace cuzk
