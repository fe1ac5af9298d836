#include "engine/parameter_probe.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"

namespace cuzk {
namespace {

constexpr std::size_t kSampledPages = 64;

std::int64_t nanoseconds(const struct timespec& time) noexcept {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

std::optional<FileIdentity> FileIdentity::of(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileIdentity{info.st_dev, info.st_ino, static_cast<std::uint64_t>(info.st_size),
                      nanoseconds(info.st_mtim), nanoseconds(info.st_ctim)};
}

std::filesystem::path ParameterProbe::path_of(const CircuitParameters& circuit) const {
  return parameter_paths(directory_, circuit.cache_id).params;
}

ParameterProbe::Verdict ParameterProbe::examine(const CircuitParameters& circuit,
                                                const std::optional<FileIdentity>& identity) const {
  Result<ParameterFile> file = ParameterFile::open(path_of(circuit));
  if (!file.is_ok() && identity && std::filesystem::is_regular_file(path_of(circuit))) {
    const R1cs r1cs = cache_.get(circuit).r1cs;
    file = ParameterFile::open(path_of(circuit), SrsCounts::of(r1cs, r1cs.densities()));
  }
  if (!file.is_ok()) return {identity, file.status(), {}};
  return {identity, Status::ok(), file.value().counts()};
}

Result<SrsCounts> ParameterProbe::check(const CircuitParameters& circuit) {
  const std::optional<FileIdentity> identity = FileIdentity::of(path_of(circuit));
  {
    const std::lock_guard lock(mutex_);
    const auto known = verdicts_.find(&circuit);
    if (known != verdicts_.end() && known->second.identity == identity) {
      if (!known->second.status.is_ok()) return known->second.status;
      return known->second.counts;
    }
  }
  Verdict verdict = examine(circuit, identity);
  const std::lock_guard lock(mutex_);
  verdicts_[&circuit] = verdict;
  if (!verdict.status.is_ok()) return verdict.status;
  return verdict.counts;
}

void ParameterProbe::remember_failure(const CircuitParameters& circuit,
                                      const std::optional<FileIdentity>& identity, const Status& failure) {
  const std::lock_guard lock(mutex_);
  verdicts_[&circuit] = {identity, failure, {}};
}

bool is_in_page_cache(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat info {};
  void* map = MAP_FAILED;
  if (::fstat(fd, &info) == 0 && info.st_size > 0)
    map = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  if (map == MAP_FAILED) return false;
  const auto size = static_cast<std::size_t>(info.st_size);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t pages = (size + page - 1) / page;
  std::size_t asked = 0, present = 0;
  for (std::size_t i = 0; i < kSampledPages; ++i) {
    unsigned char state = 0;
    if (::mincore(static_cast<char*>(map) + i * pages / kSampledPages * page, page, &state) != 0) continue;
    ++asked;
    present += state & 1;
  }
  ::munmap(map, size);
  return asked > 0 && 2 * present > asked;
}

}  // namespace cuzk
