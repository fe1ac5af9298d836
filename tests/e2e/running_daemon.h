// RunningDaemon: a daemon that can be killed and started again on the same journal, and a client of it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon_client.h"
#include "daemon_process.h"
#include "scratch_folder.h"
#include "server/exposition_test_support.h"
#include "shared_parameters.h"

namespace cuzk {

// The figures of one moment: what one GET of /metrics returned.
class Scrape {
 public:
  explicit Scrape(std::map<std::string, MetricFamily> families) : families_(std::move(families)) {}
  // Of all samples of a name with these labels; 0 if there is none.
  double sum(const std::string& name, const std::map<std::string, std::string>& labels = {}) const;

 private:
  std::map<std::string, MetricFamily> families_;
};

class RunningDaemon {
 public:
  // With the parameters of these kinds. Listens on a unix socket and on a free port. Flags as {"--engine-max-jobs", "3"}. Not started.
  explicit RunningDaemon(const std::vector<ProofKind>& kinds, std::vector<std::string> more_flags = {});

  // Starts it and waits until it listens; fails the test otherwise. Replaces the process and the client, if there are.
  void start();
  // The same, and waits until it is ready.
  void start_ready();
  // SIGTERM, and expects exit code 0.
  void stop();
  void kill();

  DaemonProcess& process() { return *process_; }
  DaemonClient& client() { return *client_; }
  std::string socket_address() const { return "unix:" + scratch_.file("s"); }
  std::string tcp_address() { return "127.0.0.1:" + std::to_string(process_->grpc_port()); }
  std::string params_dir() const { return scratch_.file("params"); }
  std::string file(const std::string& name) const { return scratch_.file(name); }
  // Later flags win.
  void add_flags(const std::vector<std::string>& flags);
  std::vector<std::string> flags() const;

  // /metrics, whose format is checked. Figures that belong together are read from one scrape: between two of them jobs move on.
  Scrape scrape();
  // One figure of a scrape of its own.
  double metric(const std::string& name, const std::map<std::string, std::string>& labels = {});
  // The row of a circuit in GetStatus.
  v1::CircuitInfo circuit(ProofKind kind);
  // The job in ListJobs, if it is there.
  std::optional<v1::JobInfo> job(const std::string& job_id);
  // The least budget with which a daemon of its own takes a job of this kind, as its refusal with a smaller one says. Stops what runs.
  std::uint64_t least_budget(ProofKind kind);
  // Waits until it is so; false after a minute.
  bool wait_for_state(const std::string& job_id, const std::vector<std::string>& states);
  // Waits until no job is open and no worker at work; false after a minute.
  bool wait_until_idle();

 private:
  ScratchFolder scratch_;
  std::map<std::string, std::string> flags_;
  std::unique_ptr<DaemonProcess> process_;
  std::unique_ptr<DaemonClient> client_;
};

// Figures of a process from /proc.
struct ProcessUse {
  std::uint64_t private_bytes = 0;  // RssAnon: what it allocated, without mapped files
  std::uint64_t files = 0;
  std::uint64_t threads = 0;
};
ProcessUse process_use(pid_t pid);

}  // namespace cuzk
