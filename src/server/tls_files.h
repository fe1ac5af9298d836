// Certificates and keys, read and checked before the network library gets them: it only says that it failed.
#pragma once

#include <string>

#include "base/status.h"
#include "server/grpc_server.h"

namespace cuzk {

// The contents, in PEM. client_ca is empty if no client certificate is asked for.
struct TlsContents {
  std::string certificate;
  std::string private_key;
  std::string client_ca;
  std::string valid_until;  // of the certificate, for people

  bool operator==(const TlsContents&) const = default;
};

// invalid_argument, with the file: it cannot be read, holds no certificate or key or a damaged one, the key is not that of the
// certificate, or OpenSSL does not accept them (a key that is too short).
Result<TlsContents> read_tls_files(const TlsFiles& files);

}  // namespace cuzk
