#include "groth16/proof.h"

#include <algorithm>
#include <string>

#include "curve/encoding.h"

namespace cuzk {
namespace {

constexpr std::size_t kOffsetB = 48;
constexpr std::size_t kOffsetC = 144;

template <typename Affine>
Status decode_point(std::span<const std::uint8_t> bytes, std::size_t offset, const char* name, Affine& out) {
  constexpr std::size_t kSize = kCompressedBytes<Affine>;
  Result<Affine> point = decode_compressed_in_subgroup<Affine>(bytes.subspan(offset).first<kSize>());
  if (point.is_ok() && point.value().is_infinity()) point = invalid_argument("point at infinity");
  if (!point.is_ok()) return point.status().with_context(std::string("proof point ") + name);
  out = point.value();
  return Status::ok();
}

}  // namespace

std::array<std::uint8_t, Proof::kBytes> Proof::encode() const noexcept {
  std::array<std::uint8_t, kBytes> bytes;
  std::ranges::copy(encode_compressed(a), bytes.begin());
  std::ranges::copy(encode_compressed(b), bytes.begin() + kOffsetB);
  std::ranges::copy(encode_compressed(c), bytes.begin() + kOffsetC);
  return bytes;
}

Result<Proof> Proof::decode(std::span<const std::uint8_t> bytes) {
  if (bytes.size() != kBytes)
    return invalid_argument("proof of " + std::to_string(bytes.size()) + " bytes, 192 wanted");
  Proof proof;
  CUZK_TRY(decode_point(bytes, 0, "A", proof.a));
  CUZK_TRY(decode_point(bytes, kOffsetB, "B", proof.b));
  CUZK_TRY(decode_point(bytes, kOffsetC, "C", proof.c));
  return proof;
}

std::vector<std::uint8_t> encode_proofs(std::span<const Proof> proofs) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(proofs.size() * Proof::kBytes);
  for (const Proof& proof : proofs) {
    const auto encoded = proof.encode();
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  return bytes;
}

Result<std::vector<Proof>> decode_proofs(std::span<const std::uint8_t> bytes) {
  if (bytes.empty() || bytes.size() % Proof::kBytes != 0) {
    return invalid_argument("proofs of " + std::to_string(bytes.size()) +
                            " bytes, a positive multiple of 192 wanted");
  }
  std::vector<Proof> proofs;
  for (std::size_t offset = 0; offset < bytes.size(); offset += Proof::kBytes) {
    Result<Proof> proof = Proof::decode(bytes.subspan(offset, Proof::kBytes));
    if (!proof.is_ok()) return proof.status().with_context("proof " + std::to_string(offset / Proof::kBytes));
    proofs.push_back(proof.value());
  }
  return proofs;
}

}  // namespace cuzk
