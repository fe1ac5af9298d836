#include "server/http_server.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "server/exposition_test_support.h"
#include "server/fake_engine_test_support.h"

namespace cuzk {
namespace {

using Json = nlohmann::json;

class Http : public testing::Test {
 protected:
  void SetUp() override {
    auto made = HttpServer::create({"127.0.0.1:0", "1.2.3"}, engine_);
    ASSERT_TRUE(made.is_ok()) << made.status().to_string();
    server_ = std::move(made).value();
  }
  httplib::Result get(const std::string& path) {
    return httplib::Client("127.0.0.1", server_->port()).Get(path);
  }

  FakeEngine engine_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(Http, HealthIsOkAlways) {
  engine_.set_status([](EngineStatus& status) { status.ready = false; });
  EXPECT_EQ(get("/healthz")->status, 200);
}

// D24: ready only after preload and warm-up, and not while draining; always with the reason.
TEST_F(Http, ReadinessHasAReason) {
  EXPECT_EQ(get("/readyz")->status, 200);
  engine_.set_status([](EngineStatus& status) {
    status.ready = false;
    status.not_ready_because = "starting: preload and warm-up are not done";
    CircuitStatus circuit;
    circuit.circuit_id = "porep-32g";
    circuit.state = SrsState::loading;
    status.circuits = {circuit};
  });
  EXPECT_EQ(get("/readyz")->status, 503);
  EXPECT_EQ(get("/readyz")->body, "starting: preload and warm-up are not done, loading porep-32g\n");
  engine_.set_status([](EngineStatus& status) {
    status.not_ready_because = "porep-32g cannot be preloaded: /params/x.params: no such file";
    status.circuits.clear();
  });
  EXPECT_EQ(get("/readyz")->body, "porep-32g cannot be preloaded: /params/x.params: no such file\n");
  engine_.set_status([](EngineStatus& status) {
    status.ready = status.draining = true;
    status.kinds[0].pending = 2;
  });
  EXPECT_EQ(get("/readyz")->status, 503);
  EXPECT_EQ(get("/readyz")->body, "draining: no new jobs are accepted, 2 are unfinished\n");
}

TEST_F(Http, Metrics) {
  const auto answer = get("/metrics");
  EXPECT_EQ(answer->get_header_value("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_TRUE(read_exposition(answer->body).is_ok());
}

TEST_F(Http, StatusJson) {
  engine_.set_status([](EngineStatus& status) {
    status.max_jobs = 8;
    WorkerStatus worker;
    worker.name = "foreign \xff bytes";
    status.workers = {worker};
  });
  const Json json = Json::parse(get("/api/status.json")->body);
  EXPECT_EQ(json.at("version"), "1.2.3");
  EXPECT_EQ(json.at("max_jobs"), 8);
  EXPECT_EQ(json.at("ready"), true);
  EXPECT_EQ(json.at("kinds").size(), 5u);
  EXPECT_EQ(json.at("workers").at(0).at("name"), "foreign \uFFFD bytes");
}

TEST_F(Http, JobsJson) {
  engine_.put(sample_job("failed", JobState::failed));
  engine_.put(sample_job("running", JobState::proving));
  for (int i = 0; i < 60; ++i) engine_.put(sample_job(std::to_string(i), JobState::completed));
  const Json jobs = Json::parse(get("/api/jobs.json")->body).at("jobs");
  ASSERT_EQ(jobs.size(), 51u);  // one unfinished, 50 that have ended
  EXPECT_EQ(jobs.at(0).at("job_id"), "running");
  EXPECT_TRUE(jobs.at(0).at("error").is_null());
  EXPECT_EQ(jobs.at(1).at("job_id"), "59");
  EXPECT_EQ(jobs.at(1).at("spans").at(1).at("phase"), "msm_h");
}

TEST_F(Http, ErrorsOfJobsAreWhole) {
  engine_.put(sample_job("failed", JobState::failed));
  const Json error = Json::parse(get("/api/jobs.json")->body).at("jobs").at(0).at("error");
  EXPECT_EQ(error.at("class"), "not_satisfied");
  EXPECT_EQ(error.at("findings").at(0).at("sector_id"), 12);
  EXPECT_TRUE(error.at("findings").at(1).at("challenge").is_null());
}

TEST_F(Http, PageIsServedWithAPolicy) {
  const auto page = get("/");
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->get_header_value("Content-Type"), "text/html; charset=utf-8");
  EXPECT_NE(page->get_header_value("Content-Security-Policy").find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page->get_header_value("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page->body.find("http://"), std::string::npos);
  EXPECT_EQ(page->body.find("https://"), std::string::npos);
  EXPECT_EQ(get("/page/main.js")->get_header_value("Content-Type"), "text/javascript; charset=utf-8");
}

TEST_F(Http, NothingCanBeChanged) {
  httplib::Client client("127.0.0.1", server_->port());
  for (const std::string path : {"/", "/metrics", "/api/jobs.json", "/anything"}) {
    EXPECT_EQ(client.Post(path, "x", "text/plain")->status, 405) << path;
    EXPECT_EQ(client.Put(path, "x", "text/plain")->status, 405) << path;
    EXPECT_EQ(client.Delete(path)->status, 405) << path;
  }
  EXPECT_EQ(client.Head("/healthz")->status, 200);
  EXPECT_EQ(get("/nothing")->status, 404);
  EXPECT_EQ(get("/../../etc/passwd")->status, 404);
}

TEST_F(Http, ManyScrapesAtOnce) {
  std::atomic<int> good = 0;
  std::vector<std::thread> scrapers;
  for (int i = 0; i < 8; ++i)
    scrapers.emplace_back([this, &good] {
      httplib::Client client("127.0.0.1", server_->port());
      client.set_keep_alive(true);
      for (int n = 0; n < 50; ++n) good += client.Get("/metrics")->status == 200 ? 1 : 0;
    });
  for (std::thread& scraper : scrapers) scraper.join();
  EXPECT_EQ(good, 400);
}

TEST_F(Http, AddressInUseIsAnError) {
  const auto second = HttpServer::create({"127.0.0.1:" + std::to_string(server_->port()), ""}, engine_);
  EXPECT_EQ(second.status().code(), StatusCode::unavailable);
  EXPECT_NE(second.status().message().find("Address already in use"), std::string::npos)
      << second.status().message();
  EXPECT_EQ(HttpServer::create({"unix:/tmp/x", ""}, engine_).status().code(), StatusCode::invalid_argument);
}

TEST_F(Http, ShutsDownTwice) {
  server_->shut_down();
  server_->shut_down();
  EXPECT_FALSE(get("/healthz"));
}

}  // namespace
}  // namespace cuzk
