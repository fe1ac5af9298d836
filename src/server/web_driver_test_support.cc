#include "server/web_driver_test_support.h"

#include <fcntl.h>
#include <httplib.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

namespace cuzk {
namespace {

using Json = nlohmann::json;

constexpr char kDriver[] = "/usr/bin/chromedriver";
constexpr char kBrowser[] = "/usr/bin/chromium";

// One that was free a moment ago.
int free_port() {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool is_bound = bind(probe, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                        getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(probe);
  return is_bound ? ntohs(address.sin_port) : 0;
}

std::string from_base64(const std::string& text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (digit == std::string_view::npos) continue;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

}  // namespace

bool WebDriver::is_available() {
  return access(kDriver, X_OK) == 0 && access(kBrowser, X_OK) == 0;
}

Result<std::unique_ptr<WebDriver>> WebDriver::start() {
  const int port = free_port();
  const std::string flag = "--port=" + std::to_string(port);
  std::string program = kDriver;
  std::string argument = flag;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int error = posix_spawn(&process, kDriver, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return unavailable("chromedriver cannot be started");
  std::unique_ptr<WebDriver> driver(new WebDriver(process, port));
  CUZK_TRY(driver->open_session());
  return driver;
}

WebDriver::~WebDriver() {
  if (!session_.empty()) httplib::Client("127.0.0.1", port_).Delete("/session/" + session_);
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

Status WebDriver::open_session() {
  const Json options = {{"binary", kBrowser},
                        {"args", {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"}}};
  const Json body = {{"capabilities",
                      {{"alwaysMatch",
                        {{"browserName", "chrome"},
                         {"goog:chromeOptions", options},
                         {"goog:loggingPrefs", {{"browser", "ALL"}}}}}}}};
  for (int attempt = 0; attempt < 600; ++attempt) {
    const Result<std::string> answer = command("", body.dump());
    if (answer.is_ok()) {
      session_ = Json::parse(answer.value()).at("sessionId");
      return Status::ok();
    }
    if (answer.status().code() != StatusCode::not_found) return answer.status();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return unavailable("chromedriver does not answer");
}

Result<std::string> WebDriver::command(const std::string& path, const std::string& body) {
  httplib::Client client("127.0.0.1", port_);
  client.set_read_timeout(std::chrono::seconds(60));
  const std::string url = "/session" + (session_.empty() ? "" : "/" + session_) + path;
  const httplib::Result answer = client.Post(url, body, "application/json");
  if (!answer) return Status(StatusCode::not_found, "no answer from chromedriver");
  const Json json = Json::parse(answer->body, nullptr, false);
  if (answer->status != 200 || !json.is_object()) return unavailable("chromedriver: " + answer->body);
  return json.at("value").dump();
}

Result<std::string> WebDriver::cdp(const std::string& name, const std::string& parameters) {
  return command("/goog/cdp/execute", Json{{"cmd", name}, {"params", Json::parse(parameters)}}.dump());
}

Status WebDriver::set_window(int width, int height, bool is_dark) {
  const Json metrics = {
      {"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", width < 720}};
  const Json feature = {{"name", "prefers-color-scheme"}, {"value", is_dark ? "dark" : "light"}};
  CUZK_TRY(cdp("Emulation.setDeviceMetricsOverride", metrics.dump()).status());
  return cdp("Emulation.setEmulatedMedia", Json{{"features", Json::array({feature})}}.dump()).status();
}

Status WebDriver::open(const std::string& url) {
  return command("/url", Json{{"url", url}}.dump()).status();
}

Result<std::string> WebDriver::evaluate(const std::string& expression) {
  return command("/execute/sync",
                 Json{{"script", "return (" + expression + ")"}, {"args", Json::array()}}.dump());
}

Status WebDriver::wait_for(const std::string& expression, int timeout_ms) {
  std::string last;
  for (int waited = 0; waited <= timeout_ms; waited += 100) {
    CUZK_ASSIGN(last, evaluate(expression));
    if (last == "true") return Status::ok();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return unavailable(expression + " is still " + last + " after " + std::to_string(timeout_ms) + " ms");
}

Status WebDriver::save_screenshot(const std::filesystem::path& path) {
  CUZK_ASSIGN(const std::string answer,
              cdp("Page.captureScreenshot", Json{{"captureBeyondViewport", true}}.dump()));
  std::ofstream file(path, std::ios::binary);
  file << from_base64(Json::parse(answer).at("data").get<std::string>());
  return file ? Status::ok() : unavailable("cannot write " + path.string());
}

Result<std::vector<std::string>> WebDriver::complaints() {
  CUZK_ASSIGN(const std::string answer, command("/se/log", R"({"type": "browser"})"));
  std::vector<std::string> found;
  for (const Json& entry : Json::parse(answer))
    if (entry.at("level") == "SEVERE" || entry.at("level") == "WARNING") found.push_back(entry.at("message"));
  return found;
}

}  // namespace cuzk
