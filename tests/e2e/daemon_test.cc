// cuzk-daemon as a process: how it starts, what it refuses with which code, what its signals do. Proofs are not made here.
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "config_keys.h"
#include "daemon_process.h"
#include "engine/circuit_id.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace cuzk {
namespace {

class Daemons : public ::testing::Test {
 protected:
  Daemons() { std::filesystem::create_directory(params_); }

  // quiet_daemon_flags with some of them replaced or added.
  std::vector<std::string> flags(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = quiet_daemon_flags(scratch_.path().string(), params_.string());
    for (std::size_t i = 0; i < more.size(); i += 2) {
      const auto found = std::find(all.begin(), all.end(), more[i]);
      if (found != all.end()) {
        *(found + 1) = more[i + 1];
      } else {
        all.insert(all.end(), {more[i], more[i + 1]});
      }
    }
    return all;
  }
  static ProgramResult run(std::vector<std::string> arguments,
                           const std::vector<std::string>& environment = {}) {
    arguments.insert(arguments.begin(), daemon_program());
    return run_program(arguments, environment);
  }
  // One line on standard error that contains `text`, and this code.
  static void expect_refused(const ProgramResult& result, int exit_code, const std::string& text) {
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("ready\n"), std::string::npos) << "it must not have called itself ready";
  }
  std::string file(const std::string& name) const { return scratch_.file(name); }

  ScratchFolder scratch_;
  std::filesystem::path params_ = scratch_.path() / "params";
};

TEST_F(Daemons, HelpAndVersionAreGoodToRead) {
  const ProgramResult help = run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const ConfigKey& key : all_config_keys()) {
    EXPECT_NE(help.out.find(key.flag() + " "), std::string::npos) << key.flag();
    EXPECT_NE(help.out.find(std::string(key.help)), std::string::npos) << key.help;
  }
  for (const char* word : {"--config", "--check-config", "--version", "Exit codes", "SIGTERM", "SIGHUP"})
    EXPECT_NE(help.out.find(word), std::string::npos) << word;
  const ProgramResult version = run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.find("cuzk-daemon "), 0u) << version.out;
}

TEST_F(Daemons, WrongFlagsAreCode2WithTheNearest) {
  expect_refused(run({"--engine-max-job", "3"}), 2,
                 "there is no flag --engine-max-job; the nearest is --engine-max-jobs");
  expect_refused(run({"--engine-max-jobs", "0"}), 2,
                 "flag --engine-max-jobs: engine.max_jobs: 0 is less than 1");
  expect_refused(run({"--engine-max-jobs=1", "--engine-max-jobs=2"}), 2, "given 2 times");
  expect_refused(run({"--config"}), 2, "--config");
  expect_refused(run({"stray"}), 2, "stray");
  expect_refused(run({"--config", "/no/such.toml"}), 2, "/no/such.toml");
  expect_refused(run({"--check-config"}, {"CUZK_LOG_LEVEL=loud"}), 2, "environment CUZK_LOG_LEVEL");
}

TEST_F(Daemons, CheckConfigPrintsWhatIsInForceAndStartsNothing) {
  write_text(file("cuzk.toml"), "[engine]\nmax_jobs = 7\n");
  const ProgramResult checked = run({"--config", file("cuzk.toml"), "--check-config", "--params-dir",
                                     params_.string(), "--log-level", "debug"},
                                    {"CUZK_JOURNAL_PATH=" + file("other.db")});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_EQ(checked.err, "");
  for (const char* line : {"max_jobs = 7", "cuzk.toml:2:12", "# flag --log-level",
                           "# environment CUZK_JOURNAL_PATH", "max_circuits = 30", "# default"})
    EXPECT_NE(checked.out.find(line), std::string::npos) << line << " in\n" << checked.out;
  EXPECT_FALSE(std::filesystem::exists(file("other.db")));
  write_text(file("again.toml"), checked.out);
  EXPECT_EQ(run({"--config", file("again.toml"), "--check-config"}).exit_code, 0)
      << "what it prints is a file of settings";
}

