#include "slow_wire.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace cuzk {
namespace {

constexpr std::size_t kTrickleBytes = 1000;
constexpr useconds_t kTricklePause = 5000;
constexpr int kPollMs = 20;

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int tcp_socket() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) throw std::runtime_error("no socket");
  return fd;
}

bool is_ready_for(int fd, short event) {
  pollfd poll{fd, event, 0};
  return ::poll(&poll, 1, kPollMs) > 0;
}

}  // namespace

SlowWire::SlowWire(int port, Pace pace) : pace_(pace), listener_(tcp_socket()) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, any, size) != 0 || ::listen(listener_, 1) != 0 ||
      ::getsockname(listener_, any, &size) != 0) {
    ::close(listener_);
    throw std::runtime_error("cannot listen");
  }
  own_port_ = ntohs(address.sin_port);
  thread_ = std::thread([this, port] { run(port); });
}

SlowWire::~SlowWire() {
  is_over_ = true;
  thread_.join();
  ::close(listener_);
}

void SlowWire::run(int port) {
  while (!is_ready_for(listener_, POLLIN))
    if (is_over_) return;
  const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  const int daemon = tcp_socket();
  const sockaddr_in address = loopback(port);
  if (::connect(daemon, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    std::thread down([&] { carry(daemon, client, false); });
    carry(client, daemon, true);
    down.join();
  }
  ::close(client);
  ::close(daemon);
}

bool SlowWire::send_all(int to, const char* data, std::size_t size) const {
  while (size > 0) {
    if (is_over_) return false;
    if (!is_ready_for(to, POLLOUT)) continue;
    const ssize_t sent = ::send(to, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN) return false;
    if (sent <= 0) continue;
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

void SlowWire::carry(int from, int to, bool is_upward) {
  std::array<char, 1 << 16> buffer{};
  while (!is_over_) {
    const Pace pace = pace_;
    if (pace == Pace::silent) {
      ::usleep(kPollMs * 1000);
      continue;
    }
    if (!is_ready_for(from, POLLIN)) continue;
    const bool trickles = is_upward && pace == Pace::trickle;
    const ssize_t n = ::recv(from, buffer.data(), trickles ? kTrickleBytes : buffer.size(), 0);
    if (n <= 0 || !send_all(to, buffer.data(), static_cast<std::size_t>(n))) break;
    if (is_upward) carried_ += static_cast<std::uint64_t>(n);
    if (trickles) ::usleep(kTricklePause);
  }
  ::shutdown(to, SHUT_WR);
}

}  // namespace cuzk
