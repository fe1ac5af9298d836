#include "client/channel.h"

#include <chrono>

#include "whole_file.h"

namespace cuzk {
namespace {

constexpr int kMaxMessageBytes = 256 << 20;
constexpr int kKeepaliveTimeMs = 20'000, kKeepaliveTimeoutMs = 10'000, kReconnectMs = 1000;

Result<std::string> read_pem(const char* flag, const std::string& path) {
  if (path.empty()) return std::string();
  Result<std::string> text = read_file(path);
  if (!text.is_ok()) return text.status().with_context(flag);
  return text;
}

}  // namespace

Result<std::shared_ptr<grpc::Channel>> connect(const DaemonOptions& options) {
  std::shared_ptr<grpc::ChannelCredentials> credentials = grpc::InsecureChannelCredentials();
  if (options.tls) {
    grpc::SslCredentialsOptions ssl;
    CUZK_ASSIGN(ssl.pem_root_certs, read_pem("--tls-ca", options.ca));
    CUZK_ASSIGN(ssl.pem_cert_chain, read_pem("--tls-cert", options.certificate));
    CUZK_ASSIGN(ssl.pem_private_key, read_pem("--tls-key", options.key));
    credentials = grpc::SslCredentials(ssl);
  }
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  // A daemon that is frozen or cut off is told from one that is busy, and found again soon after it is back.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveTimeMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kReconnectMs);
  if (!options.name.empty()) arguments.SetSslTargetNameOverride(options.name);
  std::shared_ptr<grpc::Channel> channel = grpc::CreateCustomChannel(options.server, credentials, arguments);
  const auto deadline =
      std::chrono::system_clock::now() +
      std::chrono::milliseconds(static_cast<std::int64_t>(options.connect_timeout_s * 1000));
  if (!channel->WaitForConnected(deadline)) {
    return unavailable("--server " + options.server + ": no daemon answers there" +
                       (options.tls ? ", or it has not the certificate that is wanted" : ""));
  }
  return channel;
}

Status status_of(const grpc::Status& status) {
  if (status.ok()) return Status::ok();
  const auto code = static_cast<StatusCode>(status.error_code());
  switch (code) {
    case StatusCode::cancelled:
    case StatusCode::invalid_argument:
    case StatusCode::not_found:
    case StatusCode::already_exists:
    case StatusCode::resource_exhausted:
    case StatusCode::not_satisfied:
    case StatusCode::internal:
    case StatusCode::unavailable:
    case StatusCode::prover_fault:
      return {code, status.error_message()};
    case StatusCode::ok:
      break;
  }
  return internal_error("gRPC code " + std::to_string(status.error_code()) + ": " + status.error_message());
}

}  // namespace cuzk
