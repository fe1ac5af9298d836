#include "vanilla/post_test_data.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "vanilla/c1_test_data.h"

namespace cuzk {
namespace {

using Json = nlohmann::json;
using HexLists = std::vector<std::vector<std::string>>;

const SectorShape& shape_of(const Json& meta) {
  return *find_sector_shape(meta["sector_size"].get<std::uint64_t>()).value();
}
Bytes32 bytes_at(const Json& object, const char* key) {
  return bytes32_from_hex(object[key].get<std::string>()).value();
}
Fr fr_at(const Json& object, const char* key) {
  return Fr::from_bytes_le(bytes_at(object, key)).value();
}

HexLists proof_inputs(const std::string& name) {
  const std::string file = name + ".proof.json";
  if (!std::filesystem::exists(test_data_path(file))) return {};
  return read_test_json(file)["public_inputs_le_hex"].get<HexLists>();
}

void add_sector(PostSample& sample, const std::string& file) {
  const RegisteredPost& proof = sample.statement.proof;
  sample.files.push_back(file);
  auto sector = read_post_proof_file(test_data_path(file), *proof.shape, proof.kind);
  CUZK_CHECK(sector.is_ok(), sector.status().message());
  sample.sectors.push_back(std::move(sector).value());
}

PostSample reference_post(const std::string& name, PostKind kind, ApiVersion version) {
  const Json meta = read_test_json(name + ".meta.json");
  PostSample sample;
  sample.name = name;
  sample.statement = {registered_post(kind, shape_of(meta), version).value(), bytes_at(meta, "randomness")};
  for (const Json& sector : meta["sectors"]) {
    add_sector(sample, sector["file"]);
    sample.public_sectors.push_back({sector["sector_num"], fr_at(sector, "comm_r")});
    sample.challenges.push_back(sector["challenges"]);
  }
  sample.public_inputs = proof_inputs(name);
  return sample;
}

PostSample own_post(const std::string& name, unsigned number, const char* challenges) {
  const Json meta = read_test_json("sample-2k.json");
  PostSample sample;
  sample.name = name;
  sample.statement = {registered_post_from_number(number).value(), bytes_at(meta, "post_randomness")};
  add_sector(sample, name + ".vproof");
  sample.public_sectors.push_back({1, fr_at(meta, "comm_r")});
  sample.challenges.push_back(meta[challenges]);
  return sample;
}

PostSample real_post() {
  PostSample sample;
  sample.name = "post-32g";
  sample.statement = {registered_post_from_number(13).value(), Bytes32{}};
  add_sector(sample, "post-32g.vproof");
  sample.public_sectors.push_back({1, sample.sectors[0].comm_r});
  sample.challenges.emplace_back();
  for (const MerkleProof& proof : sample.sectors[0].inclusion_proofs)
    sample.challenges[0].push_back(proof.leaf_index());
  return sample;
}

void add_partition(UpdateSample& sample, const std::string& file) {
  sample.files.push_back(file);
  auto proof = read_update_proof_file(test_data_path(file), sample.statement.shape);
  CUZK_CHECK(proof.is_ok(), proof.status().message());
  sample.partitions.push_back(std::move(proof).value());
}

UpdateSample reference_update(const std::string& name) {
  const Json meta = read_test_json(name + ".meta.json");
  UpdateSample sample;
  sample.name = name;
  sample.statement = {UpdateShape::of(shape_of(meta)), fr_at(meta, "comm_r_old"), fr_at(meta, "comm_d_new"),
                      fr_at(meta, "comm_r_new")};
  for (const Json& partition : meta["partitions"]) add_partition(sample, partition["file"]);
  sample.public_inputs = proof_inputs(name);
  return sample;
}

UpdateSample own_update() {
  const Json meta = read_test_json("sample-2k.json")["update"];
  UpdateSample sample;
  sample.name = "update-2k";
  sample.statement = {UpdateShape::of(*find_sector_shape(std::string_view("2KiB")).value()),
                      fr_at(meta, "comm_r_old"), fr_at(meta, "comm_d_new"), fr_at(meta, "comm_r_new")};
  add_partition(sample, "update-2k.pproof");
  // The file has ONE in front, and numbers as numbers.
  const auto& inputs = meta["public_inputs"];
  sample.public_inputs.push_back(
      {to_hex(Fr::from_u64(inputs[1]).to_bytes_le()), inputs[2], inputs[3], inputs[4]});
  return sample;
}

}  // namespace

std::vector<std::uint8_t> read_test_bytes(const std::string& name) {
  const std::string text = read_test_data(name);
  return {text.begin(), text.end()};
}

std::vector<PostSample> post_samples() {
  std::vector<PostSample> samples;
  for (const char* size : {"2KiB", "4KiB", "16KiB", "32KiB", "8MiB"}) {
    samples.push_back(reference_post(std::string("window-") + size, PostKind::window, ApiVersion::v1_2_0));
  }
  for (const char* size : {"2KiB", "4KiB", "16KiB"}) {
    samples.push_back(reference_post(std::string("windowv1-") + size, PostKind::window, ApiVersion::v1_0_0));
  }
  for (const char* size : {"2KiB", "4KiB", "16KiB", "8MiB"}) {
    samples.push_back(reference_post(std::string("winning-") + size, PostKind::winning, ApiVersion::v1_0_0));
  }
  samples.push_back(own_post("window-2k", 10, "window_challenges"));
  samples.push_back(own_post("winning-2k", 0, "winning_challenges"));
  samples.push_back(real_post());
  return samples;
}

PostSample post_sample(const std::string& name) {
  for (PostSample& sample : post_samples()) {
    if (sample.name == name) return std::move(sample);
  }
  CUZK_CHECK(false, "a sample of this name");
  return {};
}

std::vector<UpdateSample> update_samples() {
  std::vector<UpdateSample> samples;
  for (const char* size : {"2KiB", "4KiB", "32KiB", "8MiB"})
    samples.push_back(reference_update(std::string("update-") + size));
  samples.push_back(own_update());
  return samples;
}

UpdateSample update_sample(const std::string& name) {
  for (UpdateSample& sample : update_samples()) {
    if (sample.name == name) return std::move(sample);
  }
  CUZK_CHECK(false, "a sample of this name");
  return {};
}

std::vector<std::string> to_hex_list(const std::vector<Fr>& values) {
  std::vector<std::string> out;
  for (const Fr& value : values) out.push_back(to_hex(value.to_bytes_le()));
  return out;
}

}  // namespace cuzk