TEST_F(Daemons, CheckConfigFindsMissingPaths) {
  const std::vector<std::string> base = {"--check-config", "--params-dir", params_.string()};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    return run(more);
  };
  expect_refused(run({"--check-config", "--params-dir", file("none")}), 3, "no such folder");
  write_text(file("plain"), "x");
  expect_refused(run({"--check-config", "--params-dir", file("plain")}), 3, "no folder");
  expect_refused(with({"--tls-certificate", file("no.pem"), "--tls-key", file("no.key")}), 2, "no.pem");
  expect_refused(with({"--log-file", file("none") + "/cuzk.log"}), 2, "log.file");
}

TEST_F(Daemons, StartsSaysWhatItHasAndStopsCleanly) {
  const auto winning = find_circuit("winning-2k");
  const std::string damaged = (params_ / winning.value()->params_file()).string();
  write_text(damaged, "cut");
  DaemonProcess daemon(flags());
  ASSERT_TRUE(daemon.wait_for_line(" ready")) << daemon.log();
  const std::string log = daemon.log();
  for (const char* line :
       {"cuzk-daemon ", "settings from defaults", "worker 0: cpu", "circuit winning-2k: invalid (",
        "circuit porep-2k: missing (", "gRPC listens on 127.0.0.1", "HTTP listens on 127.0.0.1"})
    EXPECT_NE(log.find(line), std::string::npos) << line << " in\n" << log;
  EXPECT_NE(log.find(damaged), std::string::npos) << "a damaged file is named with its path (D01)";
  EXPECT_NE(log.find(params_.string() + " has the parameters of no circuit"), std::string::npos) << "D04";
  EXPECT_GT(daemon.grpc_port(), 0);
  EXPECT_GT(daemon.http_port(), 0);
  daemon.send(SIGTERM);
  EXPECT_EQ(daemon.wait_for_exit(), 0) << daemon.log();
  EXPECT_TRUE(daemon.wait_for_line("stopping: ")) << daemon.log();
  EXPECT_TRUE(daemon.wait_for_line("stopped")) << daemon.log();
}

TEST_F(Daemons, SigintStopsTooAndTheJournalIsThereForTheNext) {
  for (int round = 0; round < 2; ++round) {
    DaemonProcess daemon(flags());
    ASSERT_TRUE(daemon.wait_for_line(" ready")) << daemon.log();
    daemon.send(SIGINT);
    EXPECT_EQ(daemon.wait_for_exit(), 0) << daemon.log();
  }
  EXPECT_TRUE(std::filesystem::exists(file("journal.db")));
}

TEST_F(Daemons, AKilledOneNeedsNoCleaning) {
  const std::string socket = "unix:" + file("cuzk.sock");
  for (int round = 0; round < 3; ++round) {
    DaemonProcess daemon(flags({"--server-listen", socket}));
    ASSERT_TRUE(daemon.wait_for_line(" ready")) << daemon.log();
    EXPECT_TRUE(std::filesystem::exists(file("cuzk.sock")));
    daemon.send(SIGKILL);
    EXPECT_EQ(daemon.wait_for_exit(), 128 + SIGKILL);
  }
}

TEST_F(Daemons, ASecondDaemonOnTheJournalIsRefusedWithThePid) {
  DaemonProcess first(flags());
  ASSERT_TRUE(first.wait_for_line(" ready")) << first.log();
  const ProgramResult second = run(flags());
  expect_refused(second, 4, "pid " + std::to_string(first.pid()));
  EXPECT_NE(second.err.find("journal.db"), std::string::npos) << second.err;
  first.send(SIGTERM);
  EXPECT_EQ(first.wait_for_exit(), 0);
}

TEST_F(Daemons, AddressesInUseAreCode4) {
  DaemonProcess first(flags({"--server-listen", "127.0.0.1:0,unix:" + file("cuzk.sock")}));
  ASSERT_TRUE(first.wait_for_line(" ready")) << first.log();
  const auto second = [&](const char* flag, const std::string& address) {
    return run(flags({"--journal-path", file("second.db"), flag, address}));
  };
  const std::string grpc = "127.0.0.1:" + std::to_string(first.grpc_port());
  const std::string http = "127.0.0.1:" + std::to_string(first.http_port());
  expect_refused(second("--server-listen", grpc), 4, grpc);
  expect_refused(second("--http-listen", http), 4, http);
  expect_refused(second("--server-listen", "unix:" + file("cuzk.sock")), 4, file("cuzk.sock"));
  expect_refused(second("--server-listen", "nonsense"), 2, "nonsense");
  expect_refused(second("--server-listen", "unix:" + file("none") + "/cuzk.sock"), 4, file("none"));
  expect_refused(second("--server-listen", "192.0.2.1:9820"), 4, "192.0.2.1");
  struct stat info {};
  EXPECT_EQ(::stat(file("cuzk.sock").c_str(), &info), 0)
      << "the refused ones must leave the first one's socket";
  first.send(SIGTERM);
  EXPECT_EQ(first.wait_for_exit(), 0);
}

