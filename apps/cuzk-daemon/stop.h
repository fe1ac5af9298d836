// The end of the daemon: orderly and within a bounded time, or at once.
#pragma once

#include "daemon_config.h"
#include "daemon_log.h"
#include "service_manager.h"
#include "startup.h"

namespace cuzk {

// Lets running proofs end for at most daemon.drain_timeout, answers every waiter, closes everything, and returns the exit code. A second
// signal, or a phase that does not end within a grace after that time, ends the process from here; the journal is written in a way that
// needs no end.
int stop_daemon(const DaemonConfig& config, const ServiceManager& manager, DaemonLog& log,
                RunningDaemon daemon);

}  // namespace cuzk
