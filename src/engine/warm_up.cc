#include "engine/warm_up.h"

#include <array>

#include "curve/encoding.h"
#include "curve/projective.h"
#include "engine/guarded.h"
#include "groth16/setup_scalars.h"
#include "groth16/verify.h"
#include "r1cs/shape_system.h"
#include "r1cs/witness_system.h"

namespace cuzk {
namespace {

constexpr unsigned kSquarings = 100;
constexpr unsigned kBits = 28;

// x is public; y_0 = x^2, y_i = y_{i-1}^2, and as many bits as the number 0x5a5a... has.
template <ConstraintSystem CS>
void build(CS& cs, const Fr& x) {
  Variable last = cs.alloc_input(x);
  Fr value = x;
  for (unsigned i = 0; i < kSquarings; ++i) {
    value = value.squared();
    const Variable square = cs.alloc(value);
    const auto factor = [&](LinearCombination& lc) { lc.add(last); };
    cs.enforce(factor, factor, [&](LinearCombination& lc) { lc.add(square); });
    last = square;
  }
  for (unsigned i = 0; i < kBits; ++i) {
    const Variable bit = cs.alloc_bit((0x5a5a5a5 >> i & 1) != 0);
    const auto factor = [&](LinearCombination& lc) { lc.add(bit); };
    cs.enforce(factor, factor, factor);
  }
}

// The parameters of a small circuit in memory.
struct Parameters {
  VerifyingKey vk;
  std::array<std::vector<std::uint8_t>, kQueries.size()> queries;

  SrsView view() const {
    SrsView view{vk, {}, {}};
    for (std::size_t i = 0; i < queries.size(); ++i) view.queries[i] = queries[i];
    return view;
  }
};

template <typename Projective, typename Encode>
void fill(std::span<const Fr> scalars, std::size_t point_bytes, Encode encode,
          std::vector<std::uint8_t>& out) {
  for (const Fr& scalar : scalars) {
    const auto point = encode(Projective::generator().mul(scalar).to_affine());
    CUZK_CHECK(point.size() == point_bytes, "the length of a point");
    out.insert(out.end(), point.begin(), point.end());
  }
}

Result<Parameters> make_parameters(const R1cs& r1cs) {
  ToxicWaste toxic;
  for (Fr* scalar : {&toxic.alpha, &toxic.beta, &toxic.gamma, &toxic.delta, &toxic.tau}) {
    CUZK_ASSIGN(*scalar, random_fr());
  }
  CUZK_ASSIGN(const SetupScalars scalars, SetupScalars::compute(r1cs, toxic));
  Parameters parameters{scalars.verifying_key(), {}};
  for (const Query query : kQueries) {
    std::vector<Fr> values(scalars.counts()[query]);
    scalars.fill(query, 0, values);
    auto& out = parameters.queries[static_cast<std::size_t>(query)];
    if (query == Query::b_g2) {
      fill<G2Projective>(
          values, query_point_bytes(query), [](const G2Affine& p) { return encode_uncompressed(p); }, out);
    } else {
      fill<G1Projective>(
          values, query_point_bytes(query), [](const G1Affine& p) { return encode_uncompressed(p); }, out);
    }
  }
  return parameters;
}

Status prove_something(Backend& backend) {
  const Fr x = Fr::from_u64(3);
  ShapeSystem shape;
  build(shape, x);
  const auto r1cs = std::make_shared<const R1cs>(shape.finish());
  CUZK_ASSIGN(const Parameters parameters, make_parameters(*r1cs));
  CUZK_ASSIGN(const std::unique_ptr<ResidentCircuit> circuit, backend.load(parameters.view(), r1cs));
  WitnessSystem values(*r1cs);
  build(values, x);
  const Witness witness = values.finish();
  CUZK_ASSIGN(const Blinding blinding, Blinding::random());
  ProveTimings timings;
  CUZK_ASSIGN(const Proof proof, backend.prove(*circuit, witness, blinding, timings));
  const Status verdict = verify(PreparedVerifyingKey(parameters.vk), std::array{x}, proof);
  return verdict.is_ok() ? verdict : prover_fault("the proof of the warm-up is wrong: " + verdict.message());
}

}  // namespace

Status warm_up(Backend& backend) {
  return guarded("warm-up", [&] { return prove_something(backend); });
}

}  // namespace cuzk
