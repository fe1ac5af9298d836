#include "reference/reference_groth16.h"

#include <string>

#include "curve/encoding.h"
#include "curve/projective.h"
#include "reference/polynomial.h"

namespace cuzk::reference {
namespace {

// sum over rows j of row_j[i] * lagrange[j], for every variable i.
std::vector<Fr> columns_at(const std::vector<Row>& rows, const std::vector<Fr>& lagrange_values,
                           std::size_t num_variables) {
  std::vector<Fr> sums(num_variables);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (const auto& [variable, coefficient] : rows[j]) sums[variable] += coefficient * lagrange_values[j];
  }
  return sums;
}

G1Affine g1(const Fr& scalar) {
  return times(G1Projective::generator(), scalar).to_affine();
}
G2Affine g2(const Fr& scalar) {
  return times(G2Projective::generator(), scalar).to_affine();
}

// The points of one circuit, decoded.
struct Points {
  std::vector<G1Affine> h, l, a, b_g1;
  std::vector<G2Affine> b_g2;
};

template <typename Affine>
Status decode(const SrsView& srs, Query query, std::vector<Affine>& out) {
  constexpr std::size_t kSize = kUncompressedBytes<Affine>;
  for (auto bytes = srs[query]; !bytes.empty(); bytes = bytes.subspan(kSize)) {
    Result<Affine> point = decode_uncompressed<Affine>(bytes.template first<kSize>());
    if (point.is_ok() && point.value().is_infinity()) point = invalid_argument("point at infinity");
    if (!point.is_ok()) {
      return point.status().with_context(std::string("query ") + query_name(query) + ": point " +
                                         std::to_string(out.size()));
    }
    out.push_back(point.value());
  }
  return Status::ok();
}

class ReferenceCircuit final : public ResidentCircuit {
 public:
  ReferenceCircuit(std::shared_ptr<const R1cs> r1cs, VerifyingKey vk)
      : r1cs_(std::move(r1cs)), vk_(std::move(vk)) {}

  Status load(const SrsView& srs) {
    CUZK_TRY(decode(srs, Query::h, points_.h));
    CUZK_TRY(decode(srs, Query::l, points_.l));
    CUZK_TRY(decode(srs, Query::a, points_.a));
    CUZK_TRY(decode(srs, Query::b_g1, points_.b_g1));
    return decode(srs, Query::b_g2, points_.b_g2);
  }
  const R1cs& r1cs() const noexcept override { return *r1cs_; }
  const VerifyingKey& vk() const noexcept override { return vk_; }
  const Points& points() const noexcept { return points_; }

 private:
  std::shared_ptr<const R1cs> r1cs_;
  VerifyingKey vk_;
  Points points_;
};

std::vector<Fr> evaluate_rows(const std::vector<Row>& rows, const std::vector<Fr>& values, std::size_t size) {
  std::vector<Fr> out(size);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (const auto& [variable, coefficient] : rows[j]) out[j] += coefficient * values[variable];
  }
  return out;
}

template <typename Affine>
auto multi_sum(const std::vector<Affine>& points, const std::vector<Fr>& scalars) {
  CUZK_CHECK(points.size() == scalars.size(), "a scalar per point");
  ProjectivePoint<typename Affine::Field> sum;
  for (std::size_t i = 0; i < points.size(); ++i)
    sum = sum + times(ProjectivePoint<typename Affine::Field>(points[i]), scalars[i]);
  return sum;
}

// The values of the variables that have a point: those that occur, and with `all_inputs` every input.
std::vector<Fr> select(const std::vector<Fr>& values, const std::vector<bool>& occurs,
                       std::size_t all_inputs) {
  std::vector<Fr> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i < all_inputs || occurs[i]) out.push_back(values[i]);
  }
  return out;
}

Status check_rows(const std::vector<Fr>& a, const std::vector<Fr>& b, const std::vector<Fr>& c) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (a[j] * b[j] != c[j]) return not_satisfied("constraint " + std::to_string(j) + " does not hold");
  }
  return Status::ok();
}

template <typename Affine>
std::vector<std::uint8_t> encoded(const std::vector<Affine>& points) {
  std::vector<std::uint8_t> bytes;
  for (const Affine& point : points) {
    const auto encoding = encode_uncompressed(point);
    bytes.insert(bytes.end(), encoding.begin(), encoding.end());
  }
  return bytes;
}

}  // namespace

