#include "srs/parameter_writer.h"

#include <array>
#include <string>

#include "base/bytes.h"

namespace cuzk {
Result<ParameterWriter> ParameterWriter::create(const std::filesystem::path& path) {
  CUZK_ASSIGN(AtomicFile file, AtomicFile::create(path));
  return ParameterWriter(std::move(file));
}

Status ParameterWriter::begin(const VerifyingKey& vk, const SrsCounts& counts) {
  if (vk.ic.size() != counts.ic) return internal_error("parameter writer: ic is not as long as announced");
  counts_ = counts;
  CUZK_TRY(file_.reserve(counts.file_bytes()));
  return file_.write(vk.encode());
}

Status ParameterWriter::advance_to(std::size_t index) {
  if (index + 1 < next_query_) return internal_error("parameter writer: a query after a later one");
  while (next_query_ <= index) {
    if (points_left_ != 0) {
      return internal_error("parameter writer: " + std::to_string(points_left_) + " points of query " +
                            query_name(kQueries[next_query_ - 1]) + " are missing");
    }
    if (next_query_ == kQueries.size()) return Status::ok();
    points_left_ = counts_[kQueries[next_query_++]];
    std::array<std::uint8_t, 4> count;
    store_be(count.data(), static_cast<std::uint32_t>(points_left_));
    CUZK_TRY(file_.write(count));
  }
  return Status::ok();
}

Status ParameterWriter::append(Query query, std::span<const std::uint8_t> encoded) {
  CUZK_TRY(advance_to(static_cast<std::size_t>(query)));
  const std::size_t points = encoded.size() / query_point_bytes(query);
  if (encoded.size() % query_point_bytes(query) != 0)
    return internal_error(std::string("parameter writer: part of a point of query ") + query_name(query));
  if (points > points_left_)
    return internal_error(std::string("parameter writer: too many points of query ") + query_name(query));
  points_left_ -= points;
  return file_.write(encoded);
}

Status ParameterWriter::finish() {
  CUZK_TRY(advance_to(kQueries.size()));
  return file_.commit();
}

Status write_verifying_key(const std::filesystem::path& path, const VerifyingKey& vk) {
  CUZK_ASSIGN(AtomicFile file, AtomicFile::create(path));
  CUZK_TRY(file.write(vk.encode()));
  return file.commit();
}

}  // namespace cuzk
