#include "gen/gen_post.h"

#include "gen/bincode_writer.h"
#include "gen/gen_test_support.h"
#include "vanilla/post_proof_reader.h"
#include "vanilla/post_validate.h"

namespace cuzk {
namespace {

RegisteredPost post_of(PostKind kind, std::string_view size, ApiVersion version) {
  return registered_post(kind, shape_named(size), version).value();
}

// Valid partition by partition, and still so after being written and read.
void expect_valid(const PostGenOptions& options) {
  SCOPED_TRACE(options.proof.name());
  const Result<GeneratedPost> post = gen_post(options);
  ASSERT_TRUE(post.is_ok()) << post.status().to_string();
  const GeneratedPost& generated = post.value();
  ASSERT_EQ(generated.sectors.size(), options.sectors);
  std::vector<PostSectorProof> read;
  for (const PostSectorProof& sector : generated.sectors) {
    const auto bytes = post_proof_bincode(sector, options.proof.shape->tree);
    const auto parsed = parse_post_proof(bytes, *options.proof.shape, options.proof.kind);
    ASSERT_TRUE(parsed.is_ok()) << parsed.status().to_string();
    read.push_back(parsed.value());
  }
  const std::size_t most = options.proof.max_sectors();
  for (std::size_t first = 0; first < read.size(); first += most) {
    const auto partition = std::span(read).subspan(first, std::min(most, read.size() - first));
    const auto k = static_cast<unsigned>(options.first_partition + first / most);
    EXPECT_EQ(findings_text(validate_post({options.proof, generated.randomness, k}, partition)), "");
  }
}

TEST(GenPost, WindowIsValidForEverySize) {
  for (const SectorShape& shape : all_sector_shapes()) {
    for (const ApiVersion version : {ApiVersion::v1_0_0, ApiVersion::v1_2_0})
      expect_valid({.proof = post_of(PostKind::window, shape.name, version), .sectors = 5, .seed = 1});
  }
}

TEST(GenPost, WinningIsValidForEverySize) {
  for (const SectorShape& shape : all_sector_shapes())
    expect_valid({.proof = post_of(PostKind::winning, shape.name, ApiVersion::v1_0_0), .seed = 2});
}

TEST(GenPost, StandsWhereItIsTold) {
  PostGenOptions options = {.proof = post_of(PostKind::window, "2KiB", ApiVersion::v1_0_0),
                            .randomness = Bytes32{1, 2, 3},
                            .sectors = 4,
                            .first_sector_id = 70,
                            .first_partition = 3};
  expect_valid(options);
  const GeneratedPost post = gen_post(options).value();
  EXPECT_EQ(post.randomness, (Bytes32{1, 2, 3}));
  EXPECT_EQ(post.sectors.front().sector_id, 70u);
  EXPECT_EQ(post.sectors.back().sector_id, 73u);
}

TEST(GenPost, IsAFunctionOfItsOptions) {
  const PostGenOptions options = {.proof = post_of(PostKind::window, "8MiB", ApiVersion::v1_2_0), .seed = 9};
  const auto bytes = [](const PostGenOptions& o) {
    return post_proof_bincode(gen_post(o).value().sectors.front(), o.proof.shape->tree);
  };
  EXPECT_EQ(bytes(options), bytes(options));
  PostGenOptions other = options;
  other.seed = 10;
  EXPECT_NE(bytes(other), bytes(options));
}

TEST(GenPost, RefusesNoSectorTooManyAndTooHighNumbers) {
  PostGenOptions options = {.proof = post_of(PostKind::winning, "2KiB", ApiVersion::v1_0_0), .sectors = 2};
  EXPECT_EQ(gen_post(options).status().code(), StatusCode::invalid_argument);
  options.sectors = 0;
  EXPECT_EQ(gen_post(options).status().code(), StatusCode::invalid_argument);
  options.sectors = 1;
  options.first_sector_id = ~std::uint64_t{0};
  EXPECT_TRUE(gen_post(options).is_ok());
  options.proof = post_of(PostKind::window, "2KiB", ApiVersion::v1_2_0);
  options.sectors = 2;
  EXPECT_EQ(gen_post(options).status().code(), StatusCode::invalid_argument);
  options.first_sector_id = 0;
  options.sectors = ~std::uint64_t{0};
  EXPECT_EQ(gen_post(options).status().code(), StatusCode::invalid_argument);
}

}  // namespace
}  // namespace cuzk
