// Parameter files: those of the reference are read as they are and written byte for byte; damaged ones are refused with
// path, found and wanted.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "base/bytes.h"
#include "curve/encoding.h"
#include "curve/projective.h"
#include "srs/parameter_file.h"
#include "srs/parameter_paths.h"
#include "srs/parameter_writer.h"
#include "srs/srs_test_support.h"

namespace cuzk {
namespace {

namespace fs = std::filesystem;

const ParameterPaths kWindow2KiB =
    parameter_paths(CUZK_TEST_DATA,
                    "proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                    "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0");

// Copies a whole parameter file in chunks of a few points.
Status copy(const ParameterFile& file, SrsSink& sink) {
  CUZK_TRY(sink.begin(file.vk(), file.counts()));
  const SrsView view = file.view();
  for (const Query query : kQueries) {
    const std::size_t chunk = 1000 * query_point_bytes(query);
    for (auto bytes = view[query]; !bytes.empty(); bytes = bytes.subspan(std::min(chunk, bytes.size())))
      CUZK_TRY(sink.append(query, bytes.first(std::min(chunk, bytes.size()))));
    view.release(query);
  }
  return sink.finish();
}

TEST_F(ParameterFiles, TheReferencesFileIsReadAndWrittenAgain) {
  const Result<ParameterFile> opened = ParameterFile::open(kWindow2KiB.params);
  ASSERT_TRUE(opened.is_ok()) << opened.status().to_string();
  const ParameterFile& file = opened.value();
  EXPECT_EQ(file.size_bytes(), 11501496u);
  EXPECT_EQ(file.counts().file_bytes(), file.size_bytes());
  EXPECT_EQ(file.counts().ic, 23u);
  const Result<VerifyingKey> vk = read_verifying_key(kWindow2KiB.vk);
  ASSERT_TRUE(vk.is_ok()) << vk.status().to_string();
  EXPECT_EQ(vk.value(), file.vk());
  EXPECT_EQ(file.view().counts(), file.counts());
  EXPECT_TRUE(ParameterFile::open(kWindow2KiB.params, file.counts()).is_ok());

  Result<ParameterWriter> writer = ParameterWriter::create(path_);
  ASSERT_TRUE(writer.is_ok());
  ASSERT_TRUE(copy(file, writer.value()).is_ok());
  EXPECT_TRUE(read_all(path_) == read_all(kWindow2KiB.params));
  ASSERT_TRUE(write_verifying_key(directory_ / "some.vk", file.vk()).is_ok());
  EXPECT_TRUE(read_all(directory_ / "some.vk") == read_all(kWindow2KiB.vk));
  EXPECT_EQ(files_in_directory(), 2u);
}

TEST_F(ParameterFiles, ToyCircuitHasTheKnownSize) {
  const Toy toy;
  ASSERT_TRUE(write_toy(toy, path_).is_ok());
  EXPECT_EQ(fs::file_size(path_), 2136u);
  const Result<ParameterFile> file = ParameterFile::open(path_, toy.counts);
  ASSERT_TRUE(file.is_ok()) << file.status().to_string();
  EXPECT_EQ(file.value().vk(), toy.vk);
  const auto bytes = file.value().view()[Query::l];
  ASSERT_EQ(bytes.size(), 2u * 96);
  EXPECT_EQ(decode_uncompressed<G1Affine>(bytes.last<96>()).value(), g1(201));
}

TEST_F(ParameterFiles, MissingDirectoryAndSpecialFilesAreNamed) {
  expect_unavailable(ParameterFile::open(path_).status(), {"No such file"});
  expect_unavailable(read_verifying_key(path_).status(), {"No such file"});
  fs::create_directory(path_);
  expect_unavailable(ParameterFile::open(path_).status(), {"directory"});
  expect_unavailable(read_verifying_key(path_).status(), {"directory"});
  fs::remove(path_);
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  expect_unavailable(ParameterFile::open(path_).status(), {"not a regular file"});
}

TEST_F(ParameterFiles, UnreadableIsNamed) {
  ASSERT_TRUE(write_toy(Toy(), path_).is_ok());
  fs::permissions(directory_, fs::perms::all);
  fs::permissions(path_, fs::perms::none);
  const uid_t user = geteuid();
  constexpr uid_t kNobody = 65534;  // root reads everything
  if (user == 0) {
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  const Status status = ParameterFile::open(path_).status();
  if (user == 0) {
    ASSERT_EQ(seteuid(0), 0);
  }
  expect_unavailable(status, {"Permission denied"});
}

TEST_F(ParameterFiles, EveryTruncationIsRefusedWithFoundAndWanted) {
  const Toy toy;
  ASSERT_TRUE(write_toy(toy, path_).is_ok());
  const auto good = read_all(path_);
  for (std::size_t size = 0; size < good.size(); size += size % 96 == 95 || size < 8 ? 1 : 47) {
    write_all(path_, std::span(good).first(size));
    expect_unavailable(ParameterFile::open(path_).status(),
                       {std::to_string(size) + " bytes found", "wanted"});
  }
  write_all(path_, std::span(good).first(good.size() - 1));
  expect_unavailable(ParameterFile::open(path_).status(),
                     {"2135 bytes found", "at least 2136 wanted", "b_g2"});
  expect_unavailable(ParameterFile::open(path_, toy.counts).status(),
                     {"2135 bytes found", "a file of 2136 bytes"});
}

TEST_F(ParameterFiles, TruncationAndExtensionOfTheReferencesFile) {
  auto bytes = read_all(kWindow2KiB.params);
  const SrsCounts counts = ParameterFile::open(kWindow2KiB.params).value().counts();
  bytes.push_back(0);
  write_all(path_, bytes);
  expect_unavailable(ParameterFile::open(path_).status(), {"11501497 bytes found", "11501496 wanted"});
  for (const std::size_t size : {bytes.size() / 2, bytes.size() - 2}) {
    write_all(path_, std::span(bytes).first(size));
    expect_unavailable(ParameterFile::open(path_).status(), {std::to_string(size) + " bytes found"});
    expect_unavailable(ParameterFile::open(path_, counts).status(),
                       {std::to_string(size) + " bytes found", "11501496"});
  }
  auto key = read_all(kWindow2KiB.vk);
  key.push_back(0);
  write_all(path_, key);
  expect_unavailable(read_verifying_key(path_).status(), {"3077", "3076"});
  write_all(path_, std::span(key).first(key.size() - 2));
  expect_unavailable(read_verifying_key(path_).status(), {"3075", "3076"});
  write_all(path_, {});
  expect_unavailable(read_verifying_key(path_).status(), {"0 bytes", "868"});
}

TEST_F(ParameterFiles, CountsOfAnotherCircuitNameTheQuery) {
  const Toy toy;
  ASSERT_TRUE(write_toy(toy, path_).is_ok());
  for (const Query query : kQueries) {
    SrsCounts other = toy.counts;
    other[query] += 5;
    expect_unavailable(
        ParameterFile::open(path_, other).status(),
        {std::string(query_name(query)) + " has " + std::to_string(toy.counts[query]) + " points",
         "needs " + std::to_string(other[query])});
  }
  SrsCounts other = toy.counts;
  other.ic = 3;
  expect_unavailable(ParameterFile::open(path_, other).status(), {"ic has 2 points", "needs 3"});
}

TEST_F(ParameterFiles, ImpossibleCountsAreRefused) {
  Toy toy;
  toy.counts[Query::h] = 4;
  ASSERT_TRUE(write_toy(toy, path_).is_ok());
  expect_unavailable(ParameterFile::open(path_).status(), {"h has 4 points"});
  toy = Toy();
  toy.counts[Query::b_g1] = 2;
  ASSERT_TRUE(write_toy(toy, path_).is_ok());
  expect_unavailable(ParameterFile::open(path_).status(), {"b_g1 has 2", "b_g2 1"});

  toy = Toy();
  ASSERT_TRUE(write_toy(toy, path_).is_ok());
  auto bytes = read_all(path_);
  store_be(bytes.data() + toy.vk.encoded_bytes(), ~std::uint32_t{0});
  write_all(path_, bytes);
  expect_unavailable(ParameterFile::open(path_).status(),
                     {"4294967295 points of query h", "2136 bytes found"});
}

TEST_F(ParameterFiles, AChangedByteOfTheKeyIsRefused) {
  ASSERT_TRUE(write_toy(Toy(), path_).is_ok());
  const auto good = read_all(path_);
  for (std::size_t offset = 0; offset < 868 + 2 * 96; offset += 31) {
    auto bytes = good;
    bytes[offset] ^= 4;
    write_all(path_, bytes);
    expect_unavailable(ParameterFile::open(path_).status(), {});
  }
  auto bytes = good;
  const auto infinity = encode_uncompressed(G2Affine::infinity());
  std::copy(infinity.begin(), infinity.end(), bytes.begin() + 384);
  write_all(path_, bytes);
  expect_unavailable(ParameterFile::open(path_).status(), {"gamma_g2 at offset 384", "infinity"});
}

TEST_F(ParameterFiles, WriterHoldsTheOrderAndTheCounts) {
  const Toy toy;
  const auto writer = [&] { return ParameterWriter::create(path_).value(); };
  {
    ParameterWriter early = writer();
    ASSERT_TRUE(early.begin(toy.vk, toy.counts).is_ok());
    const std::vector<std::uint8_t> h = toy.points(Query::h);
    EXPECT_EQ(early.append(Query::h, std::span(h).first(97)).code(), StatusCode::internal);
    EXPECT_EQ(early.append(Query::l, toy.points(Query::l)).code(), StatusCode::internal);  // h is missing
    EXPECT_EQ(early.finish().code(), StatusCode::internal);
  }
  {
    ParameterWriter late = writer();
    ASSERT_TRUE(late.begin(toy.vk, toy.counts).is_ok());
    ASSERT_TRUE(late.append(Query::h, toy.points(Query::h)).is_ok());
    ASSERT_TRUE(late.append(Query::l, toy.points(Query::l)).is_ok());
    EXPECT_EQ(late.append(Query::h, toy.points(Query::h)).code(), StatusCode::internal);
    EXPECT_EQ(late.append(Query::l, toy.points(Query::l)).code(), StatusCode::internal);
    EXPECT_EQ(late.append(Query::b_g2, toy.points(Query::l)).code(), StatusCode::internal);
    EXPECT_EQ(late.finish().code(), StatusCode::internal);
  }
  EXPECT_EQ(files_in_directory(), 0u) << "an unfinished file stayed behind";
}

TEST_F(ParameterFiles, EmptyQueriesAreWritten) {
  Toy toy;
  for (const Query query : {Query::l, Query::b_g1, Query::b_g2}) toy.counts[query] = 0;
  ParameterWriter writer = ParameterWriter::create(path_).value();
  ASSERT_TRUE(writer.begin(toy.vk, toy.counts).is_ok());
  ASSERT_TRUE(writer.append(Query::h, toy.points(Query::h)).is_ok());
  ASSERT_TRUE(writer.append(Query::a, toy.points(Query::a)).is_ok());
  ASSERT_TRUE(writer.finish().is_ok());
  EXPECT_TRUE(ParameterFile::open(path_, toy.counts).is_ok());
}

TEST_F(ParameterFiles, AFullDiskIsReportedAndLeavesNothing) {
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small{1000, old.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status params = write_toy(Toy(), path_);
  const Status vk = write_verifying_key(path_, Toy().vk);
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);
  for (const Status& status : {params, vk}) {
    EXPECT_EQ(status.code(), StatusCode::resource_exhausted) << status.to_string();
    EXPECT_NE(status.message().find(path_.string()), std::string::npos);
  }
  EXPECT_EQ(files_in_directory(), 0u);
}

TEST_F(ParameterFiles, WritingIntoNoFolderIsRefused) {
  path_ = directory_ / "absent" / "some.params";
  expect_unavailable(ParameterWriter::create(path_).status(), {"No such file"});
}

TEST_F(ParameterFiles, MetaSaysWhatIsOnlyForTests) {
  path_ = directory_ / "some.meta";
  ASSERT_TRUE(write_meta(path_, {2048, false}).is_ok());
  const auto plain = read_all(path_);
  EXPECT_EQ(std::string(plain.begin(), plain.end()), "{\"sector_size\":2048}");
  EXPECT_FALSE(read_meta(path_).value().test_only);
  ASSERT_TRUE(write_meta(path_, {8388608, true}).is_ok());
  const ParameterMeta meta = read_meta(path_).value();
  EXPECT_EQ(meta.sector_size, 8388608u);
  EXPECT_TRUE(meta.test_only);
  const auto test = read_all(path_);
  EXPECT_NE(std::string(test.begin(), test.end()).find("TEST ONLY"), std::string::npos);

  for (const std::string bad : {"", "{", "[]", "{\"sector_size\":-1}", "{\"sector_size\":\"2048\"}", "{}",
                                "{\"sector_size\":2048,\"test_only\":1}"}) {
    write_all(path_, std::vector<std::uint8_t>(bad.begin(), bad.end()));
    expect_unavailable(read_meta(path_).status(), {});
  }
}

TEST(ParameterPaths, FollowTheEnvironment) {
  unsetenv("FIL_PROOFS_PARAMETER_CACHE");
  EXPECT_EQ(parameter_directory(), "/var/tmp/filecoin-proof-parameters");
  setenv("FIL_PROOFS_PARAMETER_CACHE", "", 1);
  EXPECT_EQ(parameter_directory(), "/var/tmp/filecoin-proof-parameters");
  setenv("FIL_PROOFS_PARAMETER_CACHE", "/somewhere", 1);
  const ParameterPaths paths = parameter_paths(parameter_directory(), "a-b");
  EXPECT_EQ(paths.params, "/somewhere/v28-a-b.params");
  EXPECT_EQ(paths.vk, "/somewhere/v28-a-b.vk");
  EXPECT_EQ(paths.meta, "/somewhere/v28-a-b.meta");
  unsetenv("FIL_PROOFS_PARAMETER_CACHE");
}

}  // namespace
}  // namespace cuzk
