// The cases in which a proof is due: its bytes must be those of the reference.
#include <array>
#include <thread>

#include "contract/fixture.h"

namespace cuzk::contract {
namespace {

// One proof of a circuit with parameters of its own.
Case proof_case(std::string name, const CircuitSpec& spec, Values values,
                const Blinding& blinding = test_blinding()) {
  return {std::move(name), [=](const Subject& subject) -> Status {
            const Circuit& of = circuit(spec);
            CUZK_ASSIGN(const Loaded loaded, load(subject, of));
            return check_proof(loaded, of, values, 1, blinding);
          }};
}

void add_sizes(std::vector<Case>& cases) {
  for (const std::size_t n : {1, 2, 31, 32, 33, 63, 64, 65, 200}) {
    cases.push_back(proof_case("constraints_" + std::to_string(n), {.num_constraints = n, .seed = n},
                               Values::edge_elements));
  }
  // With ONE as the only input the number of rows is known: a full domain, one row less, one more.
  for (const std::size_t rows : {2, 31, 32, 33, 127, 128, 129}) {
    cases.push_back(proof_case("rows_" + std::to_string(rows),
                               {.num_constraints = rows - 1, .seed = rows, .public_outputs = false},
                               Values::random_bits));
  }
}

void add_values(std::vector<Case>& cases) {
  const CircuitSpec plain{.num_constraints = 70, .seed = 5, .plain = true};
  cases.push_back(proof_case("all_zero", plain, Values::zeros));
  cases.push_back(proof_case("all_one", plain, Values::ones));
  cases.push_back(proof_case("plain_random", plain, Values::random_bits));
  cases.push_back(proof_case("plain_edges", plain, Values::edge_elements));
  const CircuitSpec spec{.num_constraints = 40, .seed = 6};
  const Fr minus_one = -Fr::one();
  cases.push_back(proof_case("blinding_0_0", spec, Values::random_bits, {Fr::zero(), Fr::zero()}));
  cases.push_back(proof_case("blinding_0_1", spec, Values::random_bits, {Fr::zero(), Fr::one()}));
  cases.push_back(proof_case("blinding_1_0", spec, Values::random_bits, {Fr::one(), Fr::zero()}));
  cases.push_back(proof_case("blinding_minus_one", spec, Values::random_bits, {minus_one, minus_one}));
}

// Whatever is kept between proofs of one circuit must not show.
Status reuse(const Subject& subject) {
  const Circuit& of = circuit({.num_constraints = 70, .seed = 5, .plain = true});
  CUZK_ASSIGN(const Loaded loaded, load(subject, of));
  for (const Values values :
       {Values::edge_elements, Values::zeros, Values::ones, Values::random_bits, Values::zeros})
    CUZK_TRY(check_proof(loaded, of, values, 2, test_blinding()));
  for (std::uint64_t i = 0; i < 4; ++i)
    CUZK_TRY(check_proof(loaded, of, Values::edge_elements, i % 2, test_blinding(i)));
  return Status::ok();
}

Status two_circuits_at_once(const Subject& subject) {
  const Circuit& first = circuit({.num_constraints = 33, .seed = 33});
  const Circuit& second = circuit({.num_constraints = 65, .seed = 65});
  Loaded loaded;
  loaded.backend = subject.make();
  CUZK_ASSIGN(auto other, loaded.backend->load(second.srs.view(), second.r1cs));
  CUZK_ASSIGN(loaded.resident, loaded.backend->load(first.srs.view(), first.r1cs));
  CUZK_TRY(check_proof(loaded, first, Values::edge_elements, 1, test_blinding()));
  loaded.resident.swap(other);
  CUZK_TRY(check_proof(loaded, second, Values::edge_elements, 1, test_blinding()));
  other.reset();
  return check_proof(loaded, second, Values::random_bits, 2, test_blinding(2));
}

Status several_threads(const Subject& subject) {
  const Circuit& of = circuit({.num_constraints = 33, .seed = 33});
  CUZK_ASSIGN(const Loaded loaded, load(subject, of));
  std::array<Status, 4> verdicts;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    threads.emplace_back([&, i] {
      for (std::uint64_t k = 0; k < 3 && verdicts[i].is_ok(); ++k)
        verdicts[i] = check_proof(loaded, of, Values::random_bits, i + k, test_blinding(k));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Status& verdict : verdicts) CUZK_TRY(verdict);
  return Status::ok();
}

Status fresh_blinding(const Subject& subject) {
  const Circuit& of = circuit({.num_constraints = 32, .seed = 32});
  CUZK_ASSIGN(const Loaded loaded, load(subject, of));
  const Witness witness = reference::random_witness(of.spec, Values::random_bits, 1);
  std::vector<Proof> proofs;
  for (int i = 0; i < 3; ++i) {
    CUZK_ASSIGN(const Blinding blinding, Blinding::random());
    CUZK_ASSIGN(const Proof proof, loaded.prove(witness, blinding));
    CUZK_TRY(verify_for(of, witness, proof));
    for (const Proof& earlier : proofs) {
      CUZK_CONTRACT_EXPECT(!(earlier.a == proof.a) && !(earlier.b == proof.b) && !(earlier.c == proof.c),
                           "two proofs with fresh blinding share a point");
    }
    proofs.push_back(proof);
  }
  return Status::ok();
}

// The parameters may be freed once they are loaded.
Status keeps_no_view(const Subject& subject) {
  const Circuit& of = circuit({.num_constraints = 31, .seed = 31});
  auto copy = std::make_unique<reference::SrsBuffer>(of.srs);
  std::array<int, kQueries.size()> releases{};
  Loaded loaded;
  loaded.backend = subject.make();
  SrsView view = copy->view();
  view.release = [&](Query query) {
    ++releases[static_cast<std::size_t>(query)];
    std::fill(copy->bytes(query).begin(), copy->bytes(query).end(), std::uint8_t{0xee});
  };
  CUZK_ASSIGN(loaded.resident, loaded.backend->load(view, of.r1cs));
  for (const int count : releases) CUZK_CONTRACT_EXPECT(count == 1, "a query was not released once");
  copy.reset();
  return check_proof(loaded, of, Values::edge_elements, 1, test_blinding());
}

struct Recorder final : ProveObserver, ProgressObserver {
  int started = 0, finished = 0;
  std::vector<std::uint64_t> open;
  void phase_started(ProvePhase) override { ++started; }
  void phase_finished(ProvePhase, double) override { ++finished; }
  void progress(std::string_view, std::uint64_t done, std::uint64_t total) override {
    if (done == total) open.push_back(total);
  }
};

Status timings_and_progress(const Subject& subject) {
  const Circuit& of = circuit({.num_constraints = 33, .seed = 33});
  const auto backend = subject.make();
  Recorder recorder;
  CUZK_ASSIGN(const auto resident, backend->load(of.srs.view(), of.r1cs, &recorder));
  CUZK_CONTRACT_EXPECT(!recorder.open.empty(), "loading told no progress");
  CUZK_CONTRACT_EXPECT(&resident->r1cs() == of.r1cs.get() && resident->vk() == of.srs.vk(),
                       "another circuit is resident");
  ProveTimings timings(&recorder);
  const Witness witness = reference::random_witness(of.spec, Values::random_bits, 1);
  double totals[2];
  for (double& total : totals) {
    CUZK_ASSIGN([[maybe_unused]] const Proof proof,
                backend->prove(*resident, witness, test_blinding(), timings));
    total = timings.total_ms();
    CUZK_CONTRACT_EXPECT(total > 0, "no time was counted");
  }
  CUZK_CONTRACT_EXPECT(recorder.started > 0 && recorder.started == recorder.finished,
                       "phases do not pair up");
  return Status::ok();
}

Status plan_grows(const Subject& subject) {
  const auto backend = subject.make();
  const auto total = [&](const CircuitSpec& spec) {
    const MemoryPlan plan = backend->plan(CircuitShape::of(*circuit(spec).r1cs));
    return plan.resident_host + plan.resident_device;
  };
  const std::uint64_t small = total({.num_constraints = 33, .seed = 33});
  const std::uint64_t large = total({.num_constraints = 200, .seed = 200});
  const std::uint64_t points =
      CircuitShape::of(*circuit({.num_constraints = 33, .seed = 33}).r1cs).srs.file_bytes() / 4;
  CUZK_CONTRACT_EXPECT(small > points, "the plan does not even hold the points");
  CUZK_CONTRACT_EXPECT(large > small, "a larger circuit needs no more memory");
  return Status::ok();
}

}  // namespace

std::vector<Case> proof_cases() {
  std::vector<Case> cases;
  add_sizes(cases);
  add_values(cases);
  cases.push_back({"reuse", reuse});
  cases.push_back({"two_circuits_at_once", two_circuits_at_once});
  cases.push_back({"several_threads", several_threads});
  cases.push_back({"fresh_blinding", fresh_blinding});
  cases.push_back({"keeps_no_view", keeps_no_view});
  cases.push_back({"timings_and_progress", timings_and_progress});
  cases.push_back({"plan_grows", plan_grows});
  return cases;
}

std::vector<Case> cases() {
  std::vector<Case> all = proof_cases();
  for (Case& refusal : refusal_cases()) all.push_back(std::move(refusal));
  return all;
}

}  // namespace cuzk::contract
