// Circuit files: what is written is read back; damage of any kind is refused, by the digest, or, where that was made to fit, by
// the structure; and what passes is safe to use.
#include "r1cs/r1cs_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <random>

#include "r1cs/digest.h"
#include "r1cs/evaluate.h"
#include "r1cs/sha256_stream.h"
#include "r1cs/shape_system.h"
#include "support/allocation_watch.h"
#include "support/byte_fuzzer.h"

namespace cuzk {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kRepetitions = 5;
constexpr std::string_view kLabel = "a circuit of the test";

// Blocks before, between and after repetitions; every kind of column; coefficients other than 1 and -1.
R1cs small_circuit() {
  ShapeSystem cs;
  const Variable x = cs.alloc(Fr());
  const Variable y = cs.alloc_input(Fr());
  cs.enforce([&](LinearCombination& lc) { lc.add(x); }, [&](LinearCombination& lc) { lc.add(x); },
             [&](LinearCombination& lc) { lc.add(y, Fr::from_u64(7)); });
  std::vector<Variable> own;
  for (std::size_t i = 0; i < 2 * kRepetitions; ++i) {
    own.push_back(i % 2 == 0 ? cs.alloc_bit(false) : cs.alloc(Fr()));
  }
  const auto parameters = [&](std::size_t i) { return std::vector<Variable>{own[i], own[kRepetitions + i]}; };
  cs.repeat(kRepetitions, parameters, [&](ShapeSystem&, std::size_t i) {
    const Variable bit = cs.alloc_bit(false);
    const Variable z = cs.alloc(Fr());
    const Variable out = cs.alloc_input(Fr());
    cs.enforce([&](LinearCombination& lc) { lc.add(own[i]); },
               [&](LinearCombination& lc) { lc.add(own[kRepetitions + i]); },
               [&](LinearCombination& lc) { lc.add(z, Fr::from_u64(3)); });
    cs.enforce([&](LinearCombination& lc) { lc.add(bit); }, [&](LinearCombination& lc) { lc.add(x); },
               [&](LinearCombination& lc) { lc.sub(out); });
  });
  cs.repeat(3, [&](ShapeSystem&, std::size_t) {
    const Variable z = cs.alloc(Fr());
    cs.enforce([&](LinearCombination& lc) { lc.add(z); },
               [&](LinearCombination& lc) { lc.add(kOneVariable); },
               [&](LinearCombination& lc) { lc.add(y); });
  });
  const Variable last = cs.alloc(Fr());
  cs.enforce([&](LinearCombination& lc) { lc.add(last); }, [&](LinearCombination& lc) { lc.add(x); },
             [](LinearCombination&) {});
  return cs.finish();
}

Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A new file: ext4 writes one that was cut to nothing out to the disk when it is closed, which takes milliseconds.
void write_bytes(const std::filesystem::path& path, const Bytes& bytes) {
  std::filesystem::remove(path);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// Makes the digest at the end fit what is before it.
void fix_digest(Bytes& bytes) {
  const std::size_t content = bytes.size() - 32;
  Sha256Stream whole;
  for (std::size_t begin = 0; begin < content; begin += std::size_t{1} << 20) {
    Sha256Stream piece;
    piece.update(bytes.data() + begin, std::min(content - begin, std::size_t{1} << 20));
    const Bytes32 digest = piece.digest_so_far();
    whole.update(digest.data(), digest.size());
  }
  const Bytes32 digest = whole.digest_so_far();
  std::copy(digest.begin(), digest.end(), bytes.begin() + static_cast<std::ptrdiff_t>(content));
}

// Does with a circuit what backends do; under the sanitizers an index out of range ends the test.
void use(const R1cs& r1cs) {
  if (r1cs.num_aux() > (1u << 20) || r1cs.num_inputs() > (1u << 20)) return;
  const Densities densities = r1cs.densities();
  EXPECT_EQ(densities.aux_in_a.size(), r1cs.num_aux());
  EXPECT_EQ(r1cs.full_mask().count_ones(), r1cs.num_full());
  Witness witness;
  witness.inputs.resize(r1cs.num_inputs());
  witness.bits.resize(r1cs.num_aux());
  witness.fulls.resize(r1cs.num_full(), Fr::zero());
  EXPECT_EQ(first_unsatisfied(r1cs, witness), std::nullopt) << "all zero";
}

class R1csFileTest : public testing::Test {
 protected:
  R1csFileTest() {
    std::filesystem::create_directories(folder_);
    EXPECT_TRUE(write_r1cs_file(circuit_, kLabel, path_).is_ok());
    file_ = read_bytes(path_);
  }
  ~R1csFileTest() override { std::filesystem::remove_all(folder_); }

  Result<R1cs> read(const Bytes& bytes) {
    write_bytes(path_, bytes);
    return read_r1cs_file(kLabel, path_);
  }
  void expect_refused(const Bytes& bytes, const std::string& reason) {
    const Result<R1cs> read_back = read(bytes);
    ASSERT_FALSE(read_back.is_ok()) << "wanted: " << reason;
    EXPECT_EQ(read_back.status().code(), StatusCode::invalid_argument);
    EXPECT_NE(read_back.status().message().find(reason), std::string::npos) << read_back.status().message();
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("cuzk_r1cs_file_test_" + std::to_string(::getpid()));
  const std::filesystem::path path_ = folder_ / "circuit";
  const R1cs circuit_ = small_circuit();
  Bytes file_;
};

TEST_F(R1csFileTest, ReadsWhatWasWritten) {
  const R1cs found = read_r1cs_file(kLabel, path_).value();
  EXPECT_EQ(to_hex(r1cs_digest(found)), to_hex(r1cs_digest(circuit_)));
  EXPECT_EQ(found.num_inputs(), circuit_.num_inputs());
  EXPECT_EQ(found.num_aux(), circuit_.num_aux());
  EXPECT_EQ(found.num_full(), circuit_.num_full());
  EXPECT_EQ(found.num_constraints(), circuit_.num_constraints());
  EXPECT_EQ(found.blocks().size(), circuit_.blocks().size());
  EXPECT_EQ(found.memory_bytes(), circuit_.memory_bytes());
  EXPECT_EQ(found.full_mask(), circuit_.full_mask());
  use(found);
  // The same bytes again, and nothing but the file in its folder.
  ASSERT_TRUE(write_r1cs_file(found, kLabel, path_).is_ok());
  EXPECT_EQ(read_bytes(path_), file_);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(R1csFileTest, EveryTruncationIsRefused) {
  for (std::size_t size = 0; size < file_.size(); size += size < 256 ? 1 : 13) {
    Bytes shorter(file_.begin(), file_.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(read(shorter).is_ok()) << size;
    if (size < 32) continue;
    fix_digest(shorter);
    EXPECT_FALSE(read(shorter).is_ok()) << size << " with a digest that fits";
  }
  Bytes longer = file_;
  longer.push_back(0);
  expect_refused(longer, "1 bytes more than its counts say");
}

// A circuit whose arrays and file are longer than what one thread reads and hashes.
TEST_F(R1csFileTest, AFileOfManyPiecesIsReadAndHashedInParallel) {
  ShapeSystem cs;
  cs.repeat(2, [&](ShapeSystem&, std::size_t) {
    for (std::size_t i = 0; i < 200000; ++i) {
      const Variable x = cs.alloc_bit(false);
      cs.enforce([&](LinearCombination& lc) { lc.add(x, Fr::from_u64(i % 7)); },
                 [&](LinearCombination& lc) { lc.add(x); }, [&](LinearCombination& lc) { lc.add(x); });
    }
  });
  const R1cs large = cs.finish();
  ASSERT_TRUE(write_r1cs_file(large, kLabel, path_).is_ok());
  ASSERT_GT(std::filesystem::file_size(path_), std::size_t{4} << 20);
  EXPECT_EQ(to_hex(r1cs_digest(read_r1cs_file(kLabel, path_).value())), to_hex(r1cs_digest(large)));
  // The coefficients of the last matrix are 1, by its index 0, and index 1 exists: only the digest tells of these changes.
  const Bytes bytes = read_bytes(path_);
  for (const std::size_t at : {bytes.size() - 34, bytes.size() - 34 - (std::size_t{1} << 18)}) {
    Bytes changed = bytes;
    changed[at] ^= 1;
    expect_refused(changed, "SHA-256");
    fix_digest(changed);
    EXPECT_TRUE(read(changed).is_ok()) << "the digest of a file is as it is documented";
  }
}

TEST_F(R1csFileTest, EveryChangedByteIsRefused) {
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < file_.size(); ++i) {
    Bytes changed = file_;
    changed[i] ^= static_cast<std::uint8_t>(1u << (random() % 8));
    EXPECT_FALSE(read(changed).is_ok()) << "byte " << i;
  }
}

TEST_F(R1csFileTest, DamageUnderADigestThatFitsIsRefusedOrHarmless) {
  ByteFuzzer fuzzer(4000);
  // The head, and the numbers of the first block.
  std::vector<std::size_t> numbers = {8, 12, 16};
  const std::size_t counts = 20 + kLabel.size();
  const std::size_t blocks = counts + 40 + 32 * circuit_.coefficients().size();
  for (std::size_t at = counts; at < counts + 40; at += 4) numbers.push_back(at);
  for (std::size_t at = blocks; at < blocks + 13 * 4; at += 4) numbers.push_back(at);
  std::size_t refused = 0;
  while (fuzzer.next()) {
    Bytes changed = fuzzer.damaged(std::span(file_).first(file_.size() - 32), numbers);
    changed.resize(changed.size() + 32);
    fix_digest(changed);
    const AllocationWatch memory;
    const Result<R1cs> read_back = read(changed);
    EXPECT_LT(memory.peak_bytes(), 16 * changed.size() + (std::size_t{1} << 20));
    refused += !read_back.is_ok();
    if (read_back.is_ok()) use(read_back.value());
  }
  EXPECT_GT(refused, fuzzer.round() / 2);
}

TEST_F(R1csFileTest, OtherVersionsAndCircuitsAreRefusedWithBothNames) {
  Bytes version = file_;
  version[8] = kR1csFileVersion + 1;
  fix_digest(version);
  expect_refused(version, "version 3, this program reads 2");
  Bytes order = file_;
  std::reverse(order.begin() + 12, order.begin() + 16);
  fix_digest(order);
  expect_refused(order, "another byte order");
  Bytes no_label = file_;
  std::fill_n(no_label.begin() + 16, 4, std::uint8_t{0});
  fix_digest(no_label);
  expect_refused(no_label, "another circuit: ");
  Bytes magic = file_;
  magic[0] = 'c';
  fix_digest(magic);
  expect_refused(magic, "not a circuit file");
  write_bytes(path_, file_);
  const Result<R1cs> other = read_r1cs_file("a circuit of the tests", path_);
  ASSERT_FALSE(other.is_ok());
  EXPECT_NE(other.status().message().find("another circuit: a circuit of the test"), std::string::npos);
}

TEST_F(R1csFileTest, WhatIsNoFileIsRefused) {
  EXPECT_EQ(read_r1cs_file(kLabel, folder_ / "nothing").status().code(), StatusCode::unavailable);
  EXPECT_EQ(read_r1cs_file(kLabel, folder_).status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(write_r1cs_file(circuit_, kLabel, folder_ / "no folder" / "file").code(),
            StatusCode::unavailable);
}

// A circuit in parts, one of which a test changes.
struct Parts {
  std::vector<R1csBlock> blocks;
  std::vector<Fr> coefficients;

  std::string error() const {
    const Result<R1cs> result = R1cs::from_parts(blocks, coefficients);
    return result.is_ok() ? "none" : result.status().message();
  }
};

TEST(R1csParts, EveryRuleIsChecked) {
  const R1cs circuit = small_circuit();
  const Parts good = {circuit.blocks(), circuit.coefficients()};
  ASSERT_EQ(good.error(), "none");
  ASSERT_EQ(good.blocks[1].count, kRepetitions);
  const auto expect = [&](const std::string& reason, const auto& change) {
    Parts parts = good;
    change(parts.blocks, parts.coefficients);
    EXPECT_NE(parts.error().find(reason), std::string::npos) << parts.error() << "; wanted: " << reason;
  };
  using Blocks = std::vector<R1csBlock>;
  using Coefficients = std::vector<Fr>;
  expect("not 1 and -1", [](Blocks&, Coefficients& c) { std::swap(c[0], c[1]); });
  expect("field modulus", [](Blocks&, Coefficients& c) { c[2] = Fr::from_montgomery(Fr::modulus()); });
  expect("more than 65,536", [](Blocks&, Coefficients& c) { c.resize(65537); });
  expect("where the blocks before end", [](Blocks& b, Coefficients&) { ++b[1].first_aux; });
  expect("where the blocks before end", [](Blocks& b, Coefficients&) { b.erase(b.begin()); });
  expect("is empty", [](Blocks& b, Coefficients&) { b.back().count = 0; });
  expect("can have", [](Blocks& b, Coefficients&) { b.back().count = 1u << 30; });
  expect("can have", [](Blocks& b, Coefficients&) { b.back().num_aux = ~0u; });
  expect("without the input ONE", [](Blocks& b, Coefficients&) { b.clear(); });
  expect("full_aux", [](Blocks& b, Coefficients&) { b[1].full_aux.clear(); });
  expect("full_aux", [](Blocks& b, Coefficients&) { b[1].full_aux[0] = b[1].first_aux + b[1].num_aux; });
  expect("full_aux", [](Blocks& b, Coefficients&) { b[1].full_aux[0] = b[1].first_aux - 1; });
  expect("full_aux", [](Blocks& b, Coefficients&) { b[0].full_aux[1] = b[0].full_aux[0]; });
  expect("parameters", [](Blocks& b, Coefficients&) { b[1].parameters.pop_back(); });
  expect("parameters", [](Blocks& b, Coefficients&) {
    b[1].parameters[3] = {ColumnKind::bit, false, b[1].first_aux};
  });
  expect("parameters", [](Blocks& b, Coefficients&) { b[1].parameters[3] = {ColumnKind::input, false, 0}; });
  expect("number of rows", [](Blocks& b, Coefficients&) { b[1].b.row_end.pop_back(); });
  expect("number of entries", [](Blocks& b, Coefficients&) { b[1].b.columns.pop_back(); });
  expect("number of entries", [](Blocks& b, Coefficients&) { b[1].b.coefficients.emplace_back(); });
  expect("ends before it begins", [](Blocks& b, Coefficients&) { b[1].b.row_end[0] = 99; });
  expect("block 1: A: a coefficient",
         [](Blocks& b, Coefficients& c) { b[1].a.coefficients[0] = static_cast<std::uint16_t>(c.size()); });
  const auto expect_no_variable = [&](Column column) {
    expect("block 1: C: a variable", [&](Blocks& b, Coefficients&) { b[1].c.columns[0] = column; });
  };
  const R1csBlock& block = good.blocks[1];
  expect_no_variable({ColumnKind::bit, true, block.first_aux + block.num_aux});
  expect_no_variable({ColumnKind::bit, true, block.first_aux - 1});
  expect_no_variable({ColumnKind::bit, false, block.first_aux});
  expect_no_variable({ColumnKind::full, true, block.first_full + block.num_full});
  expect_no_variable({ColumnKind::full, false, block.first_full});
  expect_no_variable({ColumnKind::input, true, block.first_input + block.num_inputs});
  expect_no_variable({ColumnKind::input, false, block.first_input});
  expect_no_variable({ColumnKind::parameter, false, block.num_parameters});
  expect_no_variable({ColumnKind::parameter, true, 0});
}

}  // namespace
}  // namespace cuzk
