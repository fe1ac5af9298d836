// Time to read and to check a C1 object of production size: 32 GiB, ten partitions of 18 challenges, about 50
// MB of text. The text has the right form and meaningless values, so the check does all its work and finds
// fault with everything.
#include <benchmark/benchmark.h>

#include <random>
#include <string>

#include "vanilla/c1.h"
#include "vanilla/c1_validate.h"

namespace cuzk {
namespace {

std::mt19937_64 random_bits(1);

std::string hash() {
  std::string out = "[";
  for (int i = 0; i < 32; ++i)
    out += std::to_string(random_bits() % (i == 31 ? 64 : 256)) + (i == 31 ? "]" : ",");
  return out;
}

std::string list(std::size_t count, const auto& element) {
  std::string out = "[";
  for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : ",") + element();
  return out + "]";
}

std::string path(std::size_t levels, std::size_t arity) {
  return "{\"path\":" +
         list(levels,
              [&] {
                return "{\"hashes\":" + list(arity - 1, hash) +
                       ",\"index\":" + std::to_string(random_bits() % arity) + "}";
              }) +
         "}";
}

std::string tree_r_proof() {
  return "{\"data\":{\"Sub\":{\"base_proof\":" + path(9, 8) + ",\"sub_proof\":" + path(1, 8) +
         ",\"root\":" + hash() + ",\"leaf\":" + hash() + "}}}";
}

std::string column_proof() {
  return "{\"column\":{\"index\":5,\"rows\":" + list(11, hash) +
         ",\"_h\":null},\"inclusion_proof\":" + tree_r_proof() + "}";
}

std::string labeling() {
  return "{\"parents\":" + list(37, hash) + ",\"layer_index\":1,\"node\":5}";
}

std::string challenge() {
  return "{\"comm_d_proofs\":{\"data\":{\"Single\":{\"root\":" + hash() + ",\"leaf\":" + hash() +
         ",\"path\":" + path(30, 2) + "}}},\"comm_r_last_proof\":" + tree_r_proof() +
         ",\"replica_column_proofs\":{\"c_x\":" + column_proof() +
         ",\"drg_parents\":" + list(6, column_proof) + ",\"exp_parents\":" + list(8, column_proof) +
         "},\"labeling_proofs\":" + list(11, labeling) + ",\"encoding_proof\":" + labeling() + "}";
}

std::string encode_base64(std::string bytes) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  bytes.append((3 - bytes.size() % 3) % 3, ' ');
  std::string out;
  out.reserve(bytes.size() / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = (group << 8) | static_cast<unsigned char>(bytes[at + i]);
    for (unsigned i = 0; i < 4; ++i) out += kAlphabet[(group >> (18 - 6 * i)) & 63];
  }
  return out;
}

const std::string& production_text() {
  static const std::string text = [] {
    const auto partition = [] { return list(18, challenge); };
    return "{\"SectorNum\":1,\"Phase1Out\":\"" +
           encode_base64(
               "{\"registered_proof\":\"StackedDrg32GiBV1_1\",\"vanilla_proofs\":{\"StackedDrg32GiBV1\":" +
               list(10, partition) + "},\"comm_r\":" + hash() + ",\"comm_d\":" + hash() +
               ",\"replica_id\":" + hash() + ",\"seed\":" + hash() + ",\"ticket\":" + hash() + "}") +
           "\",\"SectorSize\":34359738368}";
  }();
  return text;
}

Result<C1> parse_text() {
  const std::string& text = production_text();
  return parse_c1({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void parse_32_gib(benchmark::State& state) {
  production_text();
  for (auto _ : state) {
    const Result<C1> c1 = parse_text();
    if (!c1.is_ok()) return state.SkipWithError(c1.status().message().c_str());
    benchmark::DoNotOptimize(c1.value().sector_num);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(production_text().size()) *
                          static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(parse_32_gib)->Unit(benchmark::kMillisecond)->UseRealTime();

void validate_32_gib(benchmark::State& state) {
  const Result<C1> c1 = parse_text();
  if (!c1.is_ok()) return state.SkipWithError(c1.status().message().c_str());
  for (auto _ : state) {
    if (validate_c1(c1.value()).empty()) return state.SkipWithError("nothing found");
  }
}
BENCHMARK(validate_32_gib)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace cuzk

BENCHMARK_MAIN();
