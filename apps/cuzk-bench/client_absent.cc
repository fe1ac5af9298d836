// The client in a build without gRPC: its commands are there, and say why they cannot work.
#include "bench_command.h"
#include "daemon_runner.h"

namespace cuzk {
namespace {

Status no_client(const std::string& what) {
  return unavailable(what + ": this build has no client: it was configured with -DCUZK_SERVER=OFF (no gRPC)");
}

}  // namespace

Result<std::unique_ptr<JobRunner>> make_daemon_runner(const DaemonOptions& options) {
  return no_client("--server " + options.server);
}

void add_client_commands(CLI::App& app, const CommonOptions&, Run* run) {
  for (const char* name :
       {"status", "jobs", "preload", "evict", "cancel", "watch", "drain", "undrain", "validate"}) {
    CLI::App* command = app.add_subcommand(name, "talks to a daemon: not in this build");
    command->allow_extras();
    command->fallthrough(false);  // its own flags are not the program's
    command->callback([=] { *run = [=]() -> Outcome { return no_client(name); }; });
  }
}

}  // namespace cuzk
