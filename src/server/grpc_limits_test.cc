// What clients can do to the server by size, number and half-sent messages, and what an address may be.
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <fstream>

#include "server/grpc_test_support.h"
#include "server/listen_address.h"
#include "server/process_figures.h"
#include "server/service_context.h"

namespace cuzk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class GrpcLimits : public GrpcServerTest {
 protected:
  grpc::Status submit(std::size_t size, const std::string& address) {
    const auto stub = v1::ProvingEngine::NewStub(open_channel(address));
    v1::SubmitProofRequest request;
    request.set_proof_kind(v1::POREP_SEAL_COMMIT);
    request.set_vanilla_proof(std::string(size, 'x'));
    request.mutable_vanilla_proof()->resize(size - (request.ByteSizeLong() - size));
    EXPECT_EQ(request.ByteSizeLong(), size);
    grpc::ClientContext context;
    v1::SubmitProofResponse response;
    return stub->SubmitProof(&context, request, &response);
  }
  // A call that must be answered in time whatever else happens.
  void expect_alive() {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + seconds(30));
    v1::GetStatusResponse status;
    const grpc::Status alive =
        v1::ProvingEngine::NewStub(open_channel(tcp_address()))->GetStatus(&context, {}, &status);
    EXPECT_TRUE(alive.ok()) << alive.error_message();
  }
};

// D37: real sizes pass by default, one byte over the limit is refused with both numbers.
TEST_F(GrpcLimits, RealMessagesPass) {
  std::atomic<std::size_t> received = 0;
  engine_.on_submit = [&received](ProofRequest&& request) {
    received += request.vanilla_proof.size();
    return Submitted{"job", 0, false};
  };
  start();
  std::size_t sent = 0;
  for (const std::size_t size : {3'900'000, 4'100'000, 50'000'000})
    for (const std::string& address : {tcp_address(), "unix:" + socket_path().string()}) {
      EXPECT_TRUE(submit(size, address).ok()) << size;
      sent += size;
    }
  EXPECT_GT(received, sent - 100);
}

TEST_F(GrpcLimits, OneByteOverIsRefusedByName) {
  GrpcOptions options;
  options.max_message_bytes = 1'000'000;
  start(options);
  for (const std::string& address : {tcp_address(), "unix:" + socket_path().string()}) {
    EXPECT_TRUE(submit(1'000'000, address).ok());
    const grpc::Status status = submit(1'000'001, address);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_NE(status.error_message().find("1000001"), std::string::npos) << status.error_message();
    EXPECT_NE(status.error_message().find("1000000"), std::string::npos) << status.error_message();
  }
  // What the client still had to send when it was refused holds nobody up.
  const auto begin = std::chrono::steady_clock::now();
  server_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(5));
}

// Bodies that wait for the engine are counted; what is over is refused with the figures, and fits again later.
TEST_F(GrpcLimits, BodiesInFlightAreBounded) {
  std::atomic<int> inside = 0;
  std::atomic<bool> may_leave = false;
  engine_.on_submit = [&](ProofRequest&&) {
    ++inside;
    soon([&may_leave] { return may_leave.load(); });
    return Submitted{"job", 0, false};
  };
  GrpcOptions options;
  options.max_bytes_in_flight = 2'500'000;
  start(options);
  std::vector<std::thread> clients;
  for (int i = 0; i < 2; ++i)
    clients.emplace_back([this] { EXPECT_TRUE(submit(1'000'000, tcp_address()).ok()); });
  ASSERT_TRUE(soon([&inside] { return inside == 2; }));
  const grpc::Status status = submit(1'000'000, tcp_address());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(status.error_message().find("1000000 bytes; requests being handled hold"), std::string::npos)
      << status.error_message();
  expect_alive();
  may_leave = true;
  for (std::thread& client : clients) client.join();
  EXPECT_TRUE(submit(1'000'000, tcp_address()).ok());
}

TEST_F(GrpcLimits, GaugeGivesBack) {
  const auto gauge = std::make_shared<ByteGauge>(10);
  ByteGauge::Hold first = gauge->hold(10);
  EXPECT_TRUE(first);
  EXPECT_FALSE(gauge->hold(1));
  first.reset();
  EXPECT_EQ(gauge->held(), 0u);
  EXPECT_TRUE(gauge->hold(10));
}

// D10: 10,000 submits at once. Each is answered, with a job or with when to come back; others are served meanwhile.
TEST_F(GrpcLimits, FloodOfSubmitsHarmsNobody) {
  std::atomic<int> accepted = 0;
  engine_.on_submit = [&accepted](ProofRequest&&) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    ++accepted;
    return Submitted{"job", 0, false};
  };
  start();
  constexpr int kCalls = 10'000;
  const v1::SubmitProofRequest request = winning_request();
  std::vector<grpc::ClientContext> contexts(kCalls);
  std::vector<v1::SubmitProofResponse> responses(kCalls);
  std::atomic<int> good = 0;
  std::atomic<int> refused = 0;
  std::atomic<int> other = 0;
  for (int i = 0; i < kCalls; ++i)
    stub_->async()->SubmitProof(&contexts[i], &request, &responses[i], [&](const grpc::Status& status) {
      if (status.ok())
        ++good;
      else if (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED)
        ++refused;
      else
        ++other;
    });
  expect_alive();
  EXPECT_TRUE(soon([&] { return good + refused + other == kCalls; }, seconds(60)));
  EXPECT_EQ(other, 0);
  EXPECT_EQ(good, accepted);
  EXPECT_GT(good, 0);
}

