#include "hash/poseidon_constants.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

#include "base/check.h"
#include "hash/fr_matrix.h"
#include "hash/grain_lfsr.h"

namespace cuzk {
namespace {

constexpr unsigned kFullRounds = 8;

unsigned partial_rounds_of(unsigned width) {
  if (width <= 3) return 55;
  if (width <= 7) return 56;
  if (width <= 15) return 57;
  if (width <= 25) return 59;
  return 60;
}

// M[i][j] = 1 / (i + t + j).
FrMatrix cauchy_mds(unsigned width) {
  FrMatrix mds(width);
  for (unsigned i = 0; i < width; ++i) {
    for (unsigned j = 0; j < width; ++j) mds.at(i, j) = Fr::from_u64(i + width + j).inverse();
  }
  return mds;
}

// Moves every constant backwards through the mixing matrix, so that it is added right after an S-box, and
// those of the partial rounds into element 0 (section 5.1).
class RoundConstantCompressor {
 public:
  RoundConstantCompressor(const PoseidonConstants& constants, const FrMatrix& mds)
      : constants_(constants), mds_inverse_(mds.inverse()) {}

  std::vector<Fr> compress() && {
    const unsigned half = constants_.full_rounds / 2;
    append(round(0));
    for (unsigned i = 1; i < half; ++i) append(mds_inverse_ * round(i));
    append_partial(half);
    for (unsigned i = 1; i < half; ++i) append(mds_inverse_ * round(half + constants_.partial_rounds + i));
    return std::move(out_);
  }

 private:
  std::span<const Fr> round(unsigned index) const {
    return std::span(constants_.round_constants)
        .subspan(std::size_t{index} * constants_.width, constants_.width);
  }
  void append(std::span<const Fr> values) { out_.insert(out_.end(), values.begin(), values.end()); }

  void append_partial(unsigned half) {
    std::vector<Fr> partial_keys;
    const auto last = round(half + constants_.partial_rounds);
    std::vector<Fr> accumulated(last.begin(), last.end());
    for (unsigned i = 0; i < constants_.partial_rounds; ++i) {
      std::vector<Fr> moved = mds_inverse_ * accumulated;
      partial_keys.push_back(moved[0]);
      moved[0] = Fr::zero();
      const auto previous = round(half + constants_.partial_rounds - 1 - i);
      for (unsigned j = 0; j < constants_.width; ++j) accumulated[j] = previous[j] + moved[j];
    }
    append(mds_inverse_ * accumulated);
    std::reverse(partial_keys.begin(), partial_keys.end());
    append(partial_keys);
  }

  const PoseidonConstants& constants_;
  FrMatrix mds_inverse_;
  std::vector<Fr> out_;
};

// Factors M = M' M'' with a sparse M'' once per partial round, from the last round to the first
// (section 5.2).
void factor_into_sparse(PoseidonConstants& constants, const FrMatrix& mds) {
  const unsigned width = constants.width;
  FrMatrix current = mds;
  for (unsigned round = 0; round < constants.partial_rounds; ++round) {
    const FrMatrix minor = current.minor();
    std::vector<Fr> w(width - 1);
    PoseidonSparseMatrix sparse{.w_hat = {current.at(0, 0)}, .v_rest = std::vector<Fr>(width - 1)};
    for (unsigned i = 1; i < width; ++i) {
      w[i - 1] = current.at(i, 0);
      sparse.v_rest[i - 1] = current.at(0, i);
    }
    const std::vector<Fr> w_hat = minor.inverse() * w;
    sparse.w_hat.insert(sparse.w_hat.end(), w_hat.begin(), w_hat.end());
    constants.sparse.push_back(std::move(sparse));

    FrMatrix extended = FrMatrix::identity(width);
    for (unsigned i = 1; i < width; ++i) {
      for (unsigned j = 1; j < width; ++j) extended.at(i, j) = minor.at(i - 1, j - 1);
    }
    current = mds * extended;
  }
  std::reverse(constants.sparse.begin(), constants.sparse.end());
  constants.pre_sparse = current.entries();
  constants.pre_sparse_transposed = current.transposed().entries();
}

std::unique_ptr<const PoseidonConstants> make_constants(unsigned arity) {
  auto constants = std::make_unique<PoseidonConstants>();
  constants->arity = arity;
  constants->width = arity + 1;
  constants->full_rounds = kFullRounds;
  constants->partial_rounds = partial_rounds_of(constants->width);
  constants->merkle_tag = Fr::from_u64((std::uint64_t{1} << arity) - 1);
  constants->round_constants =
      grain_round_constants(constants->width, constants->full_rounds, constants->partial_rounds);
  const FrMatrix mds = cauchy_mds(constants->width);
  constants->mds = mds.entries();
  constants->crc = RoundConstantCompressor(*constants, mds).compress();
  factor_into_sparse(*constants, mds);
  return constants;
}

struct Slot {
  std::once_flag once;
  std::unique_ptr<const PoseidonConstants> constants;
};

}  // namespace

bool poseidon_arity_supported(unsigned arity) noexcept {
  constexpr std::array<unsigned, 7> kArities = {2, 4, 8, 11, 16, 24, 36};
  return std::find(kArities.begin(), kArities.end(), arity) != kArities.end();
}

const PoseidonConstants& poseidon_constants(unsigned arity) {
  static std::array<Slot, kPoseidonMaxArity + 1> slots;
  CUZK_CHECK(poseidon_arity_supported(arity), "no Poseidon of this arity");
  Slot& slot = slots[arity];
  std::call_once(slot.once, [&] { slot.constants = make_constants(arity); });
  return *slot.constants;
}

}  // namespace cuzk
