// ParameterProbe: whether the parameters of a circuit can be used, found out without loading them.
//
// A file is opened and checked once (parameter_file.h: it takes milliseconds); the verdict holds until the file changes. A load that
// fails later, on a damaged point or on counts that are not the circuit's, is remembered the same way.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "base/status.h"
#include "circuit/circuit_cache.h"
#include "groth16/srs_view.h"
#include "vanilla/registered_proofs.h"

namespace cuzk {

// Tells one content of a file from another without reading it.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  // Nothing if there is no such file.
  static std::optional<FileIdentity> of(const std::filesystem::path& path);
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// Thread-safe.
class ParameterProbe {
 public:
  // `cache` is asked for what a circuit needs when its file is wrong, so that the failure can say it.
  ParameterProbe(std::filesystem::path directory, CircuitCache cache)
      : directory_(std::move(directory)), cache_(std::move(cache)) {}

  std::filesystem::path path_of(const CircuitParameters& circuit) const;
  // The counts in the file. unavailable names the path and the reason.
  Result<SrsCounts> check(const CircuitParameters& circuit);
  // A load of the file that was `identity` failed: check() gives this failure as long as the file is that.
  void remember_failure(const CircuitParameters& circuit, const std::optional<FileIdentity>& identity,
                        const Status& failure);

 private:
  struct Verdict {
    std::optional<FileIdentity> identity;
    Status status;
    SrsCounts counts;
  };

  Verdict examine(const CircuitParameters& circuit, const std::optional<FileIdentity>& identity) const;

  const std::filesystem::path directory_;
  const CircuitCache cache_;
  std::mutex mutex_;
  std::map<const CircuitParameters*, Verdict> verdicts_;
};

// Whether most of a file is in the page cache, by a sample of its pages; false if it cannot be told.
bool is_in_page_cache(const std::filesystem::path& path);

}  // namespace cuzk