class RawConnection {
 public:
  explicit RawConnection(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~RawConnection() { close(fd_); }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;
  void send_all(const std::string& bytes) {
    EXPECT_EQ(send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }

 private:
  const int fd_;
};

// An HTTP/2 frame (RFC 9113, 4.1).
std::string frame(char type, char flags, char stream, const std::string& payload) {
  const std::size_t size = payload.size();
  return {std::string{static_cast<char>(size >> 16), static_cast<char>(size >> 8), static_cast<char>(size),
                      type, flags, 0, 0, 0, stream} +
          payload};
}

// A header as a literal without indexing (RFC 7541, 6.2.2).
std::string header(const std::string& name, const std::string& value) {
  return std::string(1, '\0') + static_cast<char>(name.size()) + name + static_cast<char>(value.size()) +
         value;
}

// The head of a SubmitProof and the first bytes of its message, which is said to have 100,000.
std::string half_a_message() {
  const std::string headers = header(":method", "POST") + header(":scheme", "http") +
                              header(":path", "/cuzk.v1.ProvingEngine/SubmitProof") +
                              header(":authority", "localhost") + header("content-type", "application/grpc") +
                              header("te", "trailers");
  const std::string prefix{0, 0, 1, static_cast<char>(0x86), static_cast<char>(0xa0)};
  return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, "") + frame(1, 4, 1, headers) +
         frame(0, 0, 1, prefix + std::string(1000, 'x'));
}

TEST_F(GrpcLimits, HalfMessagesReachNobody) {
  std::atomic<int> submits = 0;
  engine_.on_submit = [&submits](ProofRequest&&) {
    ++submits;
    return Submitted{"job", 0, false};
  };
  start();
  const std::uint64_t files_before = read_process_figures().open_files;
  {
    std::vector<std::unique_ptr<RawConnection>> connections;
    for (int i = 0; i < 50; ++i) {
      connections.push_back(std::make_unique<RawConnection>(server_->port()));
      connections.back()->send_all(i % 2 == 0 ? half_a_message() : half_a_message().substr(0, 20 + i));
    }
    expect_alive();
  }
  expect_alive();
  EXPECT_EQ(submits, 0);
  EXPECT_TRUE(soon([=] { return read_process_figures().open_files <= files_before + 10; }))
      << "connections stay open";
}

// A message that is no SubmitProofRequest at all.
TEST_F(GrpcLimits, GarbageIsNoRequest) {
  start();
  RawConnection connection(server_->port());
  std::string garbage = half_a_message();
  connection.send_all(garbage + std::string(10'000, '\xff'));
  expect_alive();
}

TEST_F(GrpcLimits, SocketIsPrivateAndGoesAway) {
  start();
  struct stat info = {};
  ASSERT_EQ(stat(socket_path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  server_->shut_down(milliseconds(0));
  EXPECT_FALSE(std::filesystem::exists(socket_path()));
}

Status try_listen(const std::string& address, Engine& engine) {
  GrpcOptions options;
  options.listen = {address};
  return GrpcServer::create(options, engine).status();
}

// D27: a socket that a killed process left behind is no obstacle; one with a listener is.
TEST_F(GrpcLimits, StaleSocketIsReplacedALiveOneIsNot) {
  const std::string path = socket_path().string();
  {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, path.size());
    ASSERT_EQ(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    close(fd);
  }
  ASSERT_TRUE(std::filesystem::exists(path));
  start();
  const Status status = try_listen("unix:" + path, engine_);
  EXPECT_EQ(status.code(), StatusCode::unavailable);
  EXPECT_NE(status.message().find("another process listens there"), std::string::npos) << status.message();
  expect_alive();
  EXPECT_TRUE(std::filesystem::exists(path)) << "the socket of the first server was taken away";
}

TEST_F(GrpcLimits, AddressesThatCannotBe) {
  start();
  std::ofstream(folder_.path() / "file") << "not a socket";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {tcp_address(), "Address already in use"},
      {"192.0.2.1:1", "Cannot assign requested address"},
      {"no-such-host.invalid:1", "cannot listen on no-such-host.invalid:1"},
      {"unix:" + (folder_.path() / "file").string(), "is no socket"},
      {"unix:" + (folder_.path() / "none" / "s").string(), "does not exist"},
      {"unix:relative", "must be absolute"},
      {"unix:/" + std::string(200, 'x'), "a socket allows 107"},
      {"localhost", "no port"},
      {"localhost:", "the port is no number"},
      {"localhost:65536", "the port is no number"},
      {"localhost:-1", "the port is no number"},
      {":9820", "no host"},
      {"::1:9820", "stands in brackets"}};
  for (const auto& [address, reason] : cases) {
    const Status status = try_listen(address, engine_);
    EXPECT_FALSE(status.is_ok()) << address;
    EXPECT_NE(status.message().find(reason), std::string::npos) << status.message();
  }
}

TEST(ListenAddress, Forms) {
  EXPECT_EQ(parse_listen_address("127.0.0.1:9820").value().to_string(), "127.0.0.1:9820");
  EXPECT_EQ(parse_listen_address("[::1]:0").value().to_string(), "[::1]:0");
  EXPECT_EQ(parse_listen_address("[::1]:0").value().host, "::1");
  EXPECT_EQ(parse_listen_address("unix:/run/cuzk.sock").value().to_string(), "unix:/run/cuzk.sock");
  EXPECT_EQ(parse_listen_address("unix:///run/cuzk.sock").value().to_string(), "unix:/run/cuzk.sock");
}

}  // namespace
}  // namespace cuzk
