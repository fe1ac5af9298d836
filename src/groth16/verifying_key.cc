#include "groth16/verifying_key.h"

#include <atomic>
#include <string>

#include "base/bytes.h"
#include "base/thread_pool.h"
#include "curve/encoding.h"

namespace cuzk {
namespace {

constexpr std::size_t kG1Bytes = kUncompressedBytes<G1Affine>;
constexpr std::size_t kIcPerTask = 64;

// Reads points one after the other; an error names the point and its offset.
class PointReader {
 public:
  explicit PointReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <typename Affine>
  Status read(const std::string& name, Affine& out) {
    constexpr std::size_t kSize = kUncompressedBytes<Affine>;
    CUZK_TRY(decode_at(bytes_, offset_, name, out));
    offset_ += kSize;
    return Status::ok();
  }

  template <typename Affine>
  static Status decode_at(std::span<const std::uint8_t> bytes, std::size_t offset, const std::string& name,
                          Affine& out) {
    constexpr std::size_t kSize = kUncompressedBytes<Affine>;
    Result<Affine> point =
        decode_uncompressed_in_subgroup<Affine>(bytes.subspan(offset).template first<kSize>());
    if (point.is_ok() && point.value().is_infinity()) point = invalid_argument("point at infinity");
    if (!point.is_ok()) return point.status().with_context(name + " at offset " + std::to_string(offset));
    out = point.value();
    return Status::ok();
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t offset_ = 0;
};

Status decode_ic(std::span<const std::uint8_t> bytes, std::vector<G1Affine>& ic) {
  const auto decode_one = [&](std::size_t i, G1Affine& out) {
    return PointReader::decode_at(bytes, VerifyingKey::kHeadBytes + i * kG1Bytes,
                                  "ic[" + std::to_string(i) + "]", out);
  };
  std::atomic<std::size_t> first_bad{ic.size()};
  parallel_for(ic.size(), kIcPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (decode_one(i, ic[i]).is_ok()) continue;
      std::size_t known = first_bad.load();
      while (i < known && !first_bad.compare_exchange_weak(known, i)) {
      }
      return;
    }
  });
  if (first_bad == ic.size()) return Status::ok();
  G1Affine ignored;
  return decode_one(first_bad, ignored);
}

}  // namespace

std::vector<std::uint8_t> VerifyingKey::encode() const {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(encoded_bytes());
  const auto append = [&](const auto& point) {
    const auto encoded = encode_uncompressed(point);
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  };
  append(alpha_g1);
  append(beta_g1);
  append(beta_g2);
  append(gamma_g2);
  append(delta_g1);
  append(delta_g2);
  bytes.resize(kHeadBytes);
  store_be(bytes.data() + kFixedBytes, static_cast<std::uint32_t>(ic.size()));
  for (const G1Affine& point : ic) append(point);
  return bytes;
}

std::size_t VerifyingKey::encoded_bytes(std::span<const std::uint8_t> head) noexcept {
  return kHeadBytes + kG1Bytes * std::size_t{load_be<std::uint32_t>(head.data() + kFixedBytes)};
}

Result<VerifyingKey> VerifyingKey::decode(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeadBytes) {
    return invalid_argument("verifying key: " + std::to_string(bytes.size()) + " bytes, at least " +
                            std::to_string(kHeadBytes) + " wanted");
  }
  if (bytes.size() != encoded_bytes(bytes)) {
    return invalid_argument("verifying key: " + std::to_string(bytes.size()) + " bytes, " +
                            std::to_string(encoded_bytes(bytes)) +
                            " wanted for the number of inputs it names");
  }
  if (bytes.size() == kHeadBytes) return invalid_argument("verifying key: no input, at least ONE wanted");
  VerifyingKey vk;
  PointReader reader(bytes);
  CUZK_TRY(reader.read("alpha_g1", vk.alpha_g1));
  CUZK_TRY(reader.read("beta_g1", vk.beta_g1));
  CUZK_TRY(reader.read("beta_g2", vk.beta_g2));
  CUZK_TRY(reader.read("gamma_g2", vk.gamma_g2));
  CUZK_TRY(reader.read("delta_g1", vk.delta_g1));
  CUZK_TRY(reader.read("delta_g2", vk.delta_g2));
  vk.ic.resize((bytes.size() - kHeadBytes) / kG1Bytes);
  CUZK_TRY(decode_ic(bytes, vk.ic));
  return vk;
}

}  // namespace cuzk
