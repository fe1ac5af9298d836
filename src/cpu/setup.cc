#include "cpu/setup.h"

#include <functional>
#include <vector>

#include "base/thread_pool.h"
#include "curve/encoding.h"
#include "groth16/setup_chunks.h"
#include "groth16/setup_scalars.h"
#include "msm/fixed_base.h"

namespace cuzk {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{12} << 20;  // 2^17 points of G1, 2^16 of G2

// The tables of the generators, made once per process: 20 MiB and a fraction of a second.
const FixedBaseG1& generator_g1() {
  static const FixedBaseG1 table(G1Affine::generator());
  return table;
}
const FixedBaseG2& generator_g2() {
  static const FixedBaseG2 table(G2Affine::generator());
  return table;
}

// Turns scalars into points, chunk by chunk, and hands them to the sink: while one thread writes a chunk, the others make the
// next.
class PointStream {
 public:
  PointStream(const SetupScalars& scalars, SrsSink& sink, ProgressObserver* progress)
      : scalars_(scalars), sink_(sink), progress_(progress) {}

  Status send() {
    const std::vector<SetupChunk> chunks = setup_chunks(scalars_.counts(), kChunkBytes);
    for (std::size_t i = 0; i <= chunks.size(); ++i) {
      Status written;
      const std::function<void()> tasks[] = {
          [&] { written = i == 0 ? Status::ok() : sink_.append(chunks[i - 1].query, made_); },
          [&] {
            if (i < chunks.size()) make(chunks[i]);
          },
      };
      run_tasks(tasks);
      CUZK_TRY(written);
      if (i != 0 && progress_ != nullptr) report(chunks[i - 1]);
      made_.swap(next_);
    }
    return Status::ok();
  }

 private:
  void make(const SetupChunk& chunk) {
    chunk_.resize(chunk.count);
    scalars_.fill(chunk.query, chunk.begin, chunk_);
    if (chunk.query == Query::b_g2) {
      multiply(generator_g2(), g2_points_);
    } else {
      multiply(generator_g1(), g1_points_);
    }
  }
  template <typename F>
  void multiply(const FixedBase<F>& generator, std::vector<AffinePoint<F>>& points) {
    points.resize(chunk_.size());
    generator.mul(chunk_, points);
    next_.resize(points.size() * kUncompressedBytes<AffinePoint<F>>);
    encode_uncompressed(points, next_);
  }
  void report(const SetupChunk& chunk) {
    progress_->progress(query_name(chunk.query), chunk.begin + chunk.count, scalars_.counts()[chunk.query]);
  }

  const SetupScalars& scalars_;
  SrsSink& sink_;
  ProgressObserver* progress_;
  std::vector<Fr> chunk_;
  std::vector<G1Affine> g1_points_;
  std::vector<G2Affine> g2_points_;
  std::vector<std::uint8_t> made_;  // encoded, on the way to the sink
  std::vector<std::uint8_t> next_;
};

}  // namespace

Status setup(const R1cs& r1cs, const ToxicWaste& toxic, SrsSink& sink, ProgressObserver* progress) {
  CUZK_ASSIGN(const SetupScalars scalars, SetupScalars::compute(r1cs, toxic, progress));
  CUZK_TRY(sink.begin(scalars.verifying_key(), scalars.counts()));
  CUZK_TRY(PointStream(scalars, sink, progress).send());
  return sink.finish();
}

}  // namespace cuzk
