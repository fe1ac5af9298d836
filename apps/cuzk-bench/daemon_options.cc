#include "daemon_runner.h"

namespace cuzk {

void DaemonOptions::add_to(CLI::App& command) {
  command.add_option("--server", server, "the daemon: host:port, or unix:/path")
      ->type_name("ADDRESS")
      ->envname("CUZK_SERVER")
      ->capture_default_str();
  CLI::Option* tls_flag = command.add_flag("--tls", tls, "encrypt, and check the daemon's certificate");
  const auto add = [&](const char* flag, std::string& value, const char* help, const char* type) {
    return command.add_option(flag, value, help)->type_name(type)->needs(tls_flag);
  };
  add("--tls-ca", ca, "whom to trust (PEM; default: the system's authorities)", "FILE");
  CLI::Option* certificate_option = add("--tls-cert", certificate, "this client's certificate (PEM)", "FILE");
  add("--tls-key", key, "its key (PEM)", "FILE")->needs(certificate_option);
  certificate_option->needs(command.get_option("--tls-key"));
  add("--tls-name", name, "name that the daemon's certificate must have (default: the host)", "NAME");
  command.add_option("--connect-timeout", connect_timeout_s, "seconds to wait for a connection")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

}  // namespace cuzk
