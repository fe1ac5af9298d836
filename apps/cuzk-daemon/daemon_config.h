// DaemonConfig: everything that can be set, typed. Names, defaults, limits and help are in the table of config_keys.cc.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cuzk {

struct DaemonConfig {
  std::vector<std::string> listen;
  std::uint64_t max_message_bytes = 0;
  std::uint64_t max_bytes_in_flight = 0;
  std::chrono::milliseconds keepalive_time{0};
  std::chrono::milliseconds keepalive_timeout{0};
  std::filesystem::path tls_certificate;
  std::filesystem::path tls_key;
  std::filesystem::path tls_client_ca;
  std::string http_listen;  // empty: no HTTP server

  std::filesystem::path params_dir;
  std::vector<std::string> preload;
  std::vector<std::string> pin;
  bool warm_up = true;
  std::filesystem::path cache_dir;  // empty: none

  std::filesystem::path journal_path;
  std::chrono::milliseconds keep_results{0};

  std::vector<std::string> devices;  // "auto", "cpu", "cuda", indices and UUIDs of GPUs
  std::uint64_t threads = 0;         // 0: every core that this process may run on

  std::uint64_t host_memory_limit_bytes = 0;  // 0: nine tenths of what the machine allows
  std::uint64_t device_memory_reserve_bytes = 0;

  std::uint64_t max_jobs = 0;
  std::uint64_t max_circuits = 0;
  std::chrono::milliseconds age_step{0};

  std::string log_level;
  std::string log_format;
  std::filesystem::path log_file;  // empty: standard error
  std::uint64_t log_max_bytes = 0;
  std::uint64_t log_max_files = 0;
  bool log_timing = true;

  std::chrono::milliseconds drain_timeout{0};
  std::chrono::milliseconds stall_timeout{0};  // 0: never
};

}  // namespace cuzk
