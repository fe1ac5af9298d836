// The circuit of a sector update (EmptySectorUpdate), one partition: challenges drawn from comm_r_new inside the circuit, and
// for each the old node, the new data and the new node, tied to their commitments and to each other by the encoding
// new = old + data * rho. Source: docs/formats/circuits.md; rust-fil-proofs 19.1, storage-proofs-update/src/circuit.rs.
//
// The order of allocations and constraints is that of the reference, so it must not be changed. Inputs: partition and h
// select, comm_r_old, comm_d_new, comm_r_new (vanilla/update_shape.h).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "circuit/merkle_paths.h"
#include "hash/poseidon.h"
#include "vanilla/update_proof.h"
#include "vanilla/update_shape.h"

namespace cuzk {

// What one partition's circuit is filled with. The proof must have the shape's challenges, levels and apex leaves.
struct UpdatePartition {
  unsigned partition;
  Fr comm_r_old;
  Fr comm_d_new;
  Fr comm_r_new;
  const UpdatePartitionProof* proof;
};

namespace update_detail {

template <ConstraintSystem CS>
AllocatedNum gen_randomness(CS& cs, const AllocatedNum& left, const AllocatedNum& right) {
  const std::array<AllocatedNum, 2> preimage = {left, right};
  return poseidon<CS>(cs, preimage, Fr::from_u64(kPoseidonGenRandomnessTag));
}

template <ConstraintSystem CS>
AllocatedNum hash_commitments(CS& cs, const AllocatedNum& comm_c, const AllocatedNum& root) {
  const std::array<AllocatedNum, 2> preimage = {comm_c, root};
  return poseidon<CS>(cs, preimage);
}

// `count` new bits of x, lowest first, with (sum 2^i bit_i) * 1 = x.
template <ConstraintSystem CS>
std::vector<AllocatedBit> unpack(CS& cs, const AllocatedNum& x, std::size_t count) {
  const FrRepr repr = x.value().to_repr();
  std::vector<AllocatedBit> bits;
  bits.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    bits.push_back(AllocatedBit::alloc(cs, ((repr[i / 64] >> (i % 64)) & 1) != 0));
  }
  cs.enforce(
      [&](LinearCombination& lc) {
        Fr coefficient = Fr::one();
        for (const AllocatedBit& bit : bits) {
          lc.add(bit.variable(), coefficient);
          coefficient = coefficient.doubled();
        }
      },
      one_term(), term(x.variable()));
  return bits;
}

template <ConstraintSystem CS>
AllocatedNum pack_allocated(CS& cs, std::span<const AllocatedBit> bits) {
  const std::vector<Boolean> booleans(bits.begin(), bits.end());
  return pack_bits<CS>(cs, booleans);
}

// The siblings of all levels of a path, allocated level by level.
class AllocatedPath {
 public:
  template <ConstraintSystem CS>
  AllocatedPath(CS& cs, const MerkleProof& proof, std::size_t num_levels) {
    for (std::size_t level = 0; level < num_levels; ++level) {
      sizes_.push_back(proof.siblings_of(level).size());
      for (const Fr& sibling : proof.siblings_of(level))
        siblings_.push_back(AllocatedNum::alloc(cs, sibling));
    }
  }
  std::vector<std::span<const AllocatedNum>> levels() const {
    std::vector<std::span<const AllocatedNum>> levels;
    std::span<const AllocatedNum> left = siblings_;
    for (const std::size_t size : sizes_) {
      levels.push_back(left.first(size));
      left = left.subspan(size);
    }
    return levels;
  }

 private:
  std::vector<AllocatedNum> siblings_;
  std::vector<std::size_t> sizes_;
};

template <ConstraintSystem CS>
class UpdateCircuit {
 public:
  UpdateCircuit(CS& cs, const UpdateShape& shape, const UpdatePartition& partition)
      : cs_(cs), shape_(shape), public_(partition), proof_(*partition.proof) {}

  void synthesize() {
    allocate_inputs();
    allocate_private();
    check_commitments();
    if (sha256()) synthesize_apex_tree();
    if (!sha256()) partition_ = AllocatedNum::alloc(cs_, Fr());
    draw_challenge_bits();
    cs_.repeat(
        shape_.challenges, [&](std::size_t i) { return challenge_variables(i); },
        [&](CS& part, std::size_t i) {
          const Scope scope(part, "challenge", static_cast<int>(i));
          synthesize_challenge(part, i);
        });
  }

