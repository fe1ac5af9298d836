#include "daemon_process.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace cuzk {

DaemonProcess::DaemonProcess(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& environment) {
  std::vector<std::string> all = {daemon_program()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& argument : all) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves no daemon
    // Also for root the mode of a file counts, as it does for the user of a service.
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
    ::dup2(ends[1], STDERR_FILENO);
    for (const std::string& setting : environment) ::putenv(const_cast<char*>(setting.c_str()));
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  log_fd_ = ends[0];
  reader_ = std::thread([this] { read_log(); });
}

DaemonProcess::~DaemonProcess() {
  if (!exit_code_) {
    ::kill(pid_, SIGKILL);
    wait_for_exit();
  }
  reader_.join();
  ::close(log_fd_);
}

void DaemonProcess::read_log() {
  char buffer[4096];
  for (ssize_t n; (n = ::read(log_fd_, buffer, sizeof buffer)) > 0;) {
    const std::lock_guard guard(mutex_);
    log_.append(buffer, static_cast<std::size_t>(n));
    grown_.notify_all();
  }
  const std::lock_guard guard(mutex_);
  is_closed_ = true;
  grown_.notify_all();
}

std::optional<std::string> DaemonProcess::wait_for_line(const std::string& text,
                                                        std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  std::size_t at = std::string::npos;
  const auto is_there = [&] {
    at = log_.find(text);
    return is_closed_ || (at != std::string::npos && log_.find('\n', at) != std::string::npos);
  };
  grown_.wait_for(lock, timeout, is_there);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = log_.rfind('\n', at) + 1;  // npos + 1 is 0
  return log_.substr(begin, log_.find('\n', at) - begin);
}

void DaemonProcess::send(int signal) const {
  ::kill(pid_, signal);
}

std::optional<int> DaemonProcess::wait_for_exit(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!exit_code_) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_)
      exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    else if (std::chrono::steady_clock::now() > deadline)
      return std::nullopt;
    else
      ::usleep(5000);
  }
  return exit_code_;
}

std::string DaemonProcess::log() const {
  const std::lock_guard guard(mutex_);
  return log_;
}

int DaemonProcess::port_of(const std::string& line_begin) {
  const std::optional<std::string> line = wait_for_line(line_begin);
  if (!line) return 0;
  const std::size_t at = line->rfind(", port ");
  return at == std::string::npos ? 0 : std::atoi(line->c_str() + at + 7);
}

int DaemonProcess::grpc_port() {
  return port_of("gRPC listens on 127.0.0.1");
}

int DaemonProcess::http_port() {
  return port_of("HTTP listens on ");
}

std::string daemon_program() {
  return CUZK_DAEMON_PROGRAM;
}

std::vector<std::string> quiet_daemon_flags(const std::string& folder, const std::string& params_dir) {
  return {"--server-listen",   "127.0.0.1:0",
          "--http-listen",     "127.0.0.1:0",
          "--journal-path",    folder + "/journal.db",
          "--cache-dir",       folder + "/cache",
          "--params-dir",      params_dir,
          "--backend-devices", "cpu",
          "--backend-threads", "2",
          "--params-warm-up",  "false"};
}

}  // namespace cuzk
