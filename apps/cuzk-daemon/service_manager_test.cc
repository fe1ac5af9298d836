// What systemd hears, and when a daemon counts as alive.
#include "service_manager.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "progress_monitor.h"

namespace cuzk {
namespace {

// A notify socket of our own; `name` begins with '@' for the abstract name space.
class NotifySocket {
 public:
  explicit NotifySocket(const std::string& name) : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name[0] == '@') address.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    if (::bind(fd_, reinterpret_cast<const sockaddr*>(&address), length) != 0)
      throw std::runtime_error("bind");
    ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
  }
  ~NotifySocket() {
    ::close(fd_);
    ::unsetenv("NOTIFY_SOCKET");
  }
  // The next message, empty if there is none.
  std::string receive() const {
    char buffer[512];
    const ssize_t length = ::recv(fd_, buffer, sizeof buffer, MSG_DONTWAIT);
    return length > 0 ? std::string(buffer, static_cast<std::size_t>(length)) : "";
  }

 private:
  int fd_;
};

void expect_messages(const std::string& name) {
  const NotifySocket socket(name);
  const ServiceManager manager;
  ASSERT_TRUE(manager.is_present());
  manager.ready();
  EXPECT_EQ(socket.receive(), "READY=1");
  manager.status("ready, 1 running");
  EXPECT_EQ(socket.receive(), "STATUS=ready, 1 running");
  manager.extend_start(std::chrono::seconds(60));
  EXPECT_EQ(socket.receive(), "EXTEND_TIMEOUT_USEC=60000000");
  manager.keep_alive();
  EXPECT_EQ(socket.receive(), "WATCHDOG=1");
  manager.stopping();
  EXPECT_EQ(socket.receive(), "STOPPING=1");
  EXPECT_EQ(socket.receive(), "");
}

TEST(ServiceManagers, SpeakToAPathAndToAnAbstractSocket) {
  const std::string path = "/tmp/cuzk-notify-" + std::to_string(::getpid());
  expect_messages(path);
  std::filesystem::remove(path);
  expect_messages("@cuzk-notify-" + std::to_string(::getpid()));
}

TEST(ServiceManagers, WithoutASocketNothingHappens) {
  for (const char* name : {"", "relative/path", "/nobody/listens/here"}) {
    ::setenv("NOTIFY_SOCKET", name, 1);
    const ServiceManager manager;
    manager.ready();
    manager.keep_alive();
  }
  ::setenv("NOTIFY_SOCKET", ("/" + std::string(200, 'x')).c_str(), 1);
  EXPECT_FALSE(ServiceManager().is_present()) << "longer than an address";
  ::unsetenv("NOTIFY_SOCKET");
  EXPECT_FALSE(ServiceManager().is_present());
}

TEST(ServiceManagers, TheWatchdogIsForOneProcess) {
  ::unsetenv("WATCHDOG_PID");
  ::setenv("WATCHDOG_USEC", "30000000", 1);
  EXPECT_EQ(ServiceManager().watchdog_interval(), std::chrono::seconds(30));
  ::setenv("WATCHDOG_PID", "1", 1);
  EXPECT_FALSE(ServiceManager().watchdog_interval().has_value());
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  EXPECT_TRUE(ServiceManager().watchdog_interval().has_value());
  ::setenv("WATCHDOG_USEC", "nonsense", 1);
  EXPECT_FALSE(ServiceManager().watchdog_interval().has_value());
  ::unsetenv("WATCHDOG_USEC");
  ::unsetenv("WATCHDOG_PID");
  EXPECT_FALSE(ServiceManager().watchdog_interval().has_value());
}

using Minutes = std::chrono::minutes;

EngineStatus working_status() {
  EngineStatus status;
  status.ready = true;
  status.workers.resize(1);
  status.workers[0].job_id = "job";
  status.workers[0].phase = "synth";
  status.kinds.resize(1);
  status.kinds[0].in_progress = 1;
  return status;
}

TEST(ProgressMonitors, WorkThatStandsStillIsDead) {
  const ProgressMonitor::Time start{};
  ProgressMonitor monitor(Minutes(30), start);
  const EngineStatus status = working_status();
  EXPECT_TRUE(monitor.is_alive(status, 5, start + Minutes(40))) << "the first look";
  EXPECT_TRUE(monitor.is_alive(status, 5, start + Minutes(70)));
  EXPECT_FALSE(monitor.is_alive(status, 5, start + Minutes(71)));
  EXPECT_TRUE(monitor.is_alive(status, 6, start + Minutes(72))) << "an event is progress";
}

TEST(ProgressMonitors, AnyMoveOfAWorkerIsProgress) {
  const ProgressMonitor::Time start{};
  ProgressMonitor monitor(Minutes(30), start);
  EngineStatus status = working_status();
  int time = 0;
  const auto alive_after = [&](int minutes) {
    time += minutes;
    return monitor.is_alive(status, 0, start + Minutes(time));
  };
  EXPECT_TRUE(alive_after(0));
  status.workers[0].phase = "msm_h";
  EXPECT_TRUE(alive_after(29));
  status.workers[0].partition = 3;
  EXPECT_TRUE(alive_after(29));
  status.workers[0].proofs = 1;
  EXPECT_TRUE(alive_after(29));
  EXPECT_FALSE(alive_after(31));
}

TEST(ProgressMonitors, IdlenessIsNoStandstill) {
  const ProgressMonitor::Time start{};
  ProgressMonitor monitor(Minutes(30), start);
  EngineStatus status = working_status();
  status.kinds[0].in_progress = 0;
  for (int hour = 0; hour < 100; ++hour) EXPECT_TRUE(monitor.is_alive(status, 0, start + Minutes(60 * hour)));
  status.kinds[0].pending = 3;
  status.workers[0].usable = false;
  EXPECT_TRUE(monitor.is_alive(status, 0, start + Minutes(9000)))
      << "jobs that no worker can take are no standstill";
  status.workers[0].usable = true;
  EXPECT_TRUE(monitor.is_alive(status, 0, start + Minutes(9001)));
  EXPECT_FALSE(monitor.is_alive(status, 0, start + Minutes(9040)));
  ProgressMonitor never(Minutes(0), start);
  EXPECT_TRUE(never.is_alive(working_status(), 0, start + Minutes(1)));
  EXPECT_TRUE(never.is_alive(working_status(), 0, start + Minutes(1'000'000)));
}

}  // namespace
}  // namespace cuzk
