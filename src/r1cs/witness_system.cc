#include "r1cs/witness_system.h"

#include <algorithm>

namespace cuzk {
namespace {

constexpr std::size_t kFirstCapacity = 1024;

std::size_t grown(std::size_t capacity) noexcept {
  return std::max(kFirstCapacity, 2 * capacity);
}

// Clears the words of the map in which one writer's range ends and another's begins.
void clear_borders(const R1cs& r1cs, std::span<std::uint64_t> words) {
  if (!words.empty()) words.back() = 0;
  for (const R1csBlock& block : r1cs.blocks()) {
    for (std::size_t k = 0; k <= block.count; ++k) {
      const std::size_t bit = block.first_aux + k * block.num_aux;
      if (bit % 64 != 0) words[bit / 64] = 0;
    }
  }
}

}  // namespace

WitnessSystem::WitnessSystem() : may_grow_(true) {
  alloc_input(Fr::one());
}

WitnessSystem::WitnessSystem(const R1cs& r1cs, ThreadPool& pool) : r1cs_(&r1cs), pool_(&pool) {
  witness_.inputs.resize(r1cs.num_inputs());
  witness_.fulls.resize(r1cs.num_full());
  witness_.bits.resize_for_overwrite(r1cs.num_aux());
  clear_borders(r1cs, witness_.bits.mutable_words());
  inputs_ = Values(witness_.inputs.data()).part(0, r1cs.num_inputs());
  fulls_ = Values(witness_.fulls.data()).part(0, r1cs.num_full());
  words_ = witness_.bits.mutable_words().data();
  bits_ = BitWriter(words_, 0);
  end_bit_ = r1cs.num_aux();
  alloc_input(Fr::one());
}

WitnessSystem::WitnessSystem(const WitnessSystem& whole, const R1csBlock& block, std::size_t k)
    : inputs_(whole.inputs_.part(block.first_input + k * block.num_inputs, block.num_inputs)),
      fulls_(whole.fulls_.part(block.first_full + k * block.num_full, block.num_full)),
      words_(whole.words_),
      bits_(words_, block.first_aux + k * block.num_aux),
      end_bit_(bits_.position() + block.num_aux) {}

const R1csBlock& WitnessSystem::begin_repetitions(std::size_t n) {
  const std::vector<R1csBlock>& blocks = r1cs_->blocks();
  const auto is_here = [&](const R1csBlock& block) {
    return block.count == n && block.first_input == inputs_.index() && block.first_full == fulls_.index() &&
           block.first_aux == bits_.position();
  };
  const auto first = blocks.begin() + static_cast<std::ptrdiff_t>(next_block_);
  const auto found = std::find_if(first, blocks.end(), is_here);
  CUZK_CHECK(found != blocks.end(), "the circuit has these repetitions at this place");
  next_block_ = static_cast<std::size_t>(found - blocks.begin()) + 1;
  bits_.finish();
  return *found;
}

void WitnessSystem::end_repetitions(const R1csBlock& block) {
  inputs_.next = inputs_.all + block.first_input + std::size_t{block.count} * block.num_inputs;
  fulls_.next = fulls_.all + block.first_full + std::size_t{block.count} * block.num_full;
  bits_ = BitWriter(words_, block.first_aux + std::size_t{block.count} * block.num_aux);
}

void WitnessSystem::end_part() {
  CUZK_CHECK(inputs_.next == inputs_.end && fulls_.next == fulls_.end && bits_.position() == end_bit_,
             "a circuit allocates the variables of its shape");
  bits_.finish();
}

template <class Vector>
void WitnessSystem::enlarge(Values& values, Vector& storage) const {
  CUZK_CHECK(may_grow_, "a circuit allocates no more variables than its shape has");
  const std::size_t used = storage.size();
  storage.resize(grown(used));
  values = Values(storage.data()).part(used, storage.size() - used);
}

void WitnessSystem::more_inputs() {
  enlarge(inputs_, witness_.inputs);
}

void WitnessSystem::more_fulls() {
  enlarge(fulls_, witness_.fulls);
}

void WitnessSystem::more_bits() {
  CUZK_CHECK(may_grow_, "a circuit allocates no more variables than its shape has");
  if (words_ != nullptr) bits_.finish();
  end_bit_ = grown(end_bit_);
  witness_.bits.resize(end_bit_);
  words_ = witness_.bits.mutable_words().data();
  bits_ = BitWriter(words_, bits_.position());
}

Witness WitnessSystem::finish() {
  if (!may_grow_) {
    end_part();
  } else {
    if (words_ != nullptr) bits_.finish();
    witness_.inputs.resize(inputs_.index());
    witness_.fulls.resize(fulls_.index());
    witness_.bits.resize(bits_.position());
  }
  return std::move(witness_);
}

}  // namespace cuzk
