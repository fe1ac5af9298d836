// TLS and mutual TLS, with certificates that openssl makes here.
#include <cstdlib>
#include <fstream>
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
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(3));
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
  const std::vector<std::pair<TlsFiles, std::string>> cases = {
      {{file("none.pem"), file("server.key"), ""}, "none.pem cannot be read: No such file"},
      {{file("empty"), file("server.key"), ""}, "empty holds no PEM certificate"},
      {{file("server.pem"), file("server.pem"), ""}, "server.pem holds no PEM private key"},
      {{file("server.pem"), file("client.key"), ""}, "client.key is not that of certificate"},
      {{file("server.pem"), file("server.key"), file("server.key")}, "server.key holds no PEM certificate"}};
  for (const auto& [files, reason] : cases) {
    const Status status = failure_with(files);
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
    EXPECT_NE(status.message().find(reason), std::string::npos) << status.message();
  }
}

}  // namespace
}  // namespace cuzk
