#include "server/http_server.h"

#include <httplib.h>
#include <sys/socket.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "server/listen_address.h"
#include "server/page_assets.h"
#include "server/prometheus.h"
#include "server/status_json.h"

namespace cuzk {
namespace {

// A thread serves one connection; a browser opens up to six, and a slow client holds one for the read timeout.
constexpr std::size_t kThreads = 24;
constexpr std::size_t kFinishedJobs = 50;
constexpr char kMetricsType[] = "text/plain; version=0.0.4; charset=utf-8";
constexpr char kTextType[] = "text/plain; charset=utf-8";
constexpr char kJsonType[] = "application/json";

// Nothing from elsewhere, no inline code, no frame around it.
const httplib::Headers& safe_headers() {
  static const httplib::Headers headers = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"}};
  return headers;
}

std::int64_t unix_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

class HttpServerImpl final : public HttpServer {
 public:
  HttpServerImpl(HttpOptions options, Engine& engine) : options_(std::move(options)), engine_(engine) {
    set_limits();
    add_routes();
  }
  ~HttpServerImpl() override { shut_down(); }

  Status start() {
    CUZK_ASSIGN(const ListenAddress address, parse_listen_address(options_.listen));
    if (address.is_unix()) return invalid_argument("HTTP listens on host:port; found " + options_.listen);
    CUZK_TRY(check_tcp_address(address));
    port_ = address.port == 0
                ? server_.bind_to_any_port(address.host.c_str())
                : (server_.bind_to_port(address.host.c_str(), address.port) ? address.port : -1);
    if (port_ <= 0)
      return unavailable("cannot listen on " + address.to_string() +
                         ": another process may have taken it just now");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    // stop() does nothing before the loop has begun.
    while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Status::ok();
  }

  int port() const noexcept override { return port_; }

  void shut_down() override {
    if (!thread_.joinable()) return;
    server_.stop();
    thread_.join();
  }

 private:
  void set_limits() {
    server_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_.set_read_timeout(std::chrono::seconds(5));
    server_.set_write_timeout(std::chrono::seconds(5));
    server_.set_keep_alive_timeout(2);
    server_.set_payload_max_length(1024);
    // Without SO_REUSEPORT, which the library would set: two daemons must not share a port without knowing.
    server_.set_socket_options([](socket_t socket) {
      const int on = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    server_.set_default_headers(safe_headers());
    server_.set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
          response.status = 500;
          response.set_content("internal error\n", kTextType);
        });
    server_.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
      if (request.method == "GET" || request.method == "HEAD")
        return httplib::Server::HandlerResponse::Unhandled;
      response.status = 405;
      response.set_header("Allow", "GET, HEAD");
      response.set_content("nothing can be changed over HTTP\n", kTextType);
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_error_handler([](const httplib::Request& request, httplib::Response& response) {
      if (response.status == 404 && response.body.empty())
        response.set_content("nothing is at " + request.path + "\n", kTextType);
    });
  }

  void add_routes() {
    using Request = httplib::Request;
    using Response = httplib::Response;
    server_.Get("/healthz",
                [](const Request&, Response& response) { response.set_content("ok\n", kTextType); });
    server_.Get("/readyz", [this](const Request&, Response& response) {
      const Readiness readiness = readiness_of(engine_.status());
      response.status = readiness.is_ready ? 200 : 503;
      response.set_content(readiness.text + "\n", kTextType);
    });
    server_.Get("/metrics", [this](const Request&, Response& response) {
      response.set_content(prometheus_text(engine_, options_.version), kMetricsType);
    });
    server_.Get("/api/status.json", [this](const Request&, Response& response) {
      response.set_content(status_json(engine_.status(), options_.version, unix_ms()), kJsonType);
    });
    server_.Get("/api/jobs.json", [this](const Request&, Response& response) {
      response.set_content(jobs_json(engine_.list(kFinishedJobs), unix_ms()), kJsonType);
    });
    for (const PageAsset& asset : page_assets())
      server_.Get(std::string(asset.path), [&asset](const Request&, Response& response) {
        response.set_content(asset.content.data(), asset.content.size(), std::string(asset.content_type));
      });
  }

  const HttpOptions options_;
  Engine& engine_;
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::create(HttpOptions options, Engine& engine) {
  auto server = std::make_unique<HttpServerImpl>(std::move(options), engine);
  CUZK_TRY(server->start());
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace cuzk
