// What --check-config finds out: each setting that would keep the daemon from starting, with the code of a start.
#include "startup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "daemon_exit_code.h"

namespace cuzk {
namespace {

class CheckSettings : public ::testing::Test {
 protected:
  CheckSettings() {
    std::string name = (std::filesystem::temp_directory_path() / "cuzk-settings-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = name;
    std::ofstream(folder_ / "plain") << "text";
    config_.params_dir = folder_;
    config_.journal_path = folder_ / "new" / "journal.db";
    config_.listen = {"127.0.0.1:0"};
    config_.http_listen = "127.0.0.1:0";
    config_.devices = {"cpu"};
  }
  ~CheckSettings() override { std::filesystem::remove_all(folder_); }

  void expect(int exit_code, const std::string& mention) const {
    const StartFailure failure = check_settings(config_);
    EXPECT_EQ(failure.exit_code, exit_code) << failure.status.message();
    EXPECT_NE(failure.status.message().find(mention), std::string::npos) << failure.status.message();
  }

  std::filesystem::path folder_;
  DaemonConfig config_;
};

TEST_F(CheckSettings, WhatCanStartIsFine) {
  EXPECT_EQ(check_settings(config_).exit_code, 0) << check_settings(config_).status.message();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new")) << "nothing is made";
}

TEST_F(CheckSettings, AddressesMustBeSome) {
  config_.listen.push_back("127.0.0.1:x");
  expect(kExitBadInput, "server.listen");
  config_.listen.pop_back();
  config_.http_listen = "unix:/run/x.sock";
  expect(kExitBadInput, "http.listen");
}

TEST_F(CheckSettings, CertificatesMustHoldWhatTheyAreFor) {
  config_.tls_certificate = config_.tls_key = folder_ / "plain";
  expect(kExitBadInput, "plain");
  config_.tls_certificate = folder_ / "none";
  expect(kExitBadInput, "tls.certificate");
}

TEST_F(CheckSettings, TheJournalMustHaveAPlace) {
  config_.journal_path = folder_ / "plain" / "journal.db";
  expect(kExitInUse, "plain is no folder");
  config_.journal_path = folder_;
  expect(kExitInUse, "is a folder");
}

TEST_F(CheckSettings, DevicesMustExist) {
  config_.devices = {"GPU-ffffffff-ffff"};
  expect(kExitNoDevice, "backend.devices");
  config_.devices = {"auto"};
  EXPECT_EQ(check_settings(config_).exit_code, 0);
}

TEST_F(CheckSettings, ParametersMustBeAFolder) {
  config_.params_dir = folder_ / "plain";
  expect(kExitParameters, "params.dir");
}

}  // namespace
}  // namespace cuzk
