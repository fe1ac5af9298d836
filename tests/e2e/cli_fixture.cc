#include "cli_fixture.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

#include "base/bytes.h"
#include "hash/sha256.h"

namespace cuzk {
namespace {

std::string base64_decode(const std::string& text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int length =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (length < 0) throw std::runtime_error("the test data is not base64");
  const std::size_t padding = text.size() - std::min(text.size(), text.find_last_not_of('=') + 1);
  bytes.resize(static_cast<std::size_t>(length) - padding);
  return bytes;
}

std::string base64_encode(const std::string& bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

}  // namespace

namespace {

ProgramResult run_cuzk(std::vector<std::string> prefix, const std::vector<std::string>& arguments) {
  static const ScratchFolder circuits;  // the user's own cache stays as it is
  prefix.emplace_back(CUZK_PROGRAM);
  prefix.insert(prefix.end(), arguments.begin(), arguments.end());
  return run_program(prefix, {"CUZK_CACHE_DIR=" + circuits.path().string()});
}

}  // namespace

ProgramResult cuzk(const std::vector<std::string>& arguments) {
  return run_cuzk({}, arguments);
}

ProgramResult cuzk_on_full_disk(std::size_t max_bytes, const std::vector<std::string>& arguments) {
  const std::string limit = "ulimit -f " + std::to_string(max_bytes / 512);
  return run_cuzk({"/bin/sh", "-c", limit + "; exec \"$0\" \"$@\""}, arguments);
}

ProgramResult cuzk_interrupted(unsigned after_s, const std::vector<std::string>& arguments) {
  return run_cuzk({"/usr/bin/timeout", "--preserve-status", "-s", "INT", std::to_string(after_s)}, arguments);
}

ProgramResult cuzk_redirected(const std::string& redirections, const std::vector<std::string>& arguments) {
  return run_cuzk({"/bin/sh", "-c", "exec \"$0\" \"$@\" " + redirections}, arguments);
}

std::string data_file(const std::string& name) {
  return std::string(CUZK_TEST_DATA) + "/" + name;
}

void write_changed_c1(const std::string& source, const std::string& path,
                      const std::function<void(nlohmann::json& inner)>& change) {
  const auto bytes = read_file(source);
  nlohmann::json outer = nlohmann::json::parse(bytes.begin(), bytes.end());
  nlohmann::json inner = nlohmann::json::parse(base64_decode(outer["Phase1Out"].get<std::string>()));
  change(inner);
  outer["Phase1Out"] = base64_encode(inner.dump());
  write_text(path, outer.dump());
}

const TestParameters& test_parameters(const std::string& circuit, const std::string& sector_size) {
  static const ScratchFolder folder;
  static std::map<std::pair<std::string, std::string>, TestParameters> made;
  const auto [entry, is_new] = made.try_emplace({circuit, sector_size});
  TestParameters& parameters = entry->second;
  if (is_new) {
    parameters.directory = folder.file(circuit + "-" + sector_size);
    parameters.setup = cuzk({"setup", "--circuit", circuit, "--sector-size", sector_size, "--params-dir",
                             parameters.directory, "--json"});
  }
  return parameters;
}

std::string sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  std::vector<char> buffer(1 << 20);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    hash.update(
        {reinterpret_cast<const std::uint8_t*>(buffer.data()), static_cast<std::size_t>(file.gcount())});
  }
  return to_hex(hash.digest());
}

}  // namespace cuzk
