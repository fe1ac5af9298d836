#include "server/listen_address.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <system_error>

namespace cuzk {
namespace {

constexpr std::string_view kUnixPrefix = "unix:";
constexpr std::size_t kMaxSocketPath = sizeof(sockaddr_un::sun_path) - 1;

std::string system_reason(int error) {
  return std::generic_category().message(error);
}

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  ~Socket() {
    if (fd_ >= 0) close(fd_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

Result<ListenAddress> parse_unix(std::string path) {
  if (path.starts_with("//")) path.erase(0, 2);
  if (!path.starts_with('/'))
    return invalid_argument("listen address unix:" + path + ": the path of a socket must be absolute");
  if (path.size() > kMaxSocketPath)
    return invalid_argument("listen address unix:" + path + ": the path has " + std::to_string(path.size()) +
                            " bytes; a socket allows " + std::to_string(kMaxSocketPath));
  ListenAddress address;
  address.socket_path = path;
  return address;
}

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

// `error` is getaddrinfo()'s.
AddressList look_up(const ListenAddress& address, int& error) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  error = getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  return {error == 0 ? found : nullptr, &freeaddrinfo};
}

// Binds a socket of its own and closes it again.
Status try_bind(const addrinfo& info, const std::string& text) {
  const Socket probe(socket(info.ai_family, SOCK_STREAM | SOCK_CLOEXEC, info.ai_protocol));
  if (probe.fd() < 0) return unavailable("cannot listen on " + text + ": " + system_reason(errno));
  const int on = 1;
  setsockopt(probe.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // Without listen() two sockets with SO_REUSEADDR may share a port.
  if (bind(probe.fd(), info.ai_addr, info.ai_addrlen) != 0 || listen(probe.fd(), 1) != 0)
    return unavailable("cannot listen on " + text + ": " + system_reason(errno));
  return Status::ok();
}

// 0 if somebody listens, else the reason why not.
int try_connect(const std::filesystem::path& path) {
  const Socket probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (probe.fd() < 0) return errno;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.string().size());
  // A full backlog is EAGAIN, and full of somebody's clients.
  if (connect(probe.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ||
      errno == EAGAIN)
    return 0;
  return errno;
}

}  // namespace

std::string ListenAddress::to_string() const {
  if (is_unix()) return std::string(kUnixPrefix) + socket_path.string();
  const bool is_v6 = host.find(':') != std::string::npos;
  return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<ListenAddress> parse_listen_address(const std::string& text) {
  if (text.starts_with(kUnixPrefix)) return parse_unix(text.substr(kUnixPrefix.size()));
  const auto wrong = [&text](const std::string& why) {
    return invalid_argument("listen address '" + text + "': " + why +
                            "; wanted host:port, [IPv6]:port or unix:/path");
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return wrong("no port");
  ListenAddress address;
  address.host = text.substr(0, colon);
  if (address.host.size() > 2 && address.host.front() == '[' && address.host.back() == ']')
    address.host = address.host.substr(1, address.host.size() - 2);
  else if (address.host.find_first_of(":[]") != std::string::npos)
    return wrong("an IPv6 address stands in brackets");
  if (address.host.empty()) return wrong("no host");
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data() + colon + 1, end, address.port);
  if (error != std::errc() || last != end) return wrong("the port is no number from 0 to 65535");
  return address;
}

std::vector<ListenAddress> resolve(const ListenAddress& address) {
  int error = 0;
  const AddressList found = look_up(address, error);
  std::vector<ListenAddress> numeric;
  for (const addrinfo* info = found.get(); info != nullptr; info = info->ai_next) {
    char host[NI_MAXHOST];
    if (getnameinfo(info->ai_addr, info->ai_addrlen, host, sizeof host, nullptr, 0, NI_NUMERICHOST) == 0)
      numeric.push_back({host, address.port, {}});
  }
  return numeric;
}

Status check_tcp_address(const ListenAddress& address) {
  const std::string text = address.to_string();
  int error = 0;
  const AddressList found = look_up(address, error);
  if (error != 0) return unavailable("cannot listen on " + text + ": " + gai_strerror(error));
  Status last = unavailable("cannot listen on " + text + ": the host has no address");
  for (const addrinfo* info = found.get(); info != nullptr; info = info->ai_next) {
    last = try_bind(*info, text);
    if (last.is_ok()) return last;
  }
  return last;
}

Status prepare_unix_socket(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status at = std::filesystem::symlink_status(path, error);
  if (at.type() == std::filesystem::file_type::not_found) {
    if (std::filesystem::is_directory(path.parent_path(), error)) return Status::ok();
    return unavailable("cannot listen on unix:" + path.string() + ": folder " + path.parent_path().string() +
                       " does not exist");
  }
  if (at.type() != std::filesystem::file_type::socket)
    return unavailable("cannot listen on unix:" + path.string() + ": the path exists and is no socket");
  const int reason = try_connect(path);
  if (reason == 0)
    return unavailable("cannot listen on unix:" + path.string() + ": another process listens there");
  if (reason != ECONNREFUSED)
    return unavailable("cannot listen on unix:" + path.string() + ": " + system_reason(reason));
  if (!std::filesystem::remove(path, error))
    return unavailable("cannot remove the stale socket " + path.string() + ": " + error.message());
  return Status::ok();
}

}  // namespace cuzk
