// The commands of the client in a build without gRPC: they are there, and say why they cannot work.
#include "bench_command.h"

namespace cuzk {

void add_client_commands(CLI::App& app, const CommonOptions&, Run* run) {
  for (const char* name : {"single", "batch", "mixed", "status", "jobs", "preload", "evict", "cancel",
                           "watch", "drain", "undrain", "validate"}) {
    CLI::App* command = app.add_subcommand(name, "talks to a daemon: not in this build");
    command->allow_extras();
    command->fallthrough(false);  // its own flags are not the program's
    command->callback([=] {
      *run = [=]() -> Outcome {
        return Outcome(
            unavailable(std::string(name) +
                        ": this build has no client: it was configured with -DCUZK_SERVER=OFF (no gRPC)"));
      };
    });
  }
}

}  // namespace cuzk
