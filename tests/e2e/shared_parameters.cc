// `cuzk setup` puts a .params file in place whole, and the .vk before it, so that what is there is complete.
#include "shared_parameters.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <stdexcept>

#include "engine/circuit_id.h"
#include "run_program.h"
#include "srs/parameter_paths.h"

namespace cuzk {
namespace {

const CircuitParameters& small_circuit(ProofKind kind) {
  return *find_circuit(small_circuit_id(kind)).value();
}

// Held by one program at a time.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder)
      : fd_(::open((folder / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)) {
    if (fd_ < 0 || ::flock(fd_, LOCK_EX) != 0) throw std::runtime_error("cannot lock " + folder.string());
  }
  ~FolderLock() { ::close(fd_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  const int fd_;
};

}  // namespace

std::string small_circuit_id(ProofKind kind) {
  switch (kind) {
    case ProofKind::winning:
      return "winning-2k";
    case ProofKind::window:
      return "wpost-2k";
    case ProofKind::update:
      return "snap-2k";
    default:
      return "porep-2k";
  }
}

std::filesystem::path params_path(const std::filesystem::path& folder, ProofKind kind) {
  return parameter_paths(folder, small_circuit(kind).cache_id).params;
}

std::string shared_circuit_cache() {
  return std::string(CUZK_TEST_PARAMS) + "/circuits";
}

std::vector<std::filesystem::path> shared_parameters(ProofKind kind) {
  const std::filesystem::path folder = CUZK_TEST_PARAMS;
  std::filesystem::create_directories(folder);
  const FolderLock lock(folder);
  const ParameterPaths paths = parameter_paths(folder, small_circuit(kind).cache_id);
  if (!std::filesystem::exists(paths.params)) {
    const ProgramResult made = run_program({CUZK_PROGRAM, "setup", "--circuit", proof_kind_name(kind),
                                            "--sector-size", "2KiB", "--params-dir", folder.string()},
                                           {"CUZK_CACHE_DIR=" + shared_circuit_cache()});
    if (made.exit_code != 0) throw std::runtime_error("cuzk setup: " + made.err);
  }
  return {paths.params, paths.vk, paths.meta};
}

void link_parameters(const std::filesystem::path& folder, const std::vector<ProofKind>& kinds) {
  std::filesystem::create_directories(folder);
  for (const ProofKind kind : kinds)
    for (const std::filesystem::path& file : shared_parameters(kind))
      std::filesystem::create_symlink(file, folder / file.filename());
}

}  // namespace cuzk
