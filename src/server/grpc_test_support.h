// A server over a fake engine and a client to it, for the tests of the gRPC service.
#pragma once

#include <cuzk/v1/proving.grpc.pb.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "server/fake_engine_test_support.h"
#include "server/grpc_server.h"

namespace cuzk {

// A folder that is removed with what is in it. Short, for the path of a socket.
class TestFolder {
 public:
  TestFolder() {
    std::string name = "/tmp/cuzk-server-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

// Whether `condition` becomes true in time.
inline bool soon(const std::function<bool()>& condition,
                 std::chrono::milliseconds limit = std::chrono::seconds(60)) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// A channel of its own connection, that takes messages of any size.
inline std::shared_ptr<grpc::Channel> open_channel(
    const std::string& address,
    std::shared_ptr<grpc::ChannelCredentials> credentials = grpc::InsecureChannelCredentials()) {
  static std::atomic<int> number = 0;
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetInt("cuzk-test-channel", ++number);  // equal arguments share a connection
  return grpc::CreateCustomChannel(address, credentials, arguments);
}

inline std::string metadata(const grpc::ClientContext& context, const std::string& key) {
  const auto found = context.GetServerTrailingMetadata().find(key);
  return found == context.GetServerTrailingMetadata().end()
             ? ""
             : std::string(found->second.data(), found->second.size());
}

inline v1::SubmitProofRequest winning_request() {
  v1::SubmitProofRequest request;
  request.set_request_id("winpost-1000-ff");
  request.set_proof_kind(v1::WINNING_POST);
  request.set_sector_size(2048);
  request.add_vanilla_proofs("vanilla");
  return request;
}

class GrpcServerTest : public testing::Test {
 protected:
  // The socket is always there; `with` may change the rest.
  void start(GrpcOptions with = {}) {
    with.version = "1.2.3";
    if (with.listen == GrpcOptions().listen) with.listen = {"127.0.0.1:0"};
    with.listen.push_back("unix:" + socket_path().string());
    Result<std::unique_ptr<GrpcServer>> made = GrpcServer::create(with, engine_);
    ASSERT_TRUE(made.is_ok()) << made.status().to_string();
    server_ = std::move(made).value();
    channel_ = open_channel(tcp_address());
    stub_ = v1::ProvingEngine::NewStub(channel_);
  }
  void TearDown() override {
    stub_.reset();
    channel_.reset();
    server_.reset();
    EXPECT_EQ(engine_.num_subscribers(), 0u) << "a waiter was not freed";
  }

  std::filesystem::path socket_path() const { return folder_.path() / "s"; }
  std::string tcp_address() const { return "127.0.0.1:" + std::to_string(server_->port()); }

  TestFolder folder_;
  FakeEngine engine_;
  std::unique_ptr<GrpcServer> server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::ProvingEngine::Stub> stub_;
};

}  // namespace cuzk
