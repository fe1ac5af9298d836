// What is printed of jobs, and the exit codes that scripts get.
#include "job_end.h"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

JobEnd completed() {
  JobEnd job;
  job.kind = "porep";
  job.job_id = "0b0e6f5a-1f0c-4b52-9f8e-2d6f7f1f9a11";
  job.status = "COMPLETED";
  job.proof.assign(1920, 0x8e);
  job.timings.queue = 228;
  job.timings.synth = 60525;
  job.timings.prove = 33229;
  job.timings.total = 93984;
  job.wall_ms = 94092;
  job.verified = "not asked for";
  return job;
}

JobEnd failed(StatusCode code, const char* status) {
  JobEnd job = completed();
  job.status = status;
  job.proof.clear();
  job.error = Status(code, "why");
  return job;
}

TEST(ProofResult, IsTheBlockThatScriptsRead) {
  EXPECT_EQ(job_end_text(completed()),
            "=== Proof Result ===\n"
            "status:    COMPLETED\n"
            "job_id:    0b0e6f5a-1f0c-4b52-9f8e-2d6f7f1f9a11\n"
            "timings:   total=93984 ms (queue=228 ms, srs=0 ms, synth=60525 ms, gpu=33229 ms)\n"
            "wall time: 94092 ms\n"
            "proof:     1920 bytes (hex: 8e8e8e8e8e...\n");
  JobEnd by_processor = completed();
  by_processor.device = "cpu";
  EXPECT_NE(job_end_text(by_processor).find(", cpu=33229 ms)\n"), std::string::npos);
  JobEnd refused = failed(StatusCode::unavailable, "REFUSED");
  refused.job_id.clear();
  EXPECT_EQ(job_end_text(refused), "=== Proof Result ===\nstatus:    REFUSED\nerror:     unavailable: why\n");
  const std::string text = job_end_text(failed(StatusCode::not_satisfied, "FAILED"));
  EXPECT_NE(text.find("error:     not_satisfied: why\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("proof:"), std::string::npos) << text;
}

TEST(ProofResult, JsonHasTheSameFacts) {
  const Report report = job_end_report(completed(), true);
  EXPECT_EQ(report["status"], "COMPLETED");
  EXPECT_EQ(report["timings_ms"]["total"], 93984);
  EXPECT_EQ(report["timings_ms"]["prove"], 33229);
  EXPECT_EQ(report["proof"].get<std::string>().size(), 3840u);
  EXPECT_FALSE(job_end_report(completed(), false).contains("proof"));
  EXPECT_EQ(job_end_report(failed(StatusCode::unavailable, "REFUSED"), true)["error"]["class"],
            "unavailable");
}

TEST(ExitCode, SaysWhoIsAtFault) {
  EXPECT_EQ(exit_code_of({completed(), completed()}), 0);
  EXPECT_EQ(exit_code_of({completed(), failed(StatusCode::invalid_argument, "REFUSED")}), 2);
  EXPECT_EQ(exit_code_of({failed(StatusCode::unavailable, "REFUSED")}), 3);
  EXPECT_EQ(exit_code_of({failed(StatusCode::invalid_argument, "FAILED")}), 1);
  JobEnd wrong = completed();
  wrong.verified = "invalid: partition 3";
  EXPECT_EQ(exit_code_of({wrong}), 1);
  wrong.verified = "valid";
  EXPECT_EQ(exit_code_of({wrong}), 0);
}

TEST(Summary, CountsAndPercentiles) {
  std::vector<JobEnd> jobs(100, completed());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].timings.total = static_cast<double>(i + 1);
    if (i % 2 == 1) jobs[i].kind = "winning";
  }
  jobs.push_back(failed(StatusCode::internal, "FAILED"));
  const Report report = summary_of(jobs, 1000);
  EXPECT_EQ(report["jobs"], 101);
  EXPECT_EQ(report["by_status"]["COMPLETED"], 100);
  EXPECT_EQ(report["by_status"]["FAILED"], 1);
  EXPECT_EQ(report["total"]["p50_ms"], 50);
  EXPECT_EQ(report["total"]["p90_ms"], 90);
  EXPECT_EQ(report["total"]["p99_ms"], 99);
  EXPECT_EQ(report["proofs_per_hour"], 100 * 3600.0);
  EXPECT_TRUE(report.contains("queue_winning"));
}

}  // namespace
}  // namespace cuzk
