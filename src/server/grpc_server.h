// GrpcServer: the engine as the service cuzk.v1.ProvingEngine, with reflection and the standard health service. Meaning of every call,
// field and error: docs/formats/grpc.md.
//
// No call that waits for a job holds a thread: AwaitProof, Prove and WatchJob are told by the engine. What clients can make this
// process hold is bounded: bytes of a message, bytes of all messages on their way, calls that wait for a thread. A request for proofs is
// counted in the engine's memory budget before it is read.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/engine.h"

namespace cuzk {

// PEM files, read again within seconds when they change; connections that are open stay. With `client_ca` a client must show a certificate
// that this authority signed (mutual TLS); empty: none is asked for.
struct TlsFiles {
  std::filesystem::path certificate;  // of the server, with intermediate ones after it
  std::filesystem::path private_key;
  std::filesystem::path client_ca;
};

struct GrpcOptions {
  // "host:port" (port 0: any free one; "[::1]:9820" for IPv6) or "unix:/path". A unix socket gets mode 0600 and is not encrypted.
  std::vector<std::string> listen = {"127.0.0.1:9820"};
  std::optional<TlsFiles> tls;                   // for all TCP addresses; none: plain text
  std::uint64_t max_message_bytes = 256u << 20;  // of one message, either way; below 2^31
  // Of all requests that were received and that the engine has not taken over. What is still being received is bounded by twice that
  // and one message more, and by an eighth of the engine's host memory, but not below the largest message.
  std::uint64_t max_bytes_in_flight = std::uint64_t{1} << 30;
  std::chrono::milliseconds keepalive_time{30'000};     // a silent connection is pinged after this,
  std::chrono::milliseconds keepalive_timeout{10'000};  // and closed if no answer comes within this
  std::string version;                                  // of the program, for GetStatus and GetMetrics
  // Told of every call that ends with an error, from any thread; for a log. job_id may be empty. Empty: not told.
  std::function<void(const std::string& call, const std::string& job_id, const Status& error)> on_error;
  // Told of certificates that are renewed, and of those that cannot be used, by one thread; for a log. Empty: not told.
  std::function<void(bool is_warning, const std::string& text)> on_note;
};

class GrpcServer {
 public:
  // Listens and serves on return. `engine` must outlive the server; shut the engine down first, so that its waiters are told.
  //   invalid_argument  an address that is none, a path too long for a socket, a certificate or key that cannot be used, with the file
  //   unavailable       an address that cannot be bound (in use, no such interface, no such folder), or a socket at which another
  //                     process listens; a socket file without a listener is removed
  static Result<std::unique_ptr<GrpcServer>> create(GrpcOptions options, Engine& engine);
  // shut_down(0) if that was not called.
  virtual ~GrpcServer() = default;

  // Of the first TCP address; 0 if there is none.
  virtual int port() const noexcept = 0;
  // Health is NOT_SERVING and no call is accepted from here on. Calls in progress have `grace` to end and are cancelled then. Removes
  // the sockets. A second call does nothing.
  virtual void shut_down(std::chrono::milliseconds grace) = 0;
};

}  // namespace cuzk
