#include "standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

namespace cuzk {

void prepare_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is given; all below `fd` are taken.
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      std::abort();
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

Status flush_standard_output() {
  errno = 0;
  std::cout.flush();  // the library for flags prints its help there
  const bool has_failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (!has_failed) return Status::ok();
  return internal_error(std::string("standard output cannot be written") +
                        (errno == 0 ? "" : std::string(": ") + std::strerror(errno)));
}

}  // namespace cuzk
