#include "srs/parameter_writer.h"

#include <algorithm>
#include <string>

#include "base/bytes.h"
#include "base/thread_pool.h"
#include "curve/encoding.h"

namespace cuzk {
namespace {

constexpr std::size_t kPointsPerTask = 1 << 10;

template <typename Affine>
void encode_all(std::span<const Affine> points, std::vector<std::uint8_t>& bytes) {
  constexpr std::size_t kSize = kUncompressedBytes<Affine>;
  bytes.resize(points.size() * kSize);
  parallel_for(points.size(), kPointsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      std::ranges::copy(encode_uncompressed(points[i]), bytes.data() + i * kSize);
  });
}

}  // namespace

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

template <typename Affine>
Status ParameterWriter::write_points(Query query, std::span<const Affine> points) {
  CUZK_TRY(advance_to(static_cast<std::size_t>(query)));
  if (points.size() > points_left_)
    return internal_error(std::string("parameter writer: too many points of query ") + query_name(query));
  points_left_ -= points.size();
  encode_all(points, buffer_);
  return file_.write(buffer_);
}

Status ParameterWriter::append(Query query, std::span<const G1Affine> points) {
  if (query == Query::b_g2) return internal_error("parameter writer: b_g2 has points of G2");
  return write_points(query, points);
}

Status ParameterWriter::append(std::span<const G2Affine> b_g2_points) {
  return write_points(Query::b_g2, b_g2_points);
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
