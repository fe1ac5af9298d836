#include "msm/list_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace cuzk {
namespace {

// A batch wants many chains of nearly one length. Lists of random digits stay within eight standard deviations of their
// mean and are left whole; a list far above the others, or few long ones, are cut.
std::uint32_t longest_chain(std::span<const std::uint32_t> offsets) {
  constexpr double kShortest = 32, kFewLists = 256, kEnoughChains = 512;
  double num_used = 0;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) num_used += offsets[i + 1] > offsets[i] ? 1 : 0;
  const double total = offsets.back() - offsets.front();
  const double mean = total / std::max(num_used, 1.0);
  double longest = mean + 8 * std::sqrt(mean);
  if (num_used < kFewLists) longest = std::min(longest, total / kEnoughChains);
  return static_cast<std::uint32_t>(std::clamp(longest, kShortest, double{kMaxChainLength}));
}

}  // namespace

template <typename F>
void ListSummer<F>::add_pieces(std::uint32_t start, std::uint32_t length, std::uint32_t list,
                               std::uint32_t longest) {
  const std::uint32_t num_pieces = (length + longest - 1) / longest;
  const std::uint32_t first = num_pieces > 1 ? (length + num_pieces - 1) / num_pieces : length;
  chains_.push_back({start, first, list});
  for (std::uint32_t done = first; done < length;) {
    const std::uint32_t piece = std::min(first, length - done);
    pieces_.push_back({start + done, piece, static_cast<std::uint32_t>(pieces_.size())});
    piece_lists_.push_back(list);
    done += piece;
  }
}

template <typename F>
void ListSummer<F>::sum_sorted(const PointKernels<F>& kernels, const KernelPoint<F>* points,
                               const PointRef* refs, std::vector<Chain>& chains, KernelPoint<F>* out) {
  // A counting sort by length, descending.
  std::array<std::uint32_t, kMaxChainLength + 2> position{};
  for (const Chain& chain : chains) ++position[kMaxChainLength - chain.length + 1];
  std::partial_sum(position.begin(), position.end(), position.begin());
  starts_.resize(chains.size());
  lengths_.resize(chains.size());
  slots_.resize(chains.size());
  for (const Chain& chain : chains) {
    const std::uint32_t to = position[kMaxChainLength - chain.length]++;
    starts_[to] = chain.start;
    lengths_[to] = chain.length;
    slots_[to] = chain.slot;
  }
  for (std::size_t begin = 0; begin < chains.size(); begin += kChainsPerBatch<F>) {
    const std::size_t count = std::min(kChainsPerBatch<F>, chains.size() - begin);
    scratch_.reserve(kernels.scratch_bytes(count));
    kernels.sum_chains({.points = points,
                        .refs = refs,
                        .start = starts_.data() + begin,
                        .length = lengths_.data() + begin,
                        .count = count,
                        .stride = 1,
                        .out = out,
                        .slot = slots_.data() + begin},
                       scratch_.data());
  }
}

// Adds the sums of further pieces to those of the first; pieces of one list stand together.
template <typename F>
void ListSummer<F>::merge_pieces(const PointKernels<F>& kernels, KernelPoint<F>* out) {
  for (std::size_t i = 0; i < pieces_.size();) {
    const std::uint32_t list = piece_lists_[i];
    AffinePoint<F> point;
    kernels.to_affine(&out[list], 1, &point);
    XyzzPoint<F> sum(point);
    for (; i < pieces_.size() && piece_lists_[i] == list; ++i) {
      kernels.to_affine(&piece_sums_[i], 1, &point);
      sum.add(point);
    }
    point = sum.to_affine();
    kernels.from_affine(&point, 1, &out[list]);
  }
}

template <typename F>
void ListSummer<F>::sum(const PointKernels<F>& kernels, const KernelPoint<F>* points, const PointRef* refs,
                        std::span<const std::uint32_t> offsets, KernelPoint<F>* out) {
  chains_.clear();
  pieces_.clear();
  piece_lists_.clear();
  const std::uint32_t longest = longest_chain(offsets);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    add_pieces(offsets[i], offsets[i + 1] - offsets[i], static_cast<std::uint32_t>(i), longest);
  }
  sum_sorted(kernels, points, refs, chains_, out);
  if (pieces_.empty()) return;
  piece_sums_.resize(pieces_.size());
  sum_sorted(kernels, points, refs, pieces_, piece_sums_.data());
  merge_pieces(kernels, out);
}

template <typename F>
void ListSummer<F>::sum_strided(const PointKernels<F>& kernels, const KernelPoint<F>* points,
                                std::span<const PointRef> refs, std::size_t num_chains, KernelPoint<F>* out) {
  starts_.resize(num_chains);
  lengths_.resize(num_chains);
  slots_.resize(num_chains);
  for (std::size_t c = 0; c < num_chains; ++c) {
    starts_[c] = slots_[c] = static_cast<std::uint32_t>(c);
    lengths_[c] = static_cast<std::uint32_t>((refs.size() - c + num_chains - 1) / num_chains);
  }
  scratch_.reserve(kernels.scratch_bytes(num_chains));
  kernels.sum_chains({.points = points,
                      .refs = refs.data(),
                      .start = starts_.data(),
                      .length = lengths_.data(),
                      .count = num_chains,
                      .stride = num_chains,
                      .out = out,
                      .slot = slots_.data()},
                     scratch_.data());
}

template <typename F>
XyzzPoint<F> ListSummer<F>::total(const PointKernels<F>& kernels, const KernelPoint<F>* points,
                                  std::span<const PointRef> refs) {
  // Chains of at least eight points, so that the sums of chains are few against the points.
  constexpr std::size_t kShortestChain = 8, kFewPoints = 256;
  constexpr std::size_t kPart = kChainsPerBatch<F> * kMaxChainLength;
  XyzzPoint<F> sum;
  for (std::size_t begin = 0; begin < refs.size(); begin += kPart) {
    const auto part = refs.subspan(begin, std::min(kPart, refs.size() - begin));
    const std::size_t num_chains =
        std::clamp<std::size_t>(part.size() / kShortestChain, 1, kChainsPerBatch<F>);
    std::vector<KernelPoint<F>> sums(num_chains);
    sum_strided(kernels, points, part, num_chains, sums.data());
    if (num_chains <= kFewPoints) {
      sum.add(sum_points<F>(kernels, sums));
      continue;
    }
    std::vector<PointRef> finite;
    for (std::size_t i = 0; i < num_chains; ++i) {
      if (!sums[i].is_infinity()) finite.push_back(static_cast<PointRef>(i));
    }
    sum.add(total(kernels, sums.data(), finite));
  }
  return sum;
}

template <typename F>
XyzzPoint<F> sum_points(const PointKernels<F>& kernels, std::span<const KernelPoint<F>> points) {
  XyzzPoint<F> sum;
  std::array<AffinePoint<F>, 64> affine;
  for (std::size_t i = 0; i < points.size(); i += affine.size()) {
    const std::size_t count = std::min(affine.size(), points.size() - i);
    kernels.to_affine(points.data() + i, count, affine.data());
    for (std::size_t k = 0; k < count; ++k) sum.add(affine[k]);
  }
  return sum;
}

template class ListSummer<Fp>;
template class ListSummer<Fp2>;
template G1Xyzz sum_points<Fp>(const PointKernels<Fp>&, std::span<const KernelPoint<Fp>>);
template G2Xyzz sum_points<Fp2>(const PointKernels<Fp2>&, std::span<const KernelPoint<Fp2>>);

}  // namespace cuzk
