#include "msm/pippenger.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "base/check.h"
#include "base/thread_pool.h"
#include "msm/bucket_reduce.h"
#include "msm/digits.h"
#include "msm/list_sum.h"
#include "msm/pool.h"

namespace cuzk {
namespace {

constexpr std::size_t kEntryBytesPerGroup = std::size_t{32} << 20;
constexpr std::size_t kSmallestBin = 256;
constexpr std::size_t kBinsPerThread = 3;
constexpr std::size_t kScalarGrain = 2048;
constexpr std::size_t kScalarsPerBlock = 512;

// A point on its way to a bucket: the bucket's number within its bin.
struct Entry {
  PointRef ref;
  std::uint32_t bucket;
};

// Windows first .. last - 1, processed together; their buckets form one row, cut into bins of 2^log_bin.
struct Group {
  unsigned first, last;
  std::size_t num_buckets, num_bins;
  unsigned log_bin;
};

template <typename F>
struct BinSpace {
  ListSummer<F> lists;
  std::vector<std::uint32_t> offsets, next;
  Buffer<PointRef> refs;
};

template <typename F>
class Pippenger {
 public:
  Pippenger(const Bases<F>& bases, std::span<const Fr> scalars, std::span<const std::uint32_t> indices)
      : bases_(bases),
        indices_(indices),
        windows_(choose_windows(scalars.size())),
        num_threads_(ThreadPool::global().num_threads()),
        recoded_(scalars.size()) {
    recode_all(scalars);
  }

  ProjectivePoint<F> run() {
    std::vector<ProjectivePoint<F>> sums;
    for (unsigned first = 0; first < windows_.count;) {
      const Group group = make_group(first);
      partition(group);
      sum_buckets(group);
      reduce(group, sums);
      first = group.last;
    }
    ProjectivePoint<F> result;
    for (unsigned i = windows_.count; i-- > 0;) {
      if (!result.is_infinity()) {
        for (unsigned k = 0; k < windows_.width(i); ++k) result = result.doubled();
      }
      result += sums[i];
    }
    return result;
  }

 private:
  std::size_t base_index(std::size_t i) const { return indices_.empty() ? i : indices_[i]; }

  void recode_all(std::span<const Fr> scalars) {
    const FrRepr halves = half_windows(windows_);
    parallel_for(scalars.size(), kScalarGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const bool skip = bases_.is_infinity(base_index(i));
        recoded_[i] = recode(skip ? FrRepr{} : scalars[i].to_repr(), halves);
      }
    });
  }

  Group make_group(unsigned first) const {
    const std::size_t fitting = kEntryBytesPerGroup / (sizeof(Entry) * recoded_.size());
    const std::size_t last = std::min<std::size_t>(windows_.count, first + std::max<std::size_t>(1, fitting));
    Group group{
        .first = first, .last = static_cast<unsigned>(last), .num_buckets = 0, .num_bins = 0, .log_bin = 0};
    group.num_buckets = windows_.bucket_offset(group.last) - windows_.bucket_offset(first);
    std::size_t bin = kChainsPerBatch<F>;
    while (bin > kSmallestBin && group.num_buckets / bin < kBinsPerThread * num_threads_) bin /= 2;
    group.log_bin = static_cast<unsigned>(std::countr_zero(bin));
    group.num_bins = (group.num_buckets + bin - 1) / bin;
    return group;
  }

  // Calls use(scalar index, bucket, digit) for every digit of the group that is not 0, of scalars begin .. end - 1:
  // window by window, over so few scalars at a time that they stay in the first cache.
  template <typename Use>
  void for_each_digit(const Group& group, std::size_t begin, std::size_t end, Use use) const {
    for (std::size_t block = begin; block < end; block += kScalarsPerBlock) {
      const std::size_t block_end = std::min(end, block + kScalarsPerBlock);
      for (unsigned w = group.first; w < group.last; ++w) {
        const DigitReader digit(windows_, w);
        const std::size_t first_bucket = windows_.bucket_offset(w) - windows_.bucket_offset(group.first);
        for (std::size_t i = block; i < block_end; ++i) {
          const std::int32_t d = digit(recoded_[i]);
          if (d != 0) use(i, first_bucket + static_cast<std::size_t>(std::abs(d)) - 1, d);
        }
      }
    }
  }

