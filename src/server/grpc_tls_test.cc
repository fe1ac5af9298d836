// TLS and mutual TLS, with certificates that openssl makes here.
#include <grpc/grpc_security_constants.h>

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>

#include "server/grpc_test_support.h"

namespace cuzk {
namespace {

class GrpcTls : public GrpcServerTest {
 protected:
  void SetUp() override {
    make_authority("ca");
    make_authority("stranger");
    make_certificate("server", "ca");
    make_certificate("client", "ca");
    make_certificate("other", "stranger");
  }

  std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }
  std::string pem(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(file(name)).rdbuf();
    return text.str();
  }
  void openssl(const std::string& arguments) const {
    const std::string command =
        "cd " + folder_.path().string() + " && openssl " + arguments + " >/dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
  void make_authority(const std::string& name) const {
    openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=" + name +
            " -keyout " + name + ".key -out " + name + ".pem");
  }
  void make_certificate(const std::string& name, const std::string& authority) const {
    std::ofstream(file(name + ".ext")) << "subjectAltName=DNS:localhost,IP:127.0.0.1\n";
    openssl("req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=" + name + " -keyout " + name +
            ".key -out " + name + ".csr");
    openssl("x509 -req -days 2 -in " + name + ".csr -CA " + authority + ".pem -CAkey " + authority +
            ".key -CAcreateserial -extfile " + name + ".ext -out " + name + ".pem");
  }
  GrpcOptions tls_options(bool is_mutual) const {
    GrpcOptions options;
    options.tls = TlsFiles{file("server.pem"), file("server.key"), is_mutual ? file("ca.pem") : ""};
    return options;
  }
  grpc::Status call(const std::shared_ptr<grpc::ChannelCredentials>& credentials,
                    const std::string& address) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
    v1::GetStatusResponse response;
    return v1::ProvingEngine::NewStub(open_channel(address, credentials))->GetStatus(&context, {}, &response);
  }
  std::shared_ptr<grpc::ChannelCredentials> client(const std::string& trusts,
                                                   const std::string& shows) const {
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = pem(trusts + ".pem");
    if (!shows.empty()) {
      options.pem_cert_chain = pem(shows + ".pem");
      options.pem_private_key = pem(shows + ".key");
    }
    return grpc::SslCredentials(options);
  }
  // A pair for the server in these files, with another common name.
  void make_server_pair(const std::string& name, const std::string& common_name,
                        const std::string& authority) {
    make_certificate(common_name, authority);
    std::filesystem::rename(file(common_name + ".pem"), file(name + ".pem"));
    std::filesystem::rename(file(common_name + ".key"), file(name + ".key"));
  }
  void install(const std::string& from, const std::string& to) const {
    // As certbot and cert-manager do: the whole file at once.
    std::filesystem::copy_file(file(from), file(to + ".new"));
    std::filesystem::rename(file(to + ".new"), file(to));
  }
  // Of the certificate that a new connection is shown; empty if it fails.
  std::string common_name_shown(const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
    v1::GetStatusResponse response;
    const auto stub = v1::ProvingEngine::NewStub(open_channel(tcp_address(), credentials));
    if (!stub->GetStatus(&context, {}, &response).ok()) return "";
    const auto names = context.auth_context()->FindPropertyValues(GRPC_X509_CN_PROPERTY_NAME);
    return names.empty() ? "" : std::string(names.front().data(), names.front().size());
  }
  std::vector<std::string> notes(bool warnings) {
    const std::lock_guard lock(mutex_);
    return warnings ? warnings_ : infos_;
  }
  void start_noted(GrpcOptions options) {
    options.on_note = [this](bool is_warning, const std::string& text) {
      const std::lock_guard lock(mutex_);
      (is_warning ? warnings_ : infos_).push_back(text);
    };
    start(std::move(options));
  }
  // Long enough for the files to be looked at several times.
  static void let_it_look() { std::this_thread::sleep_for(std::chrono::milliseconds(3500)); }

