#include "circuit/circuit_cache.h"

#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "circuit/proof_input.h"
#include "r1cs/r1cs_file.h"

namespace cuzk {
namespace {

// What the file must say that it is.
std::string label_of(const CircuitParameters& circuit) {
  return std::string("cuzk circuits ") + std::to_string(kCircuitFormatVersion) + ": " +
         proof_kind_name(circuit.kind) + " " + circuit.shape->name + ", " + circuit.cache_id;
}

// The path in an environment variable, if it is one that counts.
std::filesystem::path absolute_path(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return {};
  std::filesystem::path path(value);
  return path.is_absolute() ? path : std::filesystem::path();
}

// "" or why the file could not be written.
std::string store(const R1cs& r1cs, const std::string& label, const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) return path.parent_path().string() + ": " + error.message();
  const Status written = write_r1cs_file(r1cs, label, path);
  return written.is_ok() ? "" : written.message();
}

}  // namespace

std::filesystem::path CircuitCache::default_directory() {
  if (const char* directory = std::getenv("CUZK_CACHE_DIR")) return directory;
  if (const auto path = absolute_path("XDG_CACHE_HOME"); !path.empty()) return path / "cuzk";
  // Services often run with a home that is not there or not theirs.
  const std::filesystem::path home = absolute_path("HOME");
  if (!home.empty() && ::access(home.c_str(), W_OK | X_OK) == 0) return home / ".cache" / "cuzk";
  return {};
}

std::filesystem::path CircuitCache::path_of(const CircuitParameters& circuit) const {
  if (directory_.empty()) return {};
  return directory_ / (circuit.cache_id + "-c" + std::to_string(kCircuitFormatVersion) + ".r1cs");
}

CachedCircuit CircuitCache::get(const CircuitParameters& circuit) const {
  if (directory_.empty()) return {record_circuit(circuit), false, ""};
  const std::filesystem::path path = path_of(circuit);
  const std::string label = label_of(circuit);
  std::string note;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    Result<R1cs> found = read_r1cs_file(label, path);
    if (found.is_ok()) return {std::move(found).value(), true, ""};
    note = found.status().message();
  }
  R1cs r1cs = record_circuit(circuit);
  const std::string failure = store(r1cs, label, path);
  if (!failure.empty()) note = failure;
  return {std::move(r1cs), false, note};
}

}  // namespace cuzk
