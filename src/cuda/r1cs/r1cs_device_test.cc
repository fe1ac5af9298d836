// The device's evaluation of constraints against the host's.
#include "cuda/r1cs/device_r1cs.h"

#include "cuda/testing/gpu_test.h"
#include "r1cs/evaluate.h"
#include "reference/random_circuit.h"

namespace cuzk::cuda {
namespace {

class R1csDeviceTest : public GpuTest {
 protected:
  std::optional<std::size_t> evaluate(const R1cs& r1cs, const Witness& witness, std::vector<Fr> (&out)[3]) {
    Arena arena(DeviceR1cs::bytes(r1cs.memory_bytes(), r1cs.blocks().size()));
    const DeviceR1cs device(arena, r1cs, stream());
    std::vector<Fr> values = witness.inputs;
    values.insert(values.end(), witness.fulls.begin(), witness.fulls.end());
    const DeviceBuffer<Fr> d_values{std::span<const Fr>(values)};
    const DeviceBuffer<std::uint64_t> d_bits{witness.bits.words()};
    const std::size_t size = std::size_t{1} << r1cs.log_domain();
    DeviceBuffer<Fr> d_a(size), d_b(size), d_c(size);
    const auto failing =
        device.evaluate({d_values.data(), d_bits.data()}, d_a.data(), d_b.data(), d_c.data(), size, stream());
    const DeviceBuffer<Fr>* d_out[3] = {&d_a, &d_b, &d_c};
    for (std::size_t i = 0; i < 3; ++i) {
      out[i].resize(size);
      d_out[i]->download(out[i], stream());
    }
    return failing;
  }
};

TEST_F(R1csDeviceTest, EqualsTheHost) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{9}, std::size_t{10},
                              std::size_t{33}, std::size_t{1000}, std::size_t{50'000}}) {
    const reference::CircuitSpec spec{.num_constraints = n, .seed = n};
    const auto r1cs = reference::random_r1cs(spec);
    const Witness witness = reference::random_witness(spec, reference::Values::edge_elements, n);
    std::vector<Fr> out[3], want[3];
    EXPECT_EQ(evaluate(*r1cs, witness, out), std::nullopt) << n;
    for (auto& values : want) values.resize(out[0].size());
    cuzk::evaluate(*r1cs, witness, want[0], want[1], want[2]);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(out[i] == want[i]) << n << " matrix " << i;
  }
}

TEST_F(R1csDeviceTest, NamesTheFirstConstraintThatFails) {
  const reference::CircuitSpec spec{.num_constraints = 5000, .seed = 3};
  const auto r1cs = reference::random_r1cs(spec);
  const Witness good = reference::random_witness(spec, reference::Values::random_bits, 1);
  RandomData random(41);
  std::vector<Fr> out[3];
  for (int i = 0; i < 10; ++i) {
    Witness bad = good;
    bad.fulls[random.word() % bad.fulls.size()] += Fr::one();
    EXPECT_EQ(evaluate(*r1cs, bad, out), first_unsatisfied(*r1cs, bad));
  }
}

}  // namespace
}  // namespace cuzk::cuda
