// Damaged bincode: every length, tag, index and field element out of range is refused with its place; truncated, extended
// and randomly changed bytes (support/byte_fuzzer.h) never do more than fail.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/allocation_watch.h"
#include "support/byte_fuzzer.h"
#include "vanilla/post_test_data.h"
#include "vanilla/post_validate.h"
#include "vanilla/update_validate.h"

namespace cuzk {
namespace {

using Bytes = std::vector<std::uint8_t>;

const SectorShape& shape_named(const char* name) {
  return *find_sector_shape(std::string_view(name)).value();
}
UpdateShape update_shape(const char* name) {
  return UpdateShape::of(shape_named(name));
}

Bytes with_u64(Bytes bytes, std::size_t offset, std::uint64_t value) {
  store_le(bytes.data() + offset, value);
  return bytes;
}
Bytes with_u32(Bytes bytes, std::size_t offset, std::uint32_t value) {
  store_le(bytes.data() + offset, value);
  return bytes;
}
// All ones: above the modulus.
Bytes with_large_fr(Bytes bytes, std::size_t offset) {
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), 32, std::uint8_t{0xff});
  return bytes;
}

template <class Parsed>
void expect_error(const Result<Parsed>& parsed, const std::string& wanted) {
  ASSERT_FALSE(parsed.is_ok()) << wanted;
  EXPECT_EQ(parsed.status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(parsed.status().message(), wanted);
}

// Offsets of a window proof at 2 KiB: head 56; a proof is tag 4, root 32, leaf 32, length 8, then levels of 8 + 7 * 32 + 8.
constexpr std::size_t kProof = 56;
constexpr std::size_t kPath = kProof + 68;
constexpr std::size_t kLevel = kPath + 8;
constexpr std::size_t kLevelBytes = 240;
constexpr std::size_t kProofBytes = 76 + 2 * kLevelBytes;

TEST(PostProofErrors, NameThePlace) {
  const Bytes good = read_test_bytes("window-2KiB-2.vproof");
  const auto parse = [](const Bytes& bytes) {
    return parse_post_proof(bytes, shape_named("2KiB"), PostKind::window);
  };
  ASSERT_TRUE(parse(good).is_ok());
  expect_error(parse({}), "sector_id: expected 8 bytes at offset 0, found 0");
  expect_error(parse(with_large_fr(good, 8)), "sector 2, comm_r: not below the field modulus");
  expect_error(parse(with_u64(good, 40, 2)), "sector 2, sectors: expected 1 elements, found 2");
  expect_error(parse(with_u64(good, 40, 0)), "sector 2, sectors: expected 1 elements, found 0");
  for (const std::uint64_t count :
       {std::uint64_t{0}, std::uint64_t{11}, std::uint64_t{66}, std::uint64_t{1} << 60, ~std::uint64_t{0}}) {
    const std::string found = std::to_string(count);
    expect_error(parse(with_u64(good, 48, count)),
                 "sector 2, inclusion_proofs: expected 10 elements, found " + found);
    const std::string second = "sector 2, challenge 1, inclusion_proof.path";
    if (count != 2) {
      expect_error(parse(with_u64(good, kPath + kProofBytes, count)),
                   second + ": expected 2 elements, found " + found);
    }
    expect_error(parse(with_u64(good, kLevel + kProofBytes + kLevelBytes, count)),
                 second + "[1].hashes: expected 7 elements, found " + found);
  }
  expect_error(
      parse(with_u32(good, kProof, 1)),
      "sector 2, challenge 0, inclusion_proof: the proof is of kind \"Sub\", this tree needs \"Single\"");
  expect_error(
      parse(with_u32(good, kProof, 7)),
      "sector 2, challenge 0, inclusion_proof: the proof is of kind number 7, this tree needs \"Single\"");
  expect_error(parse(with_large_fr(good, kProof + 4)),
               "sector 2, challenge 0, inclusion_proof.root: not below the field modulus");
  expect_error(parse(with_large_fr(good, kProof + 36)),
               "sector 2, challenge 0, inclusion_proof.leaf: not below the field modulus");
  expect_error(parse(with_large_fr(good, kLevel + 8 + 3 * 32)),
               "sector 2, challenge 0, inclusion_proof.path[0].hashes[3]: not below the field modulus");
  expect_error(parse(with_u64(good, kLevel + kLevelBytes - 8, 8)),
               "sector 2, challenge 0, inclusion_proof.path[0].index: 8 is more than the largest value, 7");
  expect_error(
      parse(with_u64(good, kLevel + kLevelBytes - 8, std::uint64_t{1} << 32)),
      "sector 2, challenge 0, inclusion_proof.path[0].index: 4294967296 is more than the largest value, 7");
  expect_error(parse(with_large_fr(good, good.size() - 64)), "sector 2, comm_c: not below the field modulus");
  expect_error(parse(with_large_fr(good, good.size() - 32)),
               "sector 2, comm_r_last: not below the field modulus");
  Bytes longer = good;
  longer.resize(good.size() + 3);
  expect_error(parse(longer), "expected the end at offset 5680, found 3 bytes more");
}

TEST(PostProofErrors, OtherKindsAndSizes) {
  const Bytes window = read_test_bytes("window-32KiB-1.vproof");
  expect_error(parse_post_proof(window, shape_named("32KiB"), PostKind::winning),
               "sector 1, inclusion_proofs: expected 66 elements, found 10");
  expect_error(
      parse_post_proof(window, shape_named("16KiB"), PostKind::window),
      "sector 1, challenge 0, inclusion_proof: the proof is of kind \"Top\", this tree needs \"Sub\"");
  expect_error(parse_post_proof(window, shape_named("64GiB"), PostKind::window),
               "sector 1, inclusion_proofs: expected 10 elements of 2540 bytes or more, found 8664 bytes");
  const std::string missing = std::string(CUZK_TEST_DATA) + "/no-such.vproof";
  const auto read = read_post_proof_file(missing, shape_named("2KiB"), PostKind::window);
  EXPECT_EQ(read.status().code(), StatusCode::unavailable);
  EXPECT_EQ(read.status().message(), missing + ": cannot be opened: No such file or directory");
  // A file without end is not read to its end.
  EXPECT_EQ(read_post_proof_file("/dev/zero", shape_named("2KiB"), PostKind::window).status().message(),
            "/dev/zero: sector 0, sectors: expected 1 elements, found 0");
}

TEST(UpdateProofErrors, NameThePlace) {
  const UpdateShape shape = update_shape("32KiB");
  const Bytes good = read_test_bytes("update-32KiB-1.pproof");
  const auto parse = [&](const Bytes& bytes) { return parse_update_proof(bytes, shape); };
  ASSERT_TRUE(parse(good).is_ok());
  constexpr std::size_t kChallenges = 32 + 8 + 128 * 32;
  expect_error(parse(with_large_fr(good, 0)), "comm_c: not below the field modulus");
  expect_error(parse(with_large_fr(good, 40 + 5 * 32)), "apex_leaves[5]: not below the field modulus");
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1} << 59, ~std::uint64_t{0}}) {
    const std::string found = std::to_string(count);
    expect_error(parse(with_u64(good, 32, count)), "apex_leaves: expected 128 elements, found " + found);
    expect_error(parse(with_u64(good, kChallenges, count)),
                 "challenge_proofs: expected 10 elements, found " + found);
  }
  expect_error(parse(with_u32(good, kChallenges + 8, 0)),
               "challenge 0, proof_r_old: the proof is of kind \"Single\", this tree needs \"Top\"");
  expect_error(parse(with_u64(good, kChallenges + 12, 3)),
               "challenge 0, proof_r_old.base_proof: expected 2 elements, found 3");
  expect_error(parse_update_proof(read_test_bytes("update-2KiB-0.pproof"), shape),
               "apex_leaves: expected 128 elements, found 8");
  Bytes longer = good;
  longer.push_back(0);
  expect_error(parse(longer), "expected the end at offset 26904, found 1 bytes more");
}

