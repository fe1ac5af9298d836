// HttpServer: what an operator and a monitoring system read, over plain HTTP.
//
//   /                  the status page
//   /api/status.json   the engine's figures;  /api/jobs.json: unfinished jobs and the last 50 (docs/formats/http.md)
//   /metrics           Prometheus text 0.0.4
//   /healthz           200 as long as the process answers
//   /readyz            200 when proofs are accepted; 503 with the reason before preload and warm-up are done, and while draining
//
// Nothing here changes anything: GET and HEAD only. There is no authentication, hence the loopback address by default.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "engine/engine.h"

namespace cuzk {

struct HttpOptions {
  std::string listen = "127.0.0.1:9821";  // "host:port"; port 0: any free one
  std::string version;                    // of the program
};

class HttpServer {
 public:
  // Listens and serves on return. `engine` must outlive the server. invalid_argument for an address that is none, unavailable for one
  // that cannot be bound.
  static Result<std::unique_ptr<HttpServer>> create(HttpOptions options, Engine& engine);
  // shut_down().
  virtual ~HttpServer() = default;

  virtual int port() const noexcept = 0;
  // Requests in progress are answered. A second call does nothing.
  virtual void shut_down() = 0;
};

}  // namespace cuzk
