// WebDriver: a headless Chromium, driven through chromedriver, for tests of the status page.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace cuzk {

class WebDriver {
 public:
  // Whether both programs are installed.
  static bool is_available();
  // unavailable, with what chromedriver said.
  static Result<std::unique_ptr<WebDriver>> start();
  ~WebDriver();

  // Width and height in CSS pixels; also on a page that is open already.
  Status set_window(int width, int height, bool is_dark);
  Status open(const std::string& url);
  // The value of a JavaScript expression, as JSON text.
  Result<std::string> evaluate(const std::string& expression);
  // Asks each 100 ms until the expression is true; unavailable after `timeout_ms`.
  Status wait_for(const std::string& expression, int timeout_ms);
  // The whole page, however long, as PNG.
  Status save_screenshot(const std::filesystem::path& path);
  // What the console was told at level SEVERE or WARNING since the last call: errors of scripts, refused loads.
  Result<std::vector<std::string>> complaints();

 private:
  WebDriver(pid_t process, int port) : process_(process), port_(port) {}
  // The member `value` of the answer, as JSON text.
  Result<std::string> command(const std::string& path, const std::string& body);
  Result<std::string> cdp(const std::string& name, const std::string& parameters);
  Status open_session();

  const pid_t process_;
  const int port_;
  std::string session_;
};

}  // namespace cuzk
