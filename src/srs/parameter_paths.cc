#include "srs/parameter_paths.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "srs/atomic_file.h"
#include "srs/mapped_file.h"

namespace cuzk {
namespace {

constexpr std::string_view kVersion = "v28-";
constexpr const char* kDefaultDirectory = "/var/tmp/filecoin-proof-parameters";
constexpr const char* kTestNote =
    "TEST ONLY: the toxic scalars of these parameters are known, so proofs made with them can be forged";

}  // namespace

std::filesystem::path parameter_directory() {
  const char* directory = std::getenv("FIL_PROOFS_PARAMETER_CACHE");
  return directory != nullptr && *directory != '\0' ? directory : kDefaultDirectory;
}

ParameterPaths parameter_paths(const std::filesystem::path& directory, std::string_view cache_id) {
  const std::string stem = std::string(kVersion) + std::string(cache_id);
  return {directory / (stem + ".params"), directory / (stem + ".vk"), directory / (stem + ".meta")};
}

Result<ParameterMeta> read_meta(const std::filesystem::path& path) {
  CUZK_ASSIGN(const MappedFile file, MappedFile::open(path));
  const auto bytes = file.bytes();
  const nlohmann::json json = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
  const auto malformed = [&](const char* what) { return unavailable(path.string() + ": " + what); };
  if (!json.is_object()) return malformed("not a JSON object");
  const auto size = json.find("sector_size");
  if (size == json.end() || !size->is_number_unsigned())
    return malformed("no unsigned number \"sector_size\"");
  const auto test_only = json.find("test_only");
  if (test_only != json.end() && !test_only->is_boolean()) return malformed("\"test_only\" is not a boolean");
  return ParameterMeta{size->get<std::uint64_t>(), test_only != json.end() && test_only->get<bool>()};
}

Status write_meta(const std::filesystem::path& path, const ParameterMeta& meta) {
  std::string text = "{\"sector_size\":" + std::to_string(meta.sector_size);
  if (meta.test_only) text += std::string(",\"test_only\":true,\"note\":\"") + kTestNote + "\"";
  text += "}";
  CUZK_ASSIGN(AtomicFile file, AtomicFile::create(path));
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  CUZK_TRY(file.write(bytes));
  return file.commit();
}

}  // namespace cuzk