 private:
  bool sha256() const noexcept { return shape_.variant == UpdateVariant::sha256; }

  void allocate_inputs() {
    const Fr selector = Fr::from_u64(shape_.partition_and_h_select(public_.partition));
    const AllocatedNum k_and_h = AllocatedNum::alloc(cs_, selector);
    inputize(cs_, k_and_h);
    const std::size_t num_partition_bits = shape_.log2_partitions;
    const std::vector<AllocatedBit> bits = unpack(cs_, k_and_h, num_partition_bits + shape_.allowed_h.size());
    const auto h_begin = bits.begin() + static_cast<std::ptrdiff_t>(num_partition_bits);
    partition_bits_.assign(bits.begin(), h_begin);
    h_select_bits_.assign(h_begin, bits.end());
    if (sha256()) partition_ = pack_allocated<CS>(cs_, partition_bits_);
    const auto commitment = [&](const Fr& value) {
      const AllocatedNum num = AllocatedNum::alloc(cs_, value);
      inputize(cs_, num);
      return num;
    };
    comm_r_old_ = commitment(public_.comm_r_old);
    comm_d_new_ = commitment(public_.comm_d_new);
    comm_r_new_ = commitment(public_.comm_r_new);
  }

  void allocate_private() {
    {
      const Scope scope(cs_, "phi");
      phi_ = gen_randomness(cs_, comm_d_new_, comm_r_old_);
    }
    const Scope scope(cs_, "private");
    comm_c_ = AllocatedNum::alloc(cs_, proof_.comm_c);
    root_r_old_ = AllocatedNum::alloc(cs_, proof_.root_r_old());
    root_r_new_ = AllocatedNum::alloc(cs_, proof_.root_r_new());
    if (!sha256()) return;
    for (const Fr& leaf : proof_.apex_leaves) apex_leaves_.push_back(AllocatedNum::alloc(cs_, leaf));
    // The path of the partition's apex root is the end of every challenge's path.
    const MerkleProof& path = proof_.challenges.front().proof_d_new;
    for (std::size_t i = path.levels.size() - shape_.log2_partitions; i < path.levels.size(); ++i) {
      partition_path_.push_back(AllocatedNum::alloc(cs_, path.siblings_of(i).front()));
    }
  }

  void check_commitments() {
    const Scope scope(cs_, "commitments");
    enforce_equal(cs_, hash_commitments(cs_, comm_c_, root_r_old_), comm_r_old_);
    enforce_equal(cs_, hash_commitments(cs_, comm_c_, root_r_new_), comm_r_new_);
  }

  void synthesize_apex_tree() {
    const Scope scope(cs_, "apex");
    std::vector<AllocatedNum> row = apex_leaves_;
    while (row.size() > 1) {
      for (std::size_t i = 0; i < row.size() / 2; ++i) row[i] = sha256_node(cs_, row[2 * i], row[2 * i + 1]);
      row.resize(row.size() / 2);
    }
    std::vector<std::span<const AllocatedNum>> levels;
    for (const AllocatedNum& sibling : partition_path_) levels.push_back(std::span(&sibling, 1));
    merkle_inclusion_no_challenge<CS>(cs_, NodeHash::sha256, partition_bits_, row.front(), levels,
                                      comm_d_new_);
  }

  // All digests of this partition, cut into groups of random_bits(): one group a challenge.
  void draw_challenge_bits() {
    const Scope scope(cs_, "gen_challenge_bits");
    const unsigned digests = shape_.digests();
    for (unsigned j = 0; j < digests; ++j) {
      const Fr index = Fr::from_u64(std::uint64_t{digests} * public_.partition + j);
      const AllocatedNum digest_index = AllocatedNum::alloc(cs_, index);
      cs_.enforce(
          [&](LinearCombination& lc) {
            lc.add(partition_.variable(), Fr::from_u64(digests));
            lc.add(kOneVariable, Fr::from_u64(j));
          },
          one_term(), term(digest_index.variable()));
      const AllocatedNum digest = gen_randomness(cs_, comm_r_new_, digest_index);
      const std::vector<AllocatedBit> bits = unpack(cs_, digest, kFrNumBits);
      const std::size_t used = std::size_t{shape_.challenges_per_digest()} * shape_.random_bits();
      drawn_bits_.insert(drawn_bits_.end(), bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(used));
    }
  }

