#include "server/grpc_server.h"

#include <grpc/grpc.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <sys/stat.h>

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "server/listen_address.h"
#include "server/proving_service.h"
#include "server/service_context.h"
#include "server/tls_files.h"

namespace cuzk {
namespace {

constexpr char kServiceName[] = "cuzk.v1.ProvingEngine";
// How soon health follows the engine when nobody has told of a change.
constexpr std::chrono::milliseconds kHealthInterval{200};
// A stream is about 10 KB of ours; the 2,049th call on one connection waits at the client.
constexpr int kMaxStreamsPerConnection = 2048;
// Go's clients may ping every 10 s at the most often; more often than this is taken for an attack by gRPC.
constexpr int kMinPingIntervalMs = 5000;

int to_int(std::uint64_t value) {
  return static_cast<int>(std::min<std::uint64_t>(value, std::numeric_limits<int>::max()));
}

// New files are for their owner only while this lives: a socket is never open to others, not even for a moment.
class PrivateFiles {
 public:
  PrivateFiles() : previous_(umask(0177)) {}
  ~PrivateFiles() { umask(previous_); }
  PrivateFiles(const PrivateFiles&) = delete;
  PrivateFiles& operator=(const PrivateFiles&) = delete;

 private:
  mode_t previous_;
};

std::shared_ptr<grpc::ServerCredentials> credentials_of(const TlsContents& tls) {
  grpc::SslServerCredentialsOptions options(tls.client_ca.empty()
                                                ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                                : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_key_cert_pairs.push_back({tls.private_key, tls.certificate});
  options.pem_root_certs = tls.client_ca;
  return grpc::SslServerCredentials(options);
}

void set_limits(grpc::ServerBuilder& builder, const GrpcOptions& options) {
  builder.SetMaxReceiveMessageSize(to_int(options.max_message_bytes));
  builder.SetMaxSendMessageSize(to_int(options.max_message_bytes));
  // The gauge of ServiceContext refuses with a sentence; this only bounds what the network library holds before that: bodies that are
  // being received, twice what may be handled and one more message.
  grpc::ResourceQuota quota("cuzk");
  quota.Resize(2 * options.max_bytes_in_flight + options.max_message_bytes);
  builder.SetResourceQuota(quota);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxStreamsPerConnection);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, to_int(options.keepalive_time.count()));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, to_int(options.keepalive_timeout.count()));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kMinPingIntervalMs);
  // Two daemons must not share a port without knowing.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
}

// When its last object goes, gRPC stops its threads, and waits up to 10 s for one that polls for a connection long closed. A reference
// for the life of the process keeps it up, so that a shutdown takes no longer than asked.
void keep_library_up() {
  static const bool is_kept = (grpc_init(), true);
  static_cast<void>(is_kept);
}

class GrpcServerImpl final : public GrpcServer {
 public:
  GrpcServerImpl(const GrpcOptions& options, Engine& engine)
      : context_(options, engine), service_(make_proving_service(context_)) {
    context_.health_changed = [this] { update_health(); };
  }
  ~GrpcServerImpl() override { shut_down(std::chrono::milliseconds(0)); }

  Status start() {
    keep_library_up();
    CUZK_TRY(read_addresses());
    std::shared_ptr<grpc::ServerCredentials> tcp_credentials = grpc::InsecureServerCredentials();
    if (context_.options.tls) {
      CUZK_ASSIGN(const TlsContents tls, read_tls_files(*context_.options.tls));
      tcp_credentials = credentials_of(tls);
    }
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    grpc::ServerBuilder builder;
    set_limits(builder, context_.options);
    std::vector<int> ports(addresses_.size(), 0);
    for (std::size_t i = 0; i < addresses_.size(); ++i)
      builder.AddListeningPort(addresses_[i].to_string(),
                               addresses_[i].is_unix() ? grpc::InsecureServerCredentials() : tcp_credentials,
                               &ports[i]);
    builder.RegisterService(service_.get());
    {
      const PrivateFiles only_for_us;
      server_ = builder.BuildAndStart();
    }
    CUZK_TRY(check_ports(ports));
    update_health();
    health_thread_ = std::thread([this] { follow_health(); });
    return Status::ok();
  }

  int port() const noexcept override { return port_; }

  void shut_down(std::chrono::milliseconds grace) override {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(stopping_, true)) return;
    }
    stop_.notify_all();
    if (health_thread_.joinable()) health_thread_.join();
    if (!server_) return;
    update_health();
    server_->Shutdown(std::chrono::system_clock::now() + grace);
    context_.stop();
    server_.reset();
  }

 private:
  Status read_addresses() {
    if (context_.options.listen.empty()) return invalid_argument("no listen address is given");
    for (const std::string& text : context_.options.listen) {
      CUZK_ASSIGN(ListenAddress address, parse_listen_address(text));
      CUZK_TRY(address.is_unix() ? prepare_unix_socket(address.socket_path) : check_tcp_address(address));
      addresses_.push_back(std::move(address));
    }
    return Status::ok();
  }

  // A port is 0 where binding failed, and 1 for a socket.
  Status check_ports(const std::vector<int>& ports) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (!server_ || ports[i] == 0)
        return unavailable("cannot listen on " + addresses_[i].to_string() +
                           ": another process may have taken it just now, or TLS could not be set up");
      if (!addresses_[i].is_unix() && port_ == 0) port_ = ports[i];
    }
    return Status::ok();
  }

  void update_health() {
    const EngineStatus status = context_.engine.status();
    const std::lock_guard lock(mutex_);
    const bool is_serving = status.ready && !status.draining && !stopping_;
    grpc::HealthCheckServiceInterface* health = server_ ? server_->GetHealthCheckService() : nullptr;
    if (health == nullptr) return;
    health->SetServingStatus(kServiceName, is_serving);
    health->SetServingStatus(is_serving);
  }

  void follow_health() {
    std::unique_lock lock(mutex_);
    while (!stop_.wait_for(lock, kHealthInterval, [this] { return stopping_; })) {
      lock.unlock();
      update_health();
      lock.lock();
    }
  }

  ServiceContext context_;
  std::unique_ptr<grpc::Service> service_;
  std::vector<ListenAddress> addresses_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread health_thread_;
};

}  // namespace

Result<std::unique_ptr<GrpcServer>> GrpcServer::create(GrpcOptions options, Engine& engine) {
  auto server = std::make_unique<GrpcServerImpl>(options, engine);
  CUZK_TRY(server->start());
  return std::unique_ptr<GrpcServer>(std::move(server));
}

}  // namespace cuzk
