// PieceHasher: a digest of a long file that many threads can check, the SHA-256 of the SHA-256 of each of its pieces.
#pragma once

#include <algorithm>
#include <cstdint>

#include "r1cs/sha256_stream.h"

namespace cuzk {

// The length of a piece; the last one may be shorter.
inline constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 20;

// The digest of bytes that come in order.
class PieceHasher {
 public:
  void update(const std::uint8_t* data, std::size_t size) {
    while (size != 0) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(size, kPieceBytes - in_piece_));
      piece_.update(data, part);
      in_piece_ += part;
      data += part;
      size -= part;
      if (in_piece_ == kPieceBytes) end_piece();
    }
  }
  Bytes32 finish() {
    if (in_piece_ != 0) end_piece();
    return pieces_.digest_so_far();
  }

 private:
  void end_piece() {
    const Bytes32 digest = piece_.digest_so_far();
    pieces_.update(digest.data(), digest.size());
    piece_ = Sha256Stream();
    in_piece_ = 0;
  }

  Sha256Stream piece_, pieces_;
  std::uint64_t in_piece_ = 0;
};

}  // namespace cuzk
