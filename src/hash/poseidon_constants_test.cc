// The constants against the fingerprints that an independent program recomputed from neptune.
#include "hash/poseidon_constants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "hash/sha256.h"

namespace cuzk {
namespace {

std::string fingerprint(std::span<const Fr> values) {
  Sha256 hash;
  for (const Fr& value : values) hash.update(value.to_bytes_le());
  return to_hex(hash.digest());
}

std::string hex_be(const Fr& value) {
  auto bytes = value.to_bytes_le();
  std::reverse(bytes.begin(), bytes.end());
  return to_hex(bytes);
}

struct Fingerprints {
  unsigned arity;
  const char *rc, *crc, *pre_sparse, *sparse;
};
constexpr Fingerprints kFingerprints[] = {
    {2, "cf4dfb7448132022e22b32e3dce6b125cb06329448f9e8d8fe53a71c73cbe6d4",
     "b768b730ce5198394d948d76421ab53b08cc16ec1ac082cf503f370192253e16",
     "13d6e8e5ba45b0d2096617d055499f36adad1aab6853de143ed42b14eea9a0f6",
     "a2fe507a83bddb8d57e5a00e7e58e79800c272b0db7dd4141943f6e567e99138"},
    {4, "91e463d6553415b3901b9f26b2ad53e6298ac3e5ab0ef260d397bafe8bdde98e",
     "3e4ec19ded2c86a89f3d6bddc13d9571a0cc5473e7207cfbaf6a8169a69f5709",
     "aee67dfb1ae8c43eca89f5742a745c6309f2d302ab741b75d2641b7025d87413",
     "f1c3c3a9fe9ea4a3c38c91971e5f379da38123fe1dcf960b461d84c5ba759f2b"},
    {8, "9a4a743575f0eaf285c93d73f8adaf4e7ef4042c2445b42bddaf1a64e5face72",
     "f5a94aea73a583d080abdf7d71259fab9107f5523a4a1eddc41468f94564dd16",
     "dcfbdaea3eb7e347664c8f881c5443b1895f10c85cab0878022eb287defa8587",
     "3f823785875d8cc161c963d2a62d103a3fefab30eb4244cef877d8e624fb79f4"},
    {11, "479dc0d71d694cd50d853dec0c94aeb37df2a69929eaa23b545a52b1226aec06",
     "2d7c0e4e9b98eda82102b69f1a964ae59ccf98b0008b6d3d632d86f4fea79d1d",
     "f2a7353f0ce5ad724a7a58bf2db0e37f7c5662f064a6c97466021af83279a96e",
     "810a4d7f126f6e5fb3eb1980b57c70f90bb835219373d955726e30b3ca931556"},
};

TEST(PoseidonConstants, Fingerprints) {
  for (const Fingerprints& want : kFingerprints) {
    SCOPED_TRACE(want.arity);
    const PoseidonConstants& constants = poseidon_constants(want.arity);
    EXPECT_EQ(fingerprint(constants.round_constants), want.rc);
    EXPECT_EQ(fingerprint(constants.crc), want.crc);
    EXPECT_EQ(fingerprint(constants.pre_sparse), want.pre_sparse);
    std::vector<Fr> sparse;
    for (const PoseidonSparseMatrix& matrix : constants.sparse) {
      sparse.insert(sparse.end(), matrix.w_hat.begin(), matrix.w_hat.end());
      sparse.insert(sparse.end(), matrix.v_rest.begin(), matrix.v_rest.end());
    }
    EXPECT_EQ(fingerprint(sparse), want.sparse);
  }
}

struct Values {
  unsigned arity;
  const char *first_rc, *crc_t, *last_crc, *w_hat, *v_rest;
};
constexpr Values kValues[] = {
    {2, "669f064bfa3ae17a23bd51861dbb4a24501eac92a2758b36a7320a009d6ed3d8",
     "0bfc421d38531805382624c9d2d2d02b1f2f5590316c401b2f5f56ca2f12a0d1",
     "1c84e3e9450113a4b5489decd8dcc8b25f057797f37899354931a0eea88d7d5d",
     "59d39397f9b91a3745685546ac8e905f0374bec2c68a96278d2f73d4d6a692a2",
     "58967f7ecb83470ce5990816f118fc84a0713c868c352b00eb409bffd891fcd4"},
    {4, "45c919736a0e5f2ef32c4c7d0a338eb1fed3d9e317b7580921072285c7e215ca",
     "725ed083647390443e9c6d2deb5ad1984682815793b63dc1587b6496f954ec63",
     "107d3b9de9f95ada46df77005c3abfdbee812882bbb35c09d296572c2af30e2d",
     "18a18e9e2b73eb891838d0c518c14e4b715d8027951518cb29645d4b7b04b314",
     "4025681db3f3af1999e45d28f6b8dccb32de44b406770a750bfb94484d5c7896"},
    {8, "6ce90d12c4045fe08c3caddb776dd84ac52b4ae7e48cd49443984154f2f4c2f9",
     "3d60b7f170f1dc97472bc3a15c1fdf425fd4d52c7d629a9c8e2c0447b6f38bc6",
     "1ef936f03c337433c2e5f3570555397ed790517b32bebaa823ab1c9d7f374cb3",
     "39d9d3927b2b34ec506369b9a21e54c10a98949af37d495ceaf45bc33bfec77d",
     "50a53720d3629e00e1de3338e264d11c6da56b4cda00fcf7804903ca1e16d1ea"},
    {11, "1f6c9576e648b5047399bfc5f38902e0d506f18e0f3ab77de6de096bd089bce4",
     "70c6ae20bd1d18d3dbb95f5a9694b328e69dd419e6279ae116ac934a94aa7906",
     "09bb1cbe3152cbfb7eaccdd4be6a977e2b4985915f147b902f7c73bf6b0e4ca1",
     "1fa69f776fa73b654f02951a71458cbdceadfa6add02fa453178e0f407bc1ce2",
     "2d66ebdddf6943eea7268563112a36020c851b733bab88158cfb571104e49868"},
};

TEST(PoseidonConstants, SingleValues) {
  for (const Values& want : kValues) {
    SCOPED_TRACE(want.arity);
    const PoseidonConstants& constants = poseidon_constants(want.arity);
    EXPECT_EQ(hex_be(constants.round_constants.front()), want.first_rc);
    EXPECT_EQ(hex_be(constants.crc[constants.width]), want.crc_t);
    EXPECT_EQ(hex_be(constants.crc.back()), want.last_crc);
    EXPECT_EQ(hex_be(constants.sparse.front().w_hat[1]), want.w_hat);
    EXPECT_EQ(hex_be(constants.sparse.front().v_rest[0]), want.v_rest);
  }
}

TEST(PoseidonConstants, Shape) {
  const unsigned rounds[][2] = {{2, 55}, {4, 56}, {8, 57}, {11, 57}, {16, 59}, {24, 59}, {36, 60}};
  for (const auto& [arity, partial_rounds] : rounds) {
    SCOPED_TRACE(arity);
    const PoseidonConstants& constants = poseidon_constants(arity);
    const std::size_t width = arity + 1;
    EXPECT_EQ(constants.width, width);
    EXPECT_EQ(constants.full_rounds, 8u);
    EXPECT_EQ(constants.partial_rounds, partial_rounds);
    EXPECT_EQ(constants.merkle_tag, Fr::from_u64((std::uint64_t{1} << arity) - 1));
    EXPECT_EQ(constants.crc.size(), width * 8 + partial_rounds);
    EXPECT_EQ(constants.sparse.size(), partial_rounds);
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < width; ++j)
        EXPECT_EQ(constants.mds[i * width + j], constants.mds[j * width + i]);
    }
    EXPECT_EQ(&constants, &poseidon_constants(arity)) << "made once";
  }
}

TEST(PoseidonConstants, SupportedArities) {
  for (unsigned arity = 0; arity < 100; ++arity) {
    const bool wanted =
        arity == 2 || arity == 4 || arity == 8 || arity == 11 || arity == 16 || arity == 24 || arity == 36;
    EXPECT_EQ(poseidon_arity_supported(arity), wanted) << arity;
  }
}

}  // namespace
}  // namespace cuzk
