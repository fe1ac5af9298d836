#include "cpu/setup.h"

#include <algorithm>
#include <vector>

#include "curve/encoding.h"
#include "groth16/setup_scalars.h"
#include "msm/fixed_base.h"

namespace cuzk {
namespace {

constexpr std::size_t kPointsPerChunk = 1 << 17;

// The tables of the generators, made once per process: 20 MiB and a fraction of a second.
const FixedBaseG1& generator_g1() {
  static const FixedBaseG1 table(G1Affine::generator());
  return table;
}
const FixedBaseG2& generator_g2() {
  static const FixedBaseG2 table(G2Affine::generator());
  return table;
}

// Turns scalars into points, chunk by chunk, and hands them to the sink.
class PointStream {
 public:
  PointStream(const SetupScalars& scalars, SrsSink& sink, ProgressObserver* progress)
      : scalars_(scalars), sink_(sink), progress_(progress) {}

  Status send(Query query) {
    const std::size_t count = scalars_.counts()[query];
    for (std::size_t begin = 0; begin < count; begin += kPointsPerChunk) {
      chunk_.resize(std::min(kPointsPerChunk, count - begin));
      scalars_.fill(query, begin, chunk_);
      if (query == Query::b_g2) {
        multiply(generator_g2(), g2_points_);
      } else {
        multiply(generator_g1(), g1_points_);
      }
      CUZK_TRY(sink_.append(query, encoded_));
      if (progress_ != nullptr) progress_->progress(query_name(query), begin + chunk_.size(), count);
    }
    return Status::ok();
  }

 private:
  template <typename F>
  void multiply(const FixedBase<F>& generator, std::vector<AffinePoint<F>>& points) {
    points.resize(chunk_.size());
    generator.mul(chunk_, points);
    encoded_.resize(points.size() * kUncompressedBytes<AffinePoint<F>>);
    encode_uncompressed(points, encoded_);
  }

  const SetupScalars& scalars_;
  SrsSink& sink_;
  ProgressObserver* progress_;
  std::vector<Fr> chunk_;
  std::vector<G1Affine> g1_points_;
  std::vector<G2Affine> g2_points_;
  std::vector<std::uint8_t> encoded_;
};

}  // namespace

Status setup(const R1cs& r1cs, const ToxicWaste& toxic, SrsSink& sink, ProgressObserver* progress) {
  CUZK_ASSIGN(const SetupScalars scalars, SetupScalars::compute(r1cs, toxic, progress));
  CUZK_TRY(sink.begin(scalars.verifying_key(), scalars.counts()));
  PointStream stream(scalars, sink, progress);
  for (const Query query : kQueries) CUZK_TRY(stream.send(query));
  return sink.finish();
}

}  // namespace cuzk
