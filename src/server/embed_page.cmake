# Writes OUTPUT, the C++ source that defines page_assets() (page_assets.h), from the files of the list FILES.
set(types_html "text/html; charset=utf-8")
set(types_css "text/css; charset=utf-8")
set(types_js "text/javascript; charset=utf-8")
set(types_svg "image/svg+xml")

set(arrays "")
set(rows "")
set(index 0)
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  string(REGEX REPLACE ".*\\." "" extension ${name})
  set(path "/page/${name}")
  if(name STREQUAL "index.html")
    set(path "/")
  endif()
  file(READ ${file} hex HEX)
  string(LENGTH "${hex}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "constexpr char kFile${index}[] = {${bytes}};\n")
  string(APPEND rows "    {\"${path}\", \"${types_${extension}}\", {kFile${index}, ${length}}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"server/page_assets.h\"

namespace cuzk {
namespace {

${arrays}
constexpr PageAsset kAssets[] = {
${rows}};

}  // namespace

std::span<const PageAsset> page_assets() {
  return kAssets;
}

}  // namespace cuzk
")
