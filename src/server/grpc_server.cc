#include "server/grpc_server.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/grpc.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <malloc.h>
#include <sys/stat.h>

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "server/listen_address.h"
#include "server/live_tls.h"
#include "server/proving_service.h"
#include "server/service_context.h"

namespace cuzk {
namespace {

constexpr char kServiceName[] = "cuzk.v1.ProvingEngine";
// How soon health follows the engine when nobody has told of a change.
constexpr std::chrono::milliseconds kHealthInterval{200};
// The files of certificates are looked at once in so many times of that.
constexpr unsigned kTlsEvery = 5;
// Free memory is looked for, which takes milliseconds, after so many bytes of requests.
constexpr std::uint64_t kTrimAfterBytes = std::uint64_t{64} << 20;
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

// What the network library may hold of bodies that are being received. Beyond it calls are cancelled at random, so the largest message
// must fit with the frames and buffers around it. The cap of ServiceContext refuses with a sentence, and should come first: twice what
// it allows and one more message.
std::uint64_t receive_quota(const GrpcOptions& options, std::uint64_t host_limit_bytes) {
  constexpr std::uint64_t kSlack = std::uint64_t{16} << 20;
  const std::uint64_t least = options.max_message_bytes + options.max_message_bytes / 8 + kSlack;
  const std::uint64_t wanted = 2 * options.max_bytes_in_flight + options.max_message_bytes;
  return std::max(least, std::min(wanted, host_limit_bytes / 8));
}

void set_limits(grpc::ServerBuilder& builder, const GrpcOptions& options, std::uint64_t host_limit_bytes) {
  builder.SetMaxReceiveMessageSize(to_int(options.max_message_bytes));
  builder.SetMaxSendMessageSize(to_int(options.max_message_bytes));
  grpc::ResourceQuota quota("cuzk");
  quota.Resize(receive_quota(options, host_limit_bytes));
  builder.SetResourceQuota(quota);
  // The limit of a message is that of its compressed form, a thousandth of what it may become.
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
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

// What a client sends wrong is said to the client; Protocol Buffers would write a line to standard error as well.
void silence_parser() {
  google::protobuf::SetLogHandler(nullptr);
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
    silence_parser();
    CUZK_TRY(read_addresses());
    std::shared_ptr<grpc::ServerCredentials> tcp_credentials = grpc::InsecureServerCredentials();
    if (context_.options.tls) {
      CUZK_ASSIGN(tls_, LiveTls::create(*context_.options.tls, context_.options.on_note));
      tcp_credentials = tls_->credentials();
    }
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    grpc::ServerBuilder builder;
    set_limits(builder, context_.options, context_.engine.status().host_memory.limit_bytes);
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
    follower_ = std::thread([this] { follow(); });
    return Status::ok();
  }

  int port() const noexcept override { return port_; }

  void shut_down(std::chrono::milliseconds grace) override {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(stopping_, true)) return;
    }
    stop_.notify_all();
    if (follower_.joinable()) follower_.join();
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

  void follow() {
    std::unique_lock lock(mutex_);
    for (unsigned i = 1; !stop_.wait_for(lock, kHealthInterval, [this] { return stopping_; }); ++i) {
      lock.unlock();
      update_health();
      if (tls_ && i % kTlsEvery == 0) tls_->follow();
      give_back_spare();
      lock.lock();
    }
  }

  // The C library keeps what was freed in pieces, and bodies are received in pieces: without this the process stays as large as the
  // largest flood was.
  void give_back_spare() {
    const std::uint64_t seen = context_.bytes->seen();
    if (seen - seen_at_trim_ < kTrimAfterBytes || context_.bytes->held() > 0) return;
    seen_at_trim_ = seen;
    malloc_trim(0);
  }

  ServiceContext context_;
  std::unique_ptr<grpc::Service> service_;
  std::vector<ListenAddress> addresses_;
  int port_ = 0;
  std::unique_ptr<LiveTls> tls_;  // null: plain text
  std::unique_ptr<grpc::Server> server_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread follower_;            // of the engine and of files
  std::uint64_t seen_at_trim_ = 0;  // by follower_
};

}  // namespace

Result<std::unique_ptr<GrpcServer>> GrpcServer::create(GrpcOptions options, Engine& engine) {
  auto server = std::make_unique<GrpcServerImpl>(options, engine);
  CUZK_TRY(server->start());
  return std::unique_ptr<GrpcServer>(std::move(server));
}

}  // namespace cuzk