TEST_F(Daemons, AUnixSocketIsPrivateAndGoneAfterwards) {
  DaemonProcess daemon(flags({"--server-listen", "unix:" + file("cuzk.sock")}));
  ASSERT_TRUE(daemon.wait_for_line(" ready")) << daemon.log();
  struct stat info {};
  ASSERT_EQ(::stat(file("cuzk.sock").c_str(), &info), 0);
  EXPECT_TRUE(S_ISSOCK(info.st_mode));
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ASSERT_EQ(::stat(file("journal.db").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  daemon.send(SIGTERM);
  EXPECT_EQ(daemon.wait_for_exit(), 0);
  EXPECT_FALSE(std::filesystem::exists(file("cuzk.sock")));
}

TEST_F(Daemons, WhatIsBrokenAtStartIsOneLineAndACode) {
  expect_refused(run(flags({"--params-dir", file("none")})), 3, file("none"));
  write_text(file("bad.pem"), "no certificate");
  expect_refused(run(flags({"--tls-certificate", file("bad.pem"), "--tls-key", file("bad.pem")})), 2,
                 "bad.pem");
  write_text(file("broken.db"), std::string(4096, 'x'));
  expect_refused(run(flags({"--journal-path", file("broken.db")})), 4, "broken.db");
  expect_refused(run(flags({"--backend-devices", "97"})), 5, "backend.devices");
}

TEST_F(Daemons, TheLogGoesToAFileAndIsReopened) {
  DaemonProcess daemon(flags({"--log-file", file("cuzk.log"), "--log-format", "json"}));
  const auto content = [](const std::string& path) {
    std::ifstream stream(path);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const auto wait_for = [&](const std::string& path, const std::string& text) {
    for (int i = 0; i < 1200 && content(path).find(text) == std::string::npos; ++i) ::usleep(50'000);
    return content(path).find(text) != std::string::npos;
  };
  ASSERT_TRUE(wait_for(file("cuzk.log"), "\"message\":\"ready\"")) << content(file("cuzk.log"));
  EXPECT_EQ(daemon.log(), "") << "nothing on standard error";
  std::filesystem::rename(file("cuzk.log"), file("old.log"));
  daemon.send(SIGHUP);
  EXPECT_TRUE(wait_for(file("cuzk.log"), "log reopened"));
  daemon.send(SIGTERM);
  EXPECT_EQ(daemon.wait_for_exit(), 0);
  std::ifstream lines(file("cuzk.log"));
  for (std::string line; std::getline(lines, line);) {
    const auto object = nlohmann::json::parse(line);
    EXPECT_TRUE(object.contains("time") && object.contains("level") && object.contains("message")) << line;
  }
}

// Plays the service manager: readiness comes after the addresses, signs of life while idle, and the end is announced.
TEST_F(Daemons, TellsTheServiceManager) {
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = file("notify");
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  timeval patience{60, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  DaemonProcess daemon(flags(), {"NOTIFY_SOCKET=" + path, "WATCHDOG_USEC=1000000"});
  const auto wait_for = [&](const std::string& wanted) {
    char buffer[512];
    for (ssize_t n; (n = ::recv(fd, buffer, sizeof buffer, 0)) > 0;)
      if (std::string_view(buffer, static_cast<std::size_t>(n)).starts_with(wanted)) return true;
    return false;
  };
  EXPECT_TRUE(wait_for("READY=1")) << daemon.log();
  EXPECT_TRUE(daemon.wait_for_line(" info ready")) << daemon.log();
  EXPECT_LT(daemon.log().find("gRPC listens"), daemon.log().find(" info ready"));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(wait_for("WATCHDOG=1"));
  daemon.send(SIGTERM);
  EXPECT_TRUE(wait_for("STOPPING=1"));
  EXPECT_EQ(daemon.wait_for_exit(), 0);
  ::close(fd);
}

}  // namespace
}  // namespace cuzk
