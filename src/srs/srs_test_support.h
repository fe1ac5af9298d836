// A folder for parameter files of a test, and small parameters to put there.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "curve/encoding.h"
#include "curve/projective.h"
#include "srs/parameter_file.h"
#include "srs/parameter_writer.h"

namespace cuzk {

inline std::vector<std::uint8_t> read_all(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

// A new file: ext4 writes one that was cut to nothing out to the disk when it is closed, which takes milliseconds.
inline void write_all(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// A folder of its own for each test.
class ParameterFiles : public testing::Test {
 protected:
  ParameterFiles() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cuzk-srs-XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    path_ = directory_ / "some.params";
  }
  ~ParameterFiles() override { std::filesystem::remove_all(directory_); }

  std::size_t files_in_directory() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(directory_), {}));
  }
  // Opening must fail as unavailable, with the path and all of `words` in the message.
  void expect_unavailable(const Status& status, std::initializer_list<std::string> words) const {
    EXPECT_EQ(status.code(), StatusCode::unavailable);
    EXPECT_NE(status.message().find(path_.string()), std::string::npos) << status.message();
    for (const std::string& word : words)
      EXPECT_NE(status.message().find(word), std::string::npos) << status.message() << " lacks " << word;
  }

  std::filesystem::path directory_;
  std::filesystem::path path_;
};

inline G1Affine g1(std::uint64_t k) {
  return G1Projective::generator().mul(Fr::from_u64(k)).to_affine();
}
inline G2Affine g2(std::uint64_t k) {
  return G2Projective::generator().mul(Fr::from_u64(k)).to_affine();
}

// Parameters with the lengths of the reference's toy circuit: one input beside ONE, two aux, one constraint.
struct Toy {
  VerifyingKey vk{g1(2), g1(3), g2(3), g2(4), g1(5), g2(5), {g1(6), g1(7)}};
  SrsCounts counts;
  Toy() {
    counts.ic = 2;
    counts[Query::h] = 3;
    counts[Query::l] = 2;
    counts[Query::a] = 3;
    counts[Query::b_g1] = counts[Query::b_g2] = 1;
  }
  std::vector<std::uint8_t> points(Query query) const {
    std::vector<std::uint8_t> out;
    for (std::size_t i = 0; i < counts[query]; ++i) {
      const std::uint64_t k = 100 * (static_cast<std::size_t>(query) + 1) + i;
      if (query == Query::b_g2) {
        std::ranges::copy(encode_uncompressed(g2(k)), std::back_inserter(out));
      } else {
        std::ranges::copy(encode_uncompressed(g1(k)), std::back_inserter(out));
      }
    }
    return out;
  }
  Status write(SrsSink& sink) const {
    CUZK_TRY(sink.begin(vk, counts));
    for (const Query query : kQueries) CUZK_TRY(sink.append(query, points(query)));
    return sink.finish();
  }
};

inline Status write_toy(const Toy& toy, const std::filesystem::path& path) {
  CUZK_ASSIGN(ParameterWriter writer, ParameterWriter::create(path));
  return toy.write(writer);
}

}  // namespace cuzk
