// The rows of the table of settings (config_keys.h).
#include <algorithm>
#include <cstdlib>

#include "circuit/circuit_cache.h"
#include "config_keys.h"
#include "config_text.h"
#include "engine/circuit_id.h"
#include "srs/parameter_paths.h"

namespace cuzk {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kSecond = 1000;  // in milliseconds, like the limits of all times
constexpr std::uint64_t kHour = 3600 * kSecond;
constexpr std::uint64_t kDay = 24 * kHour;

template <auto kMember>
ConfigField field_of(DaemonConfig& config) {
  return &(config.*kMember);
}

OriginatedValue default_params_dir() {
  const char* variable = std::getenv("FIL_PROOFS_PARAMETER_CACHE");
  const bool is_set = variable != nullptr && *variable != '\0';
  return {{parameter_directory().string()}, is_set ? "environment FIL_PROOFS_PARAMETER_CACHE" : "default"};
}

OriginatedValue default_cache_dir() {
  return {{CircuitCache::default_directory().string()}, "default"};
}

Status check_circuits(const ConfigValue& value) {
  for (const std::string& id : value) {
    const auto circuit = find_circuit(id);
    if (!circuit.is_ok()) return invalid_argument(circuit.status().message());
  }
  return Status::ok();
}

Status check_not_empty(const ConfigValue& value) {
  return !value.empty() && !value.front().empty() ? Status::ok() : invalid_argument("must not be empty");
}

Status check_devices(const ConfigValue& value) {
  if (value.empty()) return invalid_argument("must name at least one device");
  for (const std::string& device : value) {
    if (device.empty()) return invalid_argument("an empty name of a device");
    const bool stands_alone = device == "auto" || device == "cuda";
    const bool has_others =
        value.size() > (device == "cuda" && std::count(value.begin(), value.end(), "cpu") ? 2u : 1u);
    if (stands_alone && has_others)
      return invalid_argument("\"" + device + "\" cannot be combined with GPUs");
    if (std::count(value.begin(), value.end(), device) > 1)
      return invalid_argument("\"" + device + "\" is named twice");
  }
  return Status::ok();
}

using C = DaemonConfig;
using K = ValueKind;

const std::vector<ConfigKey>& table() {
  static const std::vector<ConfigKey> keys = {
      {"server.listen",
       K::list,
       "gRPC addresses: host:port, [v6]:port or unix:/path",
       field_of<&C::listen>,
       {"127.0.0.1:9820"},
       0,
       UINT64_MAX,
       {},
       nullptr,
       check_not_empty},
      {"server.max_message_bytes",
       K::size,
       "the largest message, either way",
       field_of<&C::max_message_bytes>,
       {"256MiB"},
       kMiB,
       2047 * kMiB},
      {"server.max_bytes_in_flight",
       K::size,
       "of all requests that were received and are no jobs yet, together",
       field_of<&C::max_bytes_in_flight>,
       {"1GiB"},
       kMiB,
       1024 * kGiB},
      {"server.keepalive_time",
       K::duration,
       "a silent connection is pinged after this",
       field_of<&C::keepalive_time>,
       {"30s"},
       kSecond,
       kDay},
      {"server.keepalive_timeout",
       K::duration,
       "and closed if no answer comes within this",
       field_of<&C::keepalive_timeout>,
       {"10s"},
       kSecond,
       kHour},
      {"tls.certificate",
       K::path,
       "PEM file of the server's certificate; empty: no TLS",
       field_of<&C::tls_certificate>,
       {""}},
      {"tls.key", K::path, "PEM file of its private key", field_of<&C::tls_key>, {""}},
      {"tls.client_ca",
       K::path,
       "PEM file of the authority that signs clients; empty: any client",
       field_of<&C::tls_client_ca>,
       {""}},
      {"http.listen",
       K::text,
       "metrics and status page, host:port; empty: none",
       field_of<&C::http_listen>,
       {"127.0.0.1:9821"}},

      {"params.dir",
       K::path,
       "folder of the parameter files",
       field_of<&C::params_dir>,
       {},
       0,
       UINT64_MAX,
       {},
       default_params_dir,
       check_not_empty},
      {"params.preload",
       K::list,
       "circuits to load at start, such as porep-32g",
       field_of<&C::preload>,
       {},
       0,
       UINT64_MAX,
       {},
       nullptr,
       check_circuits},
      {"params.pin",
       K::list,
       "circuits that no other one evicts; WinningPoSt never is",
       field_of<&C::pin>,
       {},
       0,
       UINT64_MAX,
       {},
       nullptr,
       check_circuits},
      {"params.warm_up",
       K::boolean,
       "run each device once before readiness",
       field_of<&C::warm_up>,
       {"true"}},
      {"cache.dir",
       K::path,
       "folder of recorded circuits; empty: none",
       field_of<&C::cache_dir>,
       {},
       0,
       UINT64_MAX,
       {},
       default_cache_dir},

      {"journal.path",
       K::path,
       "the database of accepted jobs and results",
       field_of<&C::journal_path>,
       {"/var/lib/cuzk/journal.db"},
       0,
       UINT64_MAX,
       {},
       nullptr,
       check_not_empty},
      {"journal.keep_results",
       K::duration,
       "how long a finished job can be asked for",
       field_of<&C::keep_results>,
       {"7d"},
       kHour,
       3650 * kDay},

      {"backend.devices",
       K::list,
       "auto, cpu, cuda (every GPU), or GPUs by index or UUID",
       field_of<&C::devices>,
       {"auto"},
       0,
       UINT64_MAX,
       {},
       nullptr,
       check_devices},
      {"backend.threads",
       K::integer,
       "threads; 0: every core this process may run on",
       field_of<&C::threads>,
       {"0"},
       0,
       1024},

      {"memory.host_limit",
       K::size,
       "budget for host memory; 0: nine tenths of what there is",
       field_of<&C::host_memory_limit_bytes>,
       {"0"},
       0,
       65536 * kGiB},
      {"memory.device_reserve",
       K::size,
       "of each GPU, left to other programs",
       field_of<&C::device_memory_reserve_bytes>,
       {"0"},
       0,
       1024 * kGiB},

      {"engine.max_jobs",
       K::integer,
       "queued and running jobs; more are refused",
       field_of<&C::max_jobs>,
       {"256"},
       1,
       100'000},
      {"engine.max_circuits",
       K::integer,
       "witnesses in memory at once",
       field_of<&C::max_circuits>,
       {"30"},
       1,
       10'000},
      {"engine.age_step",
       K::duration,
       "a waiting job gains one priority each such time",
       field_of<&C::age_step>,
       {"60s"},
       kSecond,
       kDay},

      {"log.level",
       K::text,
       "trace, debug, info, warning or error",
       field_of<&C::log_level>,
       {"info"},
       0,
       UINT64_MAX,
       {"trace", "debug", "info", "warning", "error"}},
      {"log.format",
       K::text,
       "text or json (one object a line)",
       field_of<&C::log_format>,
       {"text"},
       0,
       UINT64_MAX,
       {"text", "json"}},
      {"log.file", K::path, "empty: standard error", field_of<&C::log_file>, {""}},
      {"log.max_size",
       K::size,
       "a log file of this size is renamed",
       field_of<&C::log_max_bytes>,
       {"64MiB"},
       kMiB,
       1024 * kGiB},
      {"log.max_files",
       K::integer,
       "renamed log files that are kept",
       field_of<&C::log_max_files>,
       {"8"},
       1,
       1000},
      {"log.timing", K::boolean, "a CUZK_TIMING line for each phase", field_of<&C::log_timing>, {"true"}},

      {"daemon.drain_timeout",
       K::duration,
       "how long a stop waits for running proofs",
       field_of<&C::drain_timeout>,
       {"10m"},
       0,
       kDay},
      {"daemon.stall_timeout",
       K::duration,
       "work without progress for so long stops the watchdog; 0: never",
       field_of<&C::stall_timeout>,
       {"30m"},
       0,
       kDay},
  };
  return keys;
}

}  // namespace

std::span<const ConfigKey> all_config_keys() {
  return table();
}

}  // namespace cuzk