  std::mutex mutex_;
  std::vector<std::string> warnings_, infos_;

  Status failure_with(const TlsFiles& files) {
    GrpcOptions options;
    options.listen = {"127.0.0.1:0"};
    options.tls = files;
    return GrpcServer::create(options, engine_).status();
  }
};

TEST_F(GrpcTls, ServerIsAuthenticated) {
  start(tls_options(false));
  EXPECT_TRUE(call(client("ca", ""), tcp_address()).ok());
  EXPECT_FALSE(call(client("stranger", ""), tcp_address()).ok());
  EXPECT_FALSE(call(grpc::InsecureChannelCredentials(), tcp_address()).ok());
  EXPECT_TRUE(call(grpc::InsecureChannelCredentials(), "unix:" + socket_path().string()).ok());
}

TEST_F(GrpcTls, ClientIsAuthenticated) {
  start(tls_options(true));
  EXPECT_TRUE(call(client("ca", "client"), tcp_address()).ok());
  EXPECT_FALSE(call(client("ca", ""), tcp_address()).ok());
  EXPECT_FALSE(call(client("ca", "other"), tcp_address()).ok());
}

TEST_F(GrpcTls, UnusableFilesAreNamed) {
  std::ofstream(file("empty")) << "";
  std::ofstream(file("half-chain.pem")) << pem("server.pem") << pem("ca.pem").substr(0, 300);
  openssl("req -x509 -newkey rsa:1024 -nodes -days 2 -subj /CN=short -keyout short.key -out short.pem");
  const std::vector<std::pair<TlsFiles, std::string>> cases = {
      {{file("none.pem"), file("server.key"), ""}, "none.pem cannot be read: No such file"},
      {{file("empty"), file("server.key"), ""}, "empty holds no PEM certificate"},
      {{file("server.pem"), file("server.pem"), ""}, "server.pem holds no PEM private key"},
      {{file("server.pem"), file("client.key"), ""}, "client.key is not that of certificate"},
      {{file("server.pem"), file("server.key"), file("server.key")}, "server.key holds no PEM certificate"},
      {{file("half-chain.pem"), file("server.key"), ""}, "half-chain.pem: certificate 2 in it is damaged"},
      {{file("short.pem"), file("short.key"), ""}, "short.pem cannot be used: ee key too small"}};
  for (const auto& [files, reason] : cases) {
    const Status status = failure_with(files);
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
    EXPECT_NE(status.message().find(reason), std::string::npos) << status.message();
  }
}

TEST_F(GrpcTls, RenewedFilesAreTakenAndOpenConnectionsStay) {
  start_noted(tls_options(true));
  const auto open = open_channel(tcp_address(), client("ca", "client"));
  const auto open_stub = v1::ProvingEngine::NewStub(open);
  const auto ask = [&] {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
    v1::GetStatusResponse response;
    return open_stub->GetStatus(&context, {}, &response).ok();
  };
  ASSERT_TRUE(ask());
  engine_.put(sample_job("job-1", JobState::proving));
  grpc::ClientContext watch_context;
  v1::WatchJobRequest watch;
  watch.set_job_id("job-1");
  const auto stream = open_stub->WatchJob(&watch_context, watch);
  v1::JobInfo info;
  ASSERT_TRUE(stream->Read(&info));
  EXPECT_EQ(common_name_shown(client("ca", "client")), "server");

  make_server_pair("fresh", "renewed", "ca");
  install("fresh.pem", "server.pem");
  install("fresh.key", "server.key");
  EXPECT_TRUE(soon([this] { return common_name_shown(client("ca", "client")) == "renewed"; }));
  EXPECT_EQ(notes(true), std::vector<std::string>());
  ASSERT_EQ(notes(false).size(), 1u);
  EXPECT_NE(notes(false)[0].find("server.pem is read anew"), std::string::npos) << notes(false)[0];
  EXPECT_NE(notes(false)[0].find("valid until "), std::string::npos) << notes(false)[0];
  // The stream is the one that was open before.
  engine_.put(sample_job("job-1", JobState::completed));
  while (stream->Read(&info)) continue;
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(info.state(), "completed");
  EXPECT_TRUE(ask());
  // As strict as before.
  EXPECT_EQ(common_name_shown(client("ca", "")), "");
  EXPECT_EQ(common_name_shown(client("ca", "other")), "");
  EXPECT_EQ(common_name_shown(client("stranger", "client")), "");
}