// Near the ends every length, in between some.
template <class IsRefused>
void expect_truncations_refused(const Bytes& good, IsRefused is_refused) {
  for (std::size_t length = 0; length < good.size();
       length += length < 700 || length + 300 > good.size() ? 1 : 61) {
    const Bytes cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length));
    ASSERT_TRUE(is_refused(cut)) << length;
  }
}

TEST(BincodeFuzz, EveryTruncationIsRefused) {
  for (const char* size : {"2KiB", "16KiB", "32KiB"}) {
    const SectorShape& shape = shape_named(size);
    expect_truncations_refused(
        read_test_bytes(std::string("window-") + size + "-1.vproof"),
        [&](const Bytes& bytes) { return !parse_post_proof(bytes, shape, PostKind::window).is_ok(); });
  }
  for (const char* size : {"2KiB", "32KiB"}) {
    const UpdateShape shape = update_shape(size);
    expect_truncations_refused(read_test_bytes(std::string("update-") + size + "-0.pproof"),
                               [&](const Bytes& bytes) { return !parse_update_proof(bytes, shape).is_ok(); });
  }
}

// One changed byte, every `stride`-th (prime to 8, so that all bits have their turn): refused by the reader, or found by the validation.
template <class IsRefused>
void expect_changes_refused(const Bytes& good, std::size_t stride, IsRefused is_refused) {
  for (std::size_t at = 0; at < good.size(); at += stride) {
    Bytes bad = good;
    bad[at] ^= static_cast<std::uint8_t>(1u << (at % 8));
    ASSERT_TRUE(is_refused(bad)) << "byte " << at;
  }
}

