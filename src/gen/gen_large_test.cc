// Sectors that cost more than the quick tests may: whole C1 objects of 32 and 64 GiB, and all partitions of
// one against the recorded circuit; updates of 64 GiB; synthetic challenges of a sector that is labelled whole.
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/stopwatch.h"
#include "circuit/porep/porep.h"
#include "gen/c1_writer.h"
#include "gen/gen_porep.h"
#include "gen/gen_test_support.h"
#include "gen/gen_update.h"
#include "r1cs/evaluate.h"
#include "vanilla/c1_validate.h"
#include "vanilla/update_validate.h"

namespace cuzk {
namespace {

// The most memory that this process has had so far.
long peak_rss_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

void write_file(const C1& c1, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  const Status status = write_c1_json(c1, [&](std::string_view piece) {
    file.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    return file.good() ? Status::ok() : unavailable("cannot be written");
  });
  EXPECT_TRUE(status.is_ok()) << status.to_string();
}

// Within a minute and 4 GiB from options to file, and valid when read back.
void expect_valid_file(const PorepGenOptions& options) {
  SCOPED_TRACE(options.proof.name());
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("cuzk_gen_" + options.proof.name() + "_" + std::to_string(::getpid()) + ".json"))
                               .string();
  const Stopwatch stopwatch;
  write_file(gen_porep(options).value(), path);
  const double seconds = stopwatch.elapsed_ms() / 1000;
  std::cout << options.proof.name() << ": " << seconds << " s, " << std::filesystem::file_size(path)
            << " bytes, peak memory " << peak_rss_mib() << " MiB\n";
  EXPECT_LT(seconds, 60);
  EXPECT_LT(peak_rss_mib(), 4096);
  const Result<C1> c1 = read_c1_file(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(c1.is_ok()) << c1.status().to_string();
  EXPECT_EQ(findings_text(validate_c1(c1.value(), {.miner_id = options.miner_id})), "");
}

TEST(GenLarge, WholeSectorsAreMadeInAMinute) {
  for (const char* name :
       {"StackedDrg32GiBV1_1", "StackedDrg32GiBV1", "StackedDrg64GiBV1_1", "StackedDrg64GiBV1"})
    expect_valid_file({.proof = seal_named(name), .miner_id = 4096, .sector_number = 77});
}

TEST(GenLarge, WholeLabellingAnswersSyntheticChallenges) {
  expect_valid_file({.proof = seal_named("StackedDrg8MiBV1_1_Feat_SyntheticPoRep")});
  expect_valid_file({.proof = seal_named("StackedDrg8MiBV1_2_Feat_NonInteractivePoRep")});
}

TEST(GenLarge, UpdateOf64GiBIsValid) {
  const SectorShape& sector = shape_named("64GiB");
  for (const UpdateVariant variant : {UpdateVariant::sha256, UpdateVariant::poseidon}) {
    const GeneratedUpdate update = gen_update({.shape = &sector, .variant = variant});
    const UpdatePublic statement = {UpdateShape::of(sector, variant), update.comm_r_old, update.comm_d_new,
                                    update.comm_r_new};
    EXPECT_EQ(findings_text(validate_update(statement, update.partitions)), "");
  }
}

TEST(GenLarge, AllPartitionsOf32GiBSatisfyTheCircuit) {
  const C1 c1 = gen_porep({.proof = seal_named("StackedDrg32GiBV1_1")}).value();
  const R1cs r1cs = porep_r1cs(PorepCircuitShape::of(*c1.registered_proof.shape));
  ASSERT_EQ(c1.partitions.size(), 10u);
  for (std::size_t i = 0; i < c1.partitions.size(); ++i) {
    Stopwatch stopwatch;
    Witness witness = porep_witness(porep_partition(c1, i), r1cs);
    const double synthesis_ms = stopwatch.elapsed_ms();
    stopwatch.restart();
    EXPECT_EQ(first_unsatisfied(r1cs, witness), std::nullopt) << "partition " << i;
    std::cout << "partition " << i << ": " << r1cs.num_constraints() << " constraints, synthesis "
              << synthesis_ms << " ms, check " << stopwatch.elapsed_ms() << " ms, peak memory "
              << peak_rss_mib() << " MiB\n";
    if (i + 1 < c1.partitions.size()) continue;
    // The check can fail: one value changed is found.
    witness.fulls[witness.fulls.size() / 2] += Fr::one();
    EXPECT_NE(first_unsatisfied(r1cs, witness), std::nullopt);
  }
  EXPECT_LT(peak_rss_mib(), 6 * 1024);
}

}  // namespace
}  // namespace cuzk
