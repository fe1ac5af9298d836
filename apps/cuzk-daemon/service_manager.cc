#include "service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace cuzk {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<std::chrono::microseconds> read_watchdog() {
  const std::string pid = variable("WATCHDOG_PID");
  const long long interval = std::strtoll(variable("WATCHDOG_USEC").c_str(), nullptr, 10);
  const bool is_for_us = pid.empty() || pid == std::to_string(::getpid());
  if (interval <= 0 || !is_for_us) return std::nullopt;
  return std::chrono::microseconds(interval);
}

}  // namespace

ServiceManager::ServiceManager() : socket_(variable("NOTIFY_SOCKET")), watchdog_(read_watchdog()) {
  const bool is_address = socket_.size() > 1 && (socket_[0] == '/' || socket_[0] == '@') &&
                          socket_.size() < sizeof(sockaddr_un::sun_path);
  if (!is_address) socket_.clear();
}

void ServiceManager::extend_start(std::chrono::seconds time) const {
  send("EXTEND_TIMEOUT_USEC=" + std::to_string(std::chrono::microseconds(time).count()));
}

void ServiceManager::send(const std::string& message) const {
  if (socket_.empty()) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (socket_[0] == '@') address.sun_path[0] = '\0';  // the abstract name space
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  // Nobody who could be told of a failure: the service manager is the one who does not listen.
  (void)!::sendto(fd, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                  reinterpret_cast<const sockaddr*>(&address), length);
  ::close(fd);
}

}  // namespace cuzk