TEST(BincodeFuzz, ChangedBytesAreRefused) {
  const PostSample post = post_sample("window-2KiB");
  ASSERT_FALSE(validate_post(post.statement, std::span(post.sectors).first(1), true).size());
  expect_changes_refused(read_test_bytes("window-2KiB-1.vproof"), 5, [&](const Bytes& bytes) {
    const auto proof = parse_post_proof(bytes, *post.statement.proof.shape, PostKind::window);
    return !proof.is_ok() || !validate_post(post.statement, std::span(&proof.value(), 1), true).empty();
  });
  const UpdateSample update = update_sample("update-32KiB");
  expect_changes_refused(read_test_bytes("update-32KiB-1.pproof"), 53, [&](const Bytes& bytes) {
    const auto proof = parse_update_proof(bytes, update.statement.shape);
    return !proof.is_ok() || !validate_update_partition(update.statement, proof.value(), 1, true).empty();
  });
}

// What a proof of the right length takes, with its text of errors.
constexpr std::size_t kMaxParseBytes = std::size_t{1} << 18;

TEST(BincodeFuzz, DamagedPostProofs) {
  ByteFuzzer fuzzer(3000);
  const Bytes good = read_test_bytes("window-32KiB-1.vproof");
  const PostSample request = post_sample("window-32KiB");
  // The numbers of the head and of the first proof: a Top proof begins with base and sub paths.
  const std::size_t lengths[] = {
      0, 40, 48, kProof, kPath, kLevel, kLevel + kLevelBytes - 8, good.size() - 64};
  while (fuzzer.next()) {
    const Bytes bytes = fuzzer.damaged(good, lengths);
    const AllocationWatch memory;
    const auto proof = parse_post_proof(bytes, shape_named("32KiB"), PostKind::window);
    EXPECT_LT(memory.peak_bytes(), kMaxParseBytes);
    if (proof.is_ok() && fuzzer.round() % 16 == 0)
      validate_post(request.statement, std::span(&proof.value(), 1));
  }
}

TEST(BincodeFuzz, DamagedUpdateProofs) {
  ByteFuzzer fuzzer(3000);
  const Bytes good = read_test_bytes("update-32KiB-0.pproof");
  const UpdateSample request = update_sample("update-32KiB");
  constexpr std::size_t kChallenges = 32 + 8 + 128 * 32;
  const std::size_t lengths[] = {0, 32, kChallenges, kChallenges + 8, kChallenges + 12, kChallenges + 20};
  while (fuzzer.next()) {
    const Bytes bytes = fuzzer.damaged(good, lengths);
    const AllocationWatch memory;
    const auto proof = parse_update_proof(bytes, request.statement.shape);
    EXPECT_LT(memory.peak_bytes(), kMaxParseBytes);
    if (proof.is_ok() && fuzzer.round() % 16 == 0)
      validate_update_partition(request.statement, proof.value(), 0);
  }
}

}  // namespace
}  // namespace cuzk
