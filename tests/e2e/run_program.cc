#include "run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

namespace cuzk {
namespace {

[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment, int out, int err) {
  const int null = ::open("/dev/null", O_RDONLY);
  ::dup2(null, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  for (const std::string& setting : environment) ::putenv(const_cast<char*>(setting.c_str()));
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

void drain(int out, int err, ProgramResult& result) {
  std::array<pollfd, 2> files{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  std::array<char, 4096> buffer;
  int open_files = 2;
  while (open_files > 0) {
    ::poll(files.data(), files.size(), -1);
    for (pollfd& file : files) {
      if (file.fd < 0 || file.revents == 0) continue;
      const ssize_t count = ::read(file.fd, buffer.data(), buffer.size());
      if (count <= 0) {
        file.fd = -1;
        --open_files;
        continue;
      }
      (file.fd == out ? result.out : result.err).append(buffer.data(), static_cast<std::size_t>(count));
    }
  }
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment) {
  int out[2], err[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(arguments, environment, out[1], err[1]);
  ::close(out[1]);
  ::close(err[1]);
  ProgramResult result;
  drain(out[0], err[0], result);
  ::close(out[0]);
  ::close(err[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace cuzk