TEST_F(GrpcTls, WhatCannotBeUsedLeavesTheOldPairInForce) {
  start_noted(tls_options(true));
  make_server_pair("fresh", "renewed", "ca");
  const std::vector<std::pair<std::function<void()>, std::string>> accidents = {
      {[this] { install("fresh.pem", "server.pem"); }, "server.key is not that of certificate"},
      {[this] { std::ofstream(file("server.pem")) << pem("fresh.pem").substr(0, 200); },
       "server.pem: certificate 1 in it is damaged"},
      {[this] { std::ofstream(file("server.pem")) << ""; }, "server.pem holds no PEM certificate"},
      {[this] { std::filesystem::remove(file("server.pem")); }, "server.pem cannot be read: No such file"}};
  for (std::size_t i = 0; i < accidents.size(); ++i) {
    accidents[i].first();
    EXPECT_TRUE(soon([&] { return notes(true).size() > i; })) << accidents[i].second;
    EXPECT_NE(notes(true).back().find(accidents[i].second), std::string::npos) << notes(true).back();
    EXPECT_EQ(common_name_shown(client("ca", "client")), "server") << accidents[i].second;
  }
  let_it_look();
  EXPECT_EQ(notes(true).size(), accidents.size()) << "said twice";
  EXPECT_EQ(notes(false).size(), 0u);
  install("fresh.pem", "server.pem");
  install("fresh.key", "server.key");
  EXPECT_TRUE(soon([this] { return common_name_shown(client("ca", "client")) == "renewed"; }));
}

TEST_F(GrpcTls, ClientAuthorityIsRenewedToo) {
  std::filesystem::copy_file(file("ca.pem"), file("root.pem"));
  start_noted(tls_options(true));
  EXPECT_EQ(common_name_shown(client("root", "other")), "");
  std::ofstream(file("both.pem")) << pem("ca.pem") << pem("stranger.pem");
  install("both.pem", "ca.pem");
  EXPECT_TRUE(soon([this] { return common_name_shown(client("root", "other")) == "server"; }));
  EXPECT_EQ(common_name_shown(client("root", "client")), "server");
  install("stranger.pem", "ca.pem");
  EXPECT_TRUE(soon([this] { return common_name_shown(client("root", "client")).empty(); }));
  EXPECT_EQ(common_name_shown(client("root", "other")), "server");
  EXPECT_EQ(common_name_shown(client("root", "")), "");
}

// A name with two addresses, connections all the time, and a new certificate every second.
TEST_F(GrpcTls, RenewalUnderLoad) {
  GrpcOptions options = tls_options(true);
  options.listen = {"localhost:0"};
  start_noted(options);
  const std::string address = "localhost:" + std::to_string(server_->port());
  const auto credentials = client("ca", "client");
  std::atomic<bool> is_done = false;
  std::atomic<int> good = 0, bad = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([&] {
      while (!is_done) ++(call(credentials, address).ok() ? good : bad);
    });
  for (std::size_t renewals = 1; renewals <= 3; ++renewals) {
    make_server_pair("fresh", "renewed", "ca");
    install("fresh.pem", "server.pem");
    install("fresh.key", "server.key");
    EXPECT_TRUE(soon([&] { return notes(false).size() == renewals; }));
  }
  is_done = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(bad, 0);
  EXPECT_GT(good, 10);
  EXPECT_EQ(notes(true), std::vector<std::string>());
}

}  // namespace
}  // namespace cuzk