Status slow_setup(const R1cs& r1cs, const ToxicWaste& toxic, SrsSink& sink) {
  const ExpandedR1cs rows = expand(r1cs);
  const std::size_t n = rows.domain_size();
  const std::vector<Fr> lagrange_values = lagrange(n, toxic.tau);
  const std::vector<Fr> a = columns_at(rows.a, lagrange_values, rows.num_variables());
  const std::vector<Fr> b = columns_at(rows.b, lagrange_values, rows.num_variables());
  const std::vector<Fr> c = columns_at(rows.c, lagrange_values, rows.num_variables());
  const auto combined = [&](std::size_t i) { return toxic.beta * a[i] + toxic.alpha * b[i] + c[i]; };

  VerifyingKey vk{
      g1(toxic.alpha), g1(toxic.beta), g2(toxic.beta), g2(toxic.gamma), g1(toxic.delta), g2(toxic.delta), {}};
  for (std::size_t i = 0; i < rows.num_inputs; ++i) vk.ic.push_back(g1(combined(i) * toxic.gamma.inverse()));
  Points points;
  const Fr vanishing = toxic.tau.pow(n) - Fr::one();
  for (std::size_t i = 0; i + 1 < n; ++i)
    points.h.push_back(g1(toxic.tau.pow(i) * vanishing * toxic.delta.inverse()));
  for (std::size_t i = rows.num_inputs; i < rows.num_variables(); ++i)
    points.l.push_back(g1(combined(i) * toxic.delta.inverse()));
  for (const Fr& scalar : select(a, occurring(rows.a, a.size()), 0)) points.a.push_back(g1(scalar));
  for (const Fr& scalar : select(b, occurring(rows.b, b.size()), 0)) {
    points.b_g1.push_back(g1(scalar));
    points.b_g2.push_back(g2(scalar));
  }

  SrsCounts counts;
  counts.ic = vk.ic.size();
  counts.queries = {points.h.size(), points.l.size(), points.a.size(), points.b_g1.size(),
                    points.b_g2.size()};
  CUZK_TRY(sink.begin(vk, counts));
  CUZK_TRY(sink.append(Query::h, encoded(points.h)));
  CUZK_TRY(sink.append(Query::l, encoded(points.l)));
  CUZK_TRY(sink.append(Query::a, encoded(points.a)));
  CUZK_TRY(sink.append(Query::b_g1, encoded(points.b_g1)));
  CUZK_TRY(sink.append(Query::b_g2, encoded(points.b_g2)));
  return sink.finish();
}

MemoryPlan ReferenceBackend::plan(const CircuitShape& shape) const {
  MemoryPlan plan;
  plan.resident_host = shape.srs.file_bytes();
  plan.prove_host = (std::uint64_t{7} << shape.log_domain) * sizeof(Fr);
  return plan;
}

Result<std::unique_ptr<ResidentCircuit>> ReferenceBackend::load(const SrsView& srs,
                                                                std::shared_ptr<const R1cs> r1cs,
                                                                ProgressObserver* progress) {
  CUZK_TRY(srs.counts().check_equal(SrsCounts::of(*r1cs, r1cs->densities())));
  auto circuit = std::make_unique<ReferenceCircuit>(std::move(r1cs), srs.vk);
  CUZK_TRY(circuit->load(srs));
  for (const Query query : kQueries) {
    const std::size_t count = srs.counts()[query];
    if (progress != nullptr) progress->progress(query_name(query), count, count);
    if (srs.release) srs.release(query);
  }
  return std::unique_ptr<ResidentCircuit>(std::move(circuit));
}

Result<Proof> ReferenceBackend::prove(ResidentCircuit& circuit, const Witness& witness,
                                      const Blinding& blinding, ProveTimings& timings) {
  const auto* resident = dynamic_cast<const ReferenceCircuit*>(&circuit);
  if (resident == nullptr) return invalid_argument("the circuit was not loaded by the reference backend");
  CUZK_TRY(check_dimensions(resident->r1cs(), witness));
  timings.clear();
  const ExpandedR1cs rows = expand(resident->r1cs());
  const std::vector<Fr> values = all_values(resident->r1cs(), witness);
  const std::vector<Fr> aux(values.begin() + static_cast<std::ptrdiff_t>(rows.num_inputs), values.end());
  const Points& points = resident->points();

  std::vector<Fr> h;
  {
    const PhaseTimer timer(timings, ProvePhase::ntt);
    const std::vector<Fr> a = evaluate_rows(rows.a, values, rows.domain_size());
    const std::vector<Fr> b = evaluate_rows(rows.b, values, rows.domain_size());
    const std::vector<Fr> c = evaluate_rows(rows.c, values, rows.domain_size());
    CUZK_TRY(check_rows(a, b, c));
    h = quotient(a, b, c);
  }
  const PhaseTimer timer(timings, ProvePhase::assemble);
  const std::vector<Fr> in_b = select(values, occurring(rows.b, values.size()), 0);
  const G1Projective h_sum = multi_sum(points.h, h);
  const G1Projective l_sum = multi_sum(points.l, aux);
  const G1Projective a_sum =
      multi_sum(points.a, select(values, occurring(rows.a, values.size()), rows.num_inputs));
  const G1Projective b_g1_sum = multi_sum(points.b_g1, in_b);
  const G2Projective b_g2_sum = multi_sum(points.b_g2, in_b);

  const auto& [r, s] = blinding;
  const VerifyingKey& vk = resident->vk();
  const G1Projective a = G1Projective(vk.alpha_g1) + times(G1Projective(vk.delta_g1), r) + a_sum;
  const G2Projective b = G2Projective(vk.beta_g2) + times(G2Projective(vk.delta_g2), s) + b_g2_sum;
  const G1Projective c = times(a_sum, s) + times(b_g1_sum, r) + times(G1Projective(vk.delta_g1), r * s) +
                         times(G1Projective(vk.alpha_g1), s) + times(G1Projective(vk.beta_g1), r) + h_sum +
                         l_sum;
  const Proof proof{a.to_affine(), b.to_affine(), c.to_affine()};
  if (proof.a.is_infinity() || proof.b.is_infinity() || proof.c.is_infinity())
    return prover_fault("a point of the proof is infinity");
  return proof;
}

}  // namespace cuzk::reference
