// LiveTls: certificate, key and client authority of a server, read again when their files change. Connections that are open stay as they
// are; new ones get what is in force. Files that cannot be used, such as half of a new pair, leave the old contents in force.
//
// gRPC asks for the contents at each new connection (grpc/grpc_security.h, certificate config fetcher). Its own
// FileWatcherCertificateProvider (1.51) drops what is in force before it tries the next, and is left with nothing if that fails.
#pragma once

#include <grpcpp/security/server_credentials.h>

#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "server/tls_files.h"

namespace cuzk {

class LiveTls {
 public:
  // Told of a renewal, and once of each reason for which one cannot be used.
  using Note = std::function<void(bool is_warning, const std::string& text)>;

  // Must outlive the server that uses its credentials. Failures: read_tls_files()'s. `note` may be empty.
  static Result<std::unique_ptr<LiveTls>> create(TlsFiles files, Note note);
  ~LiveTls();

  // For one listen address.
  std::shared_ptr<grpc::ServerCredentials> credentials();
  // Looks at the files. A change counts once it is found unaltered by a second call. By one thread at a time.
  void follow();

 private:
  class AddressCredentials;
  // One listening socket. gRPC accepts on it by one thread at a time and exchanges the contents only then; were two sockets to share
  // them, one could use what the other just gave up (1.51, ssl_security_connector.cc).
  struct Listener {
    LiveTls* tls;
    std::uint64_t generation = 0;  // that gRPC has
  };
  // Of a file: when it was written, which it is. All zero: none is there.
  struct Stamp {
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t modified_ns = 0, changed_ns = 0;
    bool operator==(const Stamp&) const = default;
  };

  LiveTls(TlsFiles files, Note note);
  std::vector<Stamp> stamps() const;
  Listener& add_listener();

  const TlsFiles files_;
  const Note note_;
  std::vector<Stamp> seen_, in_force_;  // by follow()
  std::string last_failure_;            // likewise
  mutable std::mutex mutex_;
  std::shared_ptr<const TlsContents> contents_;
  std::uint64_t generation_ = 0;
  std::vector<std::unique_ptr<Listener>> listeners_;
};

}  // namespace cuzk