  // Entries by bin, in bin_offsets_ and entries_. Each slice of the scalars counts, then writes where its counts say.
  void partition(const Group& group) {
    const std::size_t num_slices =
        std::min((recoded_.size() + kScalarGrain - 1) / kScalarGrain, 4 * num_threads_);
    const std::size_t slice = (recoded_.size() + num_slices - 1) / num_slices;
    const auto in_slice = [&](std::size_t s, auto use) {
      for_each_digit(group, s * slice, std::min(recoded_.size(), (s + 1) * slice), use);
    };
    std::vector<std::size_t> positions(num_slices * group.num_bins);
    parallel_for(num_slices, 1, [&](std::size_t s, std::size_t) {
      std::size_t* counts = positions.data() + s * group.num_bins;
      in_slice(s, [&, counts](std::size_t, std::size_t bucket, std::int32_t) {
        ++counts[bucket >> group.log_bin];
      });
    });
    place_bins(group, num_slices, positions);
    entries_.reserve(bin_offsets_.back());
    parallel_for(num_slices, 1, [&](std::size_t s, std::size_t) {
      std::size_t* next = positions.data() + s * group.num_bins;
      const std::size_t low_bits = (std::size_t{1} << group.log_bin) - 1;
      Entry* entries = entries_.data();
      in_slice(s, [&, next, entries, low_bits](std::size_t i, std::size_t bucket, std::int32_t d) {
        const PointRef sign = recoded_[i].is_negative() != (d < 0) ? kNegate : 0;
        entries[next[bucket >> group.log_bin]++] = {static_cast<PointRef>(base_index(i)) | sign,
                                                    static_cast<std::uint32_t>(bucket & low_bits)};
      });
    });
  }

  // Counts to positions: bins one after the other, and within a bin the slices.
  void place_bins(const Group& group, std::size_t num_slices, std::vector<std::size_t>& positions) {
    bin_offsets_.assign(1, 0);
    std::size_t total = 0;
    for (std::size_t bin = 0; bin < group.num_bins; ++bin) {
      for (std::size_t s = 0; s < num_slices; ++s) {
        std::size_t& position = positions[s * group.num_bins + bin];
        total += std::exchange(position, total);
      }
      bin_offsets_.push_back(total);
    }
  }

  void sum_buckets(const Group& group) {
    buckets_.reserve(group.num_buckets);
    parallel_for(group.num_bins, 1, [&](std::size_t bin, std::size_t) { sum_bin(group, bin); });
  }

  void sum_bin(const Group& group, std::size_t bin) {
    const typename Pool<BinSpace<F>>::Lease space(spaces_);
    const std::size_t first_bucket = bin << group.log_bin;
    const std::size_t num_buckets =
        std::min(group.num_buckets - first_bucket, std::size_t{1} << group.log_bin);
    const std::size_t num_entries = bin_offsets_[bin + 1] - bin_offsets_[bin];
    CUZK_CHECK(num_entries <= UINT32_MAX, "too many points in one bin");
    const std::span<const Entry> entries(entries_.data() + bin_offsets_[bin], num_entries);
    space->offsets.assign(num_buckets + 1, 0);
    for (const Entry& entry : entries) ++space->offsets[entry.bucket + 1];
    for (std::size_t b = 0; b < num_buckets; ++b) space->offsets[b + 1] += space->offsets[b];
    space->next = space->offsets;
    space->refs.reserve(num_entries);
    for (const Entry& entry : entries) space->refs[space->next[entry.bucket]++] = entry.ref;
    space->lists.sum(bases_.kernels(), bases_.points(), space->refs.data(), space->offsets,
                     buckets_.data() + first_bucket);
  }

  // Appends the sums of the group's windows.
  void reduce(const Group& group, std::vector<ProjectivePoint<F>>& sums) {
    const std::size_t num_windows = group.last - group.first;
    std::vector<ProjectivePoint<F>> terms(2 * num_windows);
    parallel_for(terms.size(), 1, [&](std::size_t task, std::size_t) {
      const typename Pool<BinSpace<F>>::Lease space(spaces_);
      const unsigned window = group.first + static_cast<unsigned>(task / 2);
      const std::size_t offset = windows_.bucket_offset(window) - windows_.bucket_offset(group.first);
      terms[task] = reduce_buckets(bases_.kernels(), buckets_.data() + offset, windows_.width(window) - 1,
                                   task % 2 == 0 ? MatrixSide::columns : MatrixSide::rows, space->lists);
    });
    for (std::size_t i = 0; i < num_windows; ++i) sums.push_back(terms[2 * i] + terms[2 * i + 1]);
  }

  const Bases<F>& bases_;
  std::span<const std::uint32_t> indices_;
  Windows windows_;
  std::size_t num_threads_;
  Buffer<RecodedScalar> recoded_;
  Buffer<Entry> entries_;
  std::vector<std::size_t> bin_offsets_;
  Buffer<KernelPoint<F>> buckets_;
  Pool<BinSpace<F>> spaces_;
};

}  // namespace

template <typename F>
ProjectivePoint<F> pippenger(const Bases<F>& bases, std::span<const Fr> scalars,
                             std::span<const std::uint32_t> indices) {
  if (scalars.empty()) return {};
  return Pippenger<F>(bases, scalars, indices).run();
}

template G1Projective pippenger<Fp>(const G1Bases&, std::span<const Fr>, std::span<const std::uint32_t>);
template G2Projective pippenger<Fp2>(const G2Bases&, std::span<const Fr>, std::span<const std::uint32_t>);

}  // namespace cuzk
