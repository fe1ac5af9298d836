// The writers against the files of the network's prover, byte for byte.
#include "gen/bincode_writer.h"

#include "gen/gen_test_support.h"
#include "vanilla/post_proof_reader.h"
#include "vanilla/update_proof_reader.h"

namespace cuzk {
namespace {

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(BincodeWriter, GivesBackThePostProofsOfTheReference) {
  struct Sample {
    const char* file;
    const char* size;
    PostKind kind;
  };
  for (const auto& [file, size, kind] : {Sample{"window-2KiB-1.vproof", "2KiB", PostKind::window},
                                         Sample{"window-16KiB-2.vproof", "16KiB", PostKind::window},
                                         Sample{"window-32KiB-1.vproof", "32KiB", PostKind::window},
                                         Sample{"winning-8MiB-1.vproof", "8MiB", PostKind::winning}}) {
    const std::string text = read_test_data(file);
    const auto proof = parse_post_proof(bytes_of(text), shape_named(size), kind);
    ASSERT_TRUE(proof.is_ok()) << file << ": " << proof.status().to_string();
    EXPECT_TRUE(text_of(post_proof_bincode(proof.value(), shape_named(size).tree)) == text) << file;
  }
}

TEST(BincodeWriter, GivesBackTheUpdateProofsOfTheReference) {
  struct Sample {
    const char* file;
    const char* size;
  };
  for (const auto& [file, size] :
       {Sample{"update-2KiB-0.pproof", "2KiB"}, Sample{"update-4KiB-0.pproof", "4KiB"},
        Sample{"update-32KiB-1.pproof", "32KiB"}, Sample{"update-8MiB-3.pproof", "8MiB"}}) {
    const std::string text = read_test_data(file);
    const UpdateShape shape = UpdateShape::of(shape_named(size));
    const auto proof = parse_update_proof(bytes_of(text), shape);
    ASSERT_TRUE(proof.is_ok()) << file << ": " << proof.status().to_string();
    EXPECT_TRUE(text_of(update_proof_bincode(proof.value(), shape)) == text) << file;
  }
}

}  // namespace
}  // namespace cuzk