  std::span<const AllocatedBit> random_bits(std::size_t challenge) const {
    return std::span(drawn_bits_).subspan(challenge * shape_.random_bits(), shape_.random_bits());
  }

  // The earlier variables that are each challenge's own: its random bits.
  std::vector<Variable> challenge_variables(std::size_t challenge) const {
    std::vector<Variable> variables;
    for (const AllocatedBit& bit : random_bits(challenge)) variables.push_back(bit.variable());
    return variables;
  }

  // Only reads what the challenges share: it may run for several at the same time.
  void synthesize_challenge(CS& cs, std::size_t i) const {
    const UpdateChallengeProof& proof = proof_.challenges[i];
    const std::span<const AllocatedBit> random = random_bits(i);
    std::vector<AllocatedBit> bits(random.begin(), random.end());
    bits.insert(bits.end(), partition_bits_.begin(), partition_bits_.end());

    const AllocatedNum high = select_high_bits(cs, bits);
    const AllocatedNum rho = gen_randomness(cs, phi_, high);
    const AllocatedNum leaf_r_old = AllocatedNum::alloc(cs, proof.proof_r_old.leaf);
    const AllocatedNum leaf_d_new = AllocatedNum::alloc(cs, proof.proof_d_new.leaf);
    const AllocatedNum leaf_r_new = add(cs, leaf_r_old, mul(cs, leaf_d_new, rho));
    include(cs, proof.proof_r_old, NodeHash::poseidon, bits, leaf_r_old, root_r_old_);
    include(cs, proof.proof_r_new, NodeHash::poseidon, bits, leaf_r_new, root_r_new_);
    if (!sha256()) return include(cs, proof.proof_d_new, NodeHash::poseidon, bits, leaf_d_new, comm_d_new_);

    const std::size_t below_apex = shape_.random_bits() - shape_.log2_apex_leaves;
    const std::span<const AllocatedBit> drawn =
        std::span<const AllocatedBit>(bits).first(shape_.random_bits());
    const AllocatedNum apex_leaf = select<CS>(cs, apex_leaves_, drawn.subspan(below_apex));
    const AllocatedPath path(cs, proof.proof_d_new, below_apex);
    merkle_inclusion_no_challenge<CS>(cs, NodeHash::sha256, drawn.first(below_apex), leaf_d_new,
                                      path.levels(), apex_leaf);
  }

  // The highest h bits of the challenge as a number, where exactly one of the six h is selected.
  AllocatedNum select_high_bits(CS& cs, std::span<const AllocatedBit> bits) const {
    std::vector<AllocatedNum> terms;
    Fr sum;
    for (std::size_t t = 0; t < shape_.allowed_h.size(); ++t) {
      const AllocatedNum high = pack_allocated<CS>(cs, bits.last(shape_.allowed_h[t]));
      const AllocatedBit& selected = h_select_bits_[t];
      const AllocatedNum z = AllocatedNum::alloc(cs, selected.value() ? high.value() : Fr());
      cs.enforce(term(high.variable()), term(selected.variable()), term(z.variable()));
      sum += z.value();
      terms.push_back(z);
    }
    const AllocatedNum result = AllocatedNum::alloc(cs, sum);
    cs.enforce(
        [&](LinearCombination& lc) {
          for (const AllocatedNum& z : terms) lc.add(z.variable());
        },
        one_term(), term(result.variable()));
    return result;
  }

  void include(CS& cs, const MerkleProof& proof, NodeHash hash, std::span<const AllocatedBit> bits,
               const AllocatedNum& leaf, const AllocatedNum& root) const {
    const AllocatedPath path(cs, proof, proof.levels.size());
    merkle_inclusion_no_challenge<CS>(cs, hash, bits, leaf, path.levels(), root);
  }

  CS& cs_;
  const UpdateShape& shape_;
  const UpdatePartition& public_;
  const UpdatePartitionProof& proof_;
  std::vector<AllocatedBit> partition_bits_, h_select_bits_, drawn_bits_;
  std::vector<AllocatedNum> apex_leaves_, partition_path_;
  AllocatedNum partition_, comm_r_old_, comm_d_new_, comm_r_new_, phi_, comm_c_, root_r_old_, root_r_new_;
};

}  // namespace update_detail

template <ConstraintSystem CS>
void synthesize_update(CS& cs, const UpdateShape& shape, const UpdatePartition& partition) {
  update_detail::UpdateCircuit<CS>(cs, shape, partition).synthesize();
}

}  // namespace cuzk
