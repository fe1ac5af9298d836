#include "server/live_tls.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <sys/stat.h>

#include <utility>

#include "server/listen_address.h"

namespace cuzk {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

// A name may have several addresses: each gets a socket, and what belongs to it.
class LiveTls::AddressCredentials final : public grpc::ServerCredentials {
 public:
  explicit AddressCredentials(LiveTls& tls) : tls_(tls) {}
  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}

 private:
  int AddPortToServer(const std::string& text, grpc_server* server) override {
    const Result<ListenAddress> address = parse_listen_address(text);
    if (!address.is_ok()) return 0;
    int port = 0;
    for (ListenAddress one : resolve(address.value())) {
      if (one.port == 0) one.port = static_cast<std::uint16_t>(port);
      grpc_server_credentials* credentials = make();
      const int added = grpc_server_add_http2_port(server, one.to_string().c_str(), credentials);
      grpc_server_credentials_release(credentials);
      if (added != 0) port = added;
    }
    return port;
  }

  grpc_server_credentials* make() {
    const auto request = tls_.files_.client_ca.empty()
                             ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                             : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY;
    return grpc_ssl_server_credentials_create_with_options(
        grpc_ssl_server_credentials_create_options_using_config_fetcher(request, &fetch,
                                                                        &tls_.add_listener()));
  }

  static grpc_ssl_certificate_config_reload_status fetch(void* data,
                                                         grpc_ssl_server_certificate_config** config) {
    Listener& listener = *static_cast<Listener*>(data);
    std::shared_ptr<const TlsContents> contents;
    {
      const std::lock_guard lock(listener.tls->mutex_);
      if (listener.generation == listener.tls->generation_)
        return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
      listener.generation = listener.tls->generation_;
      contents = listener.tls->contents_;
    }
    const grpc_ssl_pem_key_cert_pair pair = {contents->private_key.c_str(), contents->certificate.c_str()};
    // Without an authority none is asked for, but there must be one (1.51): any will do.
    const std::string& client_ca = contents->client_ca.empty() ? contents->certificate : contents->client_ca;
    *config = grpc_ssl_server_certificate_config_create(client_ca.c_str(), &pair, 1);
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  LiveTls& tls_;
};

LiveTls::LiveTls(TlsFiles files, Note note) : files_(std::move(files)), note_(std::move(note)) {}

LiveTls::~LiveTls() = default;

Result<std::unique_ptr<LiveTls>> LiveTls::create(TlsFiles files, Note note) {
  std::unique_ptr<LiveTls> tls(new LiveTls(std::move(files), std::move(note)));
  tls->seen_ = tls->in_force_ = tls->stamps();  // what changes from here on is seen
  CUZK_ASSIGN(TlsContents contents, read_tls_files(tls->files_));
  tls->contents_ = std::make_shared<const TlsContents>(std::move(contents));
  tls->generation_ = 1;
  return tls;
}

std::shared_ptr<grpc::ServerCredentials> LiveTls::credentials() {
  return std::make_shared<AddressCredentials>(*this);
}

LiveTls::Listener& LiveTls::add_listener() {
  const std::lock_guard lock(mutex_);
  return *listeners_.emplace_back(std::make_unique<Listener>(Listener{this}));
}

std::vector<LiveTls::Stamp> LiveTls::stamps() const {
  std::vector<Stamp> stamps;
  for (const std::filesystem::path* path : {&files_.certificate, &files_.private_key, &files_.client_ca}) {
    struct stat info = {};
    Stamp stamp;
    if (!path->empty() && ::stat(path->c_str(), &info) == 0)
      stamp = {info.st_dev, info.st_ino, static_cast<std::uint64_t>(info.st_size), nanoseconds(info.st_mtim),
               nanoseconds(info.st_ctim)};
    stamps.push_back(stamp);
  }
  return stamps;
}

void LiveTls::follow() {
  const std::vector<Stamp> before = stamps();
  if (before == in_force_ || std::exchange(seen_, before) != before) return;
  Result<TlsContents> read = read_tls_files(files_);
  if (stamps() != before) return;
  if (!read.is_ok()) {
    if (note_ && read.status().message() != last_failure_)
      note_(true, read.status().message() + "; the certificate in force until now stays");
    last_failure_ = read.status().message();
    return;
  }
  in_force_ = before;
  last_failure_.clear();
  if (read.value() == *contents_) return;
  const std::string text = "TLS certificate " + files_.certificate.string() +
                           " is read anew for new connections, valid until " + read.value().valid_until;
  {
    const std::lock_guard lock(mutex_);
    contents_ = std::make_shared<const TlsContents>(std::move(read).value());
    ++generation_;
  }
  if (note_) note_(false, text);
}

}  // namespace cuzk
