#include "reference/srs_buffer.h"

namespace cuzk::reference {

Status SrsBuffer::begin(const VerifyingKey& vk, const SrsCounts& counts) {
  *this = SrsBuffer();
  vk_ = vk;
  counts_ = counts;
  return Status::ok();
}

Status SrsBuffer::append(Query query, std::span<const std::uint8_t> encoded) {
  bytes(query).insert(bytes(query).end(), encoded.begin(), encoded.end());
  return Status::ok();
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
