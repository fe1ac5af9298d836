#include "reference/srs_buffer.h"

#include "curve/encoding.h"

namespace cuzk::reference {
namespace {

template <typename Affine>
Status append_encoded(std::span<const Affine> points, std::vector<std::uint8_t>& bytes) {
  for (const Affine& point : points) {
    const auto encoded = encode_uncompressed(point);
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  return Status::ok();
}

}  // namespace

Status SrsBuffer::begin(const VerifyingKey& vk, const SrsCounts& counts) {
  *this = SrsBuffer();
  vk_ = vk;
  counts_ = counts;
  return Status::ok();
}

Status SrsBuffer::append(Query query, std::span<const G1Affine> points) {
  return append_encoded(points, bytes(query));
}

Status SrsBuffer::append(std::span<const G2Affine> b_g2_points) {
  return append_encoded(b_g2_points, bytes(Query::b_g2));
}

Status SrsBuffer::finish() {
  finished_ = view().counts() == counts_;
  return finished_ ? Status::ok()
                   : internal_error("the setup sent other numbers of points than it announced");
}

SrsView SrsBuffer::view() const {
  SrsView view;
  view.vk = vk_;
  for (const Query query : kQueries)
    view.queries[static_cast<std::size_t>(query)] = queries_[static_cast<std::size_t>(query)];
  return view;
}

}  // namespace cuzk::reference
