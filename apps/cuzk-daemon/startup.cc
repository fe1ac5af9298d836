#include "startup.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "daemon_exit_code.h"
#include "device_choice.h"
#include "engine/sqlite_journal.h"
#include "server/listen_address.h"
#include "server/tls_files.h"
#include "timing_text.h"
#include "version.h"

namespace cuzk {
namespace {

StartFailure failed(const Status& status, int exit_code) {
  return {status, status.is_ok() ? kExitSuccess : exit_code};
}

// An address that is none is a wrong setting; one that cannot be had may be somebody else's.
StartFailure failed_address(const Status& status, const std::string& key) {
  return failed(status.with_context(key),
                status.code() == StatusCode::invalid_argument ? kExitBadInput : kExitInUse);
}

Status check_readable(const std::filesystem::path& path, const char* key) {
  if (path.empty() || ::access(path.c_str(), R_OK) == 0) return Status::ok();
  return unavailable(std::string(key) + ": " + path.string() + ": " + std::strerror(errno));
}

Status check_params_dir(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return check_readable(path, "params.dir");
  return unavailable("params.dir: " + path.string() + ": " +
                     (std::filesystem::exists(path) ? "no folder" : "no such folder"));
}

Status check_log_folder(const std::filesystem::path& file) {
  if (file.empty()) return Status::ok();
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return Status::ok();
  return unavailable("log.file: " + folder.string() + ": no such folder");
}

Result<ListenAddress> http_address(const std::string& text) {
  CUZK_ASSIGN(ListenAddress address, parse_listen_address(text));
  if (address.is_unix()) return invalid_argument(text + ": wanted host:port");
  return address;
}

// `look` says whether an address can be had.
StartFailure check_addresses(const DaemonConfig& config, Status (*look)(const ListenAddress&)) {
  for (const std::string& text : config.listen) {
    const auto address = parse_listen_address(text);
    const Status status = address.is_ok() ? look(address.value()) : address.status();
    if (!status.is_ok()) return failed_address(status, "server.listen");
  }
  if (config.http_listen.empty()) return {};
  const auto address = http_address(config.http_listen);
  return failed_address(address.is_ok() ? look(address.value()) : address.status(), "http.listen");
}

Status is_free(const ListenAddress& address) {
  return address.is_unix() ? prepare_unix_socket(address.socket_path) : check_tcp_address(address);
}

Status check_tls(const DaemonConfig& config) {
  if (config.tls_certificate.empty()) return Status::ok();
  return read_tls_files({config.tls_certificate, config.tls_key, config.tls_client_ca}).status();
}

// The file, or what it would be made in: missing folders are made at the start.
Status check_journal(std::filesystem::path path) {
  std::error_code error;
  const std::filesystem::path journal = path;
  while (!std::filesystem::exists(path, error)) path = path.has_parent_path() ? path.parent_path() : ".";
  const bool is_folder = std::filesystem::is_directory(path, error);
  if (is_folder == (path == journal))
    return unavailable("journal.path: " + journal.string() + ": " + path.string() + " is " +
                       (is_folder ? "a" : "no") + " folder");
  if (::access(path.c_str(), W_OK) == 0) return Status::ok();
  return unavailable("journal.path: " + path.string() + ": " + std::strerror(errno));
}

EngineConfig engine_config(const DaemonConfig& config) {
  EngineConfig engine;
  engine.params_dir = config.params_dir;
  engine.circuit_cache_dir = config.cache_dir;
  engine.host_memory_limit_bytes = config.host_memory_limit_bytes;
  engine.device_memory_reserve_bytes = config.device_memory_reserve_bytes;
  engine.max_jobs = static_cast<std::uint32_t>(config.max_jobs);
  engine.max_circuits = static_cast<std::uint32_t>(config.max_circuits);
  engine.age_step = config.age_step;
  engine.keep_results = std::chrono::duration_cast<std::chrono::hours>(config.keep_results);
  engine.preload = config.preload;
  engine.pin = config.pin;
  engine.warm_up = config.warm_up;
  return engine;
}

GrpcOptions grpc_options(const DaemonConfig& config, DaemonLog& log) {
  GrpcOptions options;
  options.listen = config.listen;
  if (!config.tls_certificate.empty())
    options.tls = TlsFiles{config.tls_certificate, config.tls_key, config.tls_client_ca};
  options.max_message_bytes = config.max_message_bytes;
  options.max_bytes_in_flight = config.max_bytes_in_flight;
  options.keepalive_time = config.keepalive_time;
  options.keepalive_timeout = config.keepalive_timeout;
  options.version = kVersion;
  options.on_error = [&log](const std::string& call, const std::string& job_id, const Status& error) {
    // The failure of a job is in the log when the job fails; what its clients are told of it is for a closer look.
    log.write(job_id.empty() ? LogLevel::warning : LogLevel::debug, call + ": " + error.to_string(), job_id);
  };
  options.on_note = [&log](bool is_warning, const std::string& text) {
    log.write(is_warning ? LogLevel::warning : LogLevel::info, text);
  };
  return options;
}

void report_circuits(const EngineStatus& status, const std::filesystem::path& params_dir, DaemonLog& log) {
  bool is_any_ready = false;
  for (const CircuitStatus& circuit : status.circuits) {
    const bool is_usable = circuit.state == SrsState::ready || circuit.state == SrsState::loading;
    is_any_ready = is_any_ready || is_usable;
    log.write(is_usable ? LogLevel::info : LogLevel::warning,
              "circuit " + circuit.circuit_id + ": " + srs_state_name(circuit.state) +
                  (circuit.reason.empty() ? "" : " (" + circuit.reason + ")"));
  }
  if (!is_any_ready) {
    log.write(LogLevel::warning,
              params_dir.string() + " has the parameters of no circuit: every proof will be refused");
  }
}

void report_engine(const Engine& engine, const std::filesystem::path& params_dir, DaemonLog& log) {
  const EngineStatus status = engine.status();
  for (const WorkerStatus& worker : status.workers) {
    log.write(LogLevel::info, "worker " + std::to_string(worker.index) + ": " + worker.backend +
                                  (worker.name.empty() ? "" : ", " + worker.name) +
                                  (worker.uuid.empty() ? "" : ", " + worker.uuid) +
                                  (worker.usable ? "" : ": not usable: " + worker.unusable_because));
  }
  report_circuits(status, params_dir, log);
  log.write(LogLevel::info,
            "host memory: limit " + std::to_string(status.host_memory.limit_bytes >> 20) + " MiB");
  if (status.recovered_jobs > 0)
    log.write(LogLevel::info,
              "journal: " + std::to_string(status.recovered_jobs) + " unfinished jobs are queued again");
}

StartFailure start_engine(const DaemonConfig& config, DaemonLog& log, RunningDaemon& daemon) {
  auto journal = open_sqlite_journal(config.journal_path);
  if (!journal.is_ok()) return failed(journal.status().with_context("journal.path"), kExitInUse);
  auto devices = choose_devices(config.devices);
  if (!devices.is_ok()) return failed(devices.status().with_context("backend.devices"), kExitNoDevice);
  for (const std::string& line : devices.value().report) log.write(LogLevel::info, line);
  if (!devices.value().warning.empty()) log.write(LogLevel::warning, devices.value().warning);
  daemon.observer =
      std::make_unique<EngineLog>(log, config.log_timing, backend_names(devices.value().backends));
  auto engine = Engine::create(engine_config(config), std::move(devices.value().backends),
                               std::move(journal).value(), daemon.observer.get());
  if (!engine.is_ok()) return failed(engine.status(), exit_code_of(engine.status().code()));
  daemon.engine = std::move(engine).value();
  report_engine(*daemon.engine, config.params_dir, log);
  return {};
}

StartFailure start_servers(const DaemonConfig& config, DaemonLog& log, RunningDaemon& daemon) {
  auto grpc = GrpcServer::create(grpc_options(config, log), *daemon.engine);
  if (!grpc.is_ok()) return failed_address(grpc.status(), "gRPC");
  daemon.grpc = std::move(grpc).value();
  for (const std::string& address : config.listen) {
    const bool is_free_port = address.ends_with(":0");
    log.write(LogLevel::info, "gRPC listens on " + address +
                                  (is_free_port ? ", port " + std::to_string(daemon.grpc->port()) : "") +
                                  (config.tls_certificate.empty() ? "" : ", TLS"));
  }
  if (config.http_listen.empty()) return {};
  auto http = HttpServer::create({config.http_listen, kVersion}, *daemon.engine);
  if (!http.is_ok()) return failed_address(http.status(), "http.listen");
  daemon.http = std::move(http).value();
  log.write(LogLevel::info,
            "HTTP listens on " + config.http_listen + ", port " + std::to_string(daemon.http->port()));
  return {};
}

}  // namespace

StartFailure check_paths(const DaemonConfig& config) {
  if (Status status = check_params_dir(config.params_dir); !status.is_ok())
    return failed(status, kExitParameters);
  for (const auto& [path, key] :
       {std::pair(config.tls_certificate, "tls.certificate"), std::pair(config.tls_key, "tls.key"),
        std::pair(config.tls_client_ca, "tls.client_ca")}) {
    if (Status status = check_readable(path, key); !status.is_ok()) return failed(status, kExitBadInput);
  }
  return failed(check_log_folder(config.log_file), kExitBadInput);
}

StartFailure check_settings(const DaemonConfig& config) {
  StartFailure failure = check_paths(config);
  if (failure.exit_code == 0) failure = failed(check_tls(config), kExitBadInput);
  const auto is_address = [](const ListenAddress&) { return Status::ok(); };
  if (failure.exit_code == 0) failure = check_addresses(config, is_address);
  if (failure.exit_code == 0) failure = failed(check_journal(config.journal_path), kExitInUse);
  if (failure.exit_code == 0)
    failure = failed(check_devices(config.devices).with_context("backend.devices"), kExitNoDevice);
  return failure;
}

StartFailure start_daemon(const DaemonConfig& config, DaemonLog& log, RunningDaemon& daemon) {
  StartFailure failure = check_addresses(config, is_free);
  if (failure.exit_code == 0) failure = start_engine(config, log, daemon);
  if (failure.exit_code == 0) failure = start_servers(config, log, daemon);
  return failure;
}

}  // namespace cuzk
