// The status page in a real browser. With CUZK_SCREENSHOTS set to a folder, what it looks like is kept there.
#include <gtest/gtest.h>

#include <cstdlib>

#include "server/http_server.h"
#include "server/page_scene_test_support.h"
#include "server/web_driver_test_support.h"

namespace cuzk {
namespace {

constexpr int kPatienceMs = 60'000;  // what is waited for comes within a second or never

class StatusPage : public testing::Test {
 protected:
  void SetUp() override {
    if (!WebDriver::is_available()) GTEST_SKIP() << "chromium and chromedriver are not installed";
    auto server = HttpServer::create({"127.0.0.1:0", "1.2.3"}, engine_);
    ASSERT_TRUE(server.is_ok()) << server.status().to_string();
    server_ = std::move(server).value();
    auto driver = WebDriver::start();
    ASSERT_TRUE(driver.is_ok()) << driver.status().to_string();
    driver_ = std::move(driver).value();
  }

  void open(int width, bool is_dark) {
    expect_ok(driver_->set_window(width, 900, is_dark));
    expect_ok(driver_->open("http://127.0.0.1:" + std::to_string(server_->port()) + "/"));
    expect_ok(driver_->wait_for("document.querySelectorAll('.tile').length >= 6", kPatienceMs));
  }

  void expect_ok(const Status& status) { EXPECT_TRUE(status.is_ok()) << status.to_string(); }

  void expect_quiet_console() {
    const auto complaints = driver_->complaints();
    ASSERT_TRUE(complaints.is_ok()) << complaints.status().to_string();
    for (const std::string& complaint : complaints.value()) ADD_FAILURE() << complaint;
  }

  void keep(const std::string& name) {
    if (const char* folder = std::getenv("CUZK_SCREENSHOTS"))
      expect_ok(driver_->save_screenshot(std::filesystem::path(folder) / (name + ".png")));
  }

  std::string text_of(const std::string& selector) {
    return driver_->evaluate("document.querySelector('" + selector + "').innerText").value();
  }

  FakeEngine engine_;
  std::unique_ptr<HttpServer> server_;
  std::unique_ptr<WebDriver> driver_;
};

// Nothing may stick out to the side, at a phone's width, on a large screen, in either scheme.
TEST_F(StatusPage, FitsEveryScreen) {
  put_busy_scene(engine_, 14'000);
  for (const int width : {360, 1920})
    for (const bool is_dark : {false, true}) {
      open(width, is_dark);
      expect_ok(driver_->wait_for("document.querySelectorAll('.bar').length > 20", kPatienceMs));
      EXPECT_EQ(driver_->evaluate("document.documentElement.scrollWidth").value(),
                driver_->evaluate("document.documentElement.clientWidth").value());
      keep("busy-" + std::to_string(width) + (is_dark ? "-dark" : "-light"));
    }
  expect_quiet_console();
}

TEST_F(StatusPage, EmptyStatesReadWell) {
  for (const int width : {360, 1920}) {
    open(width, false);
    EXPECT_NE(text_of("#running").find("Nothing is being proved right now."), std::string::npos);
    EXPECT_NE(text_of("#queue").find("No job is waiting."), std::string::npos);
    EXPECT_NE(text_of("#recent").find("No job has ended yet."), std::string::npos);
    keep("empty-" + std::to_string(width));
  }
  expect_quiet_console();
}

// The page follows a job without being loaded again.
TEST_F(StatusPage, ShowsAJobMoveThroughItsPhases) {
  open(1280, false);
  const auto bars = [](const std::string& phase) {
    return "document.querySelectorAll('.bar.phase-" + phase + "').length";
  };
  put_busy_scene(engine_, 2000);
  expect_ok(driver_->wait_for(bars("synth") + " === 1 && " + bars("quotient") + " === 0", kPatienceMs));
  put_busy_scene(engine_, 8000);
  expect_ok(driver_->wait_for(
      bars("synth") + " === 4 && " + bars("quotient") + " > 0 && " + bars("verify") + " === 1", kPatienceMs));
  JobSnapshot done = sample_job("0b54c1de-8f5e-4c1b-9f6e-2d0c7a5b1e01", JobState::completed);
  engine_.put(done);
  expect_ok(driver_->wait_for("document.querySelector('#running .empty') !== null", kPatienceMs));
  expect_ok(
      driver_->wait_for("document.querySelector('#recent').innerText.includes('0b54c1de')", kPatienceMs));
  expect_quiet_console();
}

// An open error stays open, and keeps the focus, while the page is redrawn around it.
TEST_F(StatusPage, OpenErrorSurvivesRedrawing) {
  put_busy_scene(engine_, 3000);
  open(1280, false);
  expect_ok(driver_->wait_for("document.querySelectorAll('details').length === 2", kPatienceMs));
  driver_
      ->evaluate(
          "(document.querySelector('details summary').focus(), document.querySelector('details "
          "summary').click())")
      .value();
  engine_.put(sample_job("another", JobState::completed));
  expect_ok(
      driver_->wait_for("document.querySelector('#recent').innerText.includes('another')", kPatienceMs));
  EXPECT_EQ(driver_->evaluate("document.querySelectorAll('details[open]').length").value(), "1");
  EXPECT_EQ(driver_->evaluate("document.activeElement.tagName").value(), "\"SUMMARY\"");
}

TEST_F(StatusPage, TextsCannotBecomeMarkup) {
  const std::string hostile =
      "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
  JobSnapshot job = sample_job("id", JobState::failed);
  job.error->message = job.error->phase = job.error->findings[0].text = hostile;
  engine_.put(job);
  job = sample_job(hostile, JobState::proving);
  job.spans = {{hostile, 0, 0, 0, 1000}};
  engine_.put(job);
  engine_.set_status([&hostile](EngineStatus& status) {
    WorkerStatus worker;
    worker.backend = worker.name = worker.uuid = worker.unusable_because = worker.job_id = worker.phase =
        hostile;
    worker.usable = false;
    status.workers = {worker};
    status.circuits = {
        {hostile, ProofKind::porep, 1, SrsState::invalid, hostile, SrsTier::cold, 0, 0, false, 0, 0, 0}};
  });
  open(1280, false);
  expect_ok(driver_->wait_for("document.querySelectorAll('details').length === 1", kPatienceMs));
  EXPECT_EQ(driver_->evaluate("document.querySelectorAll('main img, main script').length").value(), "0");
  EXPECT_NE(driver_->evaluate("document.title").value(), "\"owned\"");
  expect_quiet_console();
}

TEST_F(StatusPage, SaysWhenTheDaemonIsGone) {
  open(1280, false);
  server_->shut_down();
  expect_ok(driver_->wait_for("document.querySelector('#readiness').innerText.includes('does not answer')",
                              kPatienceMs));
}

}  // namespace
}  // namespace cuzk
