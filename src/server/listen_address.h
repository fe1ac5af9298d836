// Where a server listens: parsed and made free before the network library sees it, so that a failure names its reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"

namespace cuzk {

// One of the two: a TCP host and port, or the path of a unix socket.
struct ListenAddress {
  std::string host;        // without brackets
  std::uint16_t port = 0;  // 0: any free one
  std::filesystem::path socket_path;

  bool is_unix() const noexcept { return !socket_path.empty(); }
  // As gRPC takes it: "host:port", "[host]:port", "unix:/path".
  std::string to_string() const;
};

// "host:port", "[v6]:port", "unix:/path", "unix:///path". invalid_argument for anything else, a relative path, and one that is longer
// than the 107 bytes that a socket address holds.
Result<ListenAddress> parse_listen_address(const std::string& text);

// The numeric addresses of a TCP host, each with the same port. Empty if it has none.
std::vector<ListenAddress> resolve(const ListenAddress& address);
// unavailable, with the system's reason, if the address cannot be bound now: in use, no such interface, no permission.
Status check_tcp_address(const ListenAddress& address);
// Removes a socket file at which nobody listens. unavailable if somebody does, if the path is something else than a socket, or if its
// folder is missing.
Status prepare_unix_socket(const std::filesystem::path& path);

}  // namespace cuzk
