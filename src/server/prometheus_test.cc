#include "server/prometheus.h"

#include <gtest/gtest.h>

#include "server/exposition_test_support.h"
#include "server/fake_engine_test_support.h"
#include "server/metric_writer.h"

namespace cuzk {
namespace {

// The reader refuses each kind of fault; else the tests below would say nothing.
TEST(Exposition, ReaderRefusesEachFault) {
  const std::string head = "# HELP a_total Text.\n# TYPE a_total counter\n";
  const std::string histogram = "# HELP h Text.\n# TYPE h histogram\n";
  EXPECT_TRUE(read_exposition(head + "a_total{x=\"1\",y=\"\\\\\\\"\\n\"} 1\na_total 2.5e-3\n").is_ok());
  EXPECT_TRUE(
      read_exposition(histogram + "h_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 2\nh_sum 3\nh_count 2\n")
          .is_ok());
  const std::vector<std::string> faults = {
      "",
      head + "a_total 1",
      "a_total 1\n",
      "# HELP a_total Text.\na_total 1\n",
      "# TYPE a_total counter\na_total 1\n",
      head + head + "a_total 1\n",
      head + "b_total 1\n",
      head + "a_total 1\na_total 1\n",
      head + "a_total -1\n",
      head + "a_total x\n",
      head + "a_total{x=1} 1\n",
      head + "a_total{x=\"1} 1\n",
      head + "a_total{x=\"\\t\"} 1\n",
      head + "a_total{x=\"1\",x=\"2\"} 1\n",
      "# HELP a Text.\n# TYPE a counter\na 1\n",
      "# HELP a Text.\n# TYPE a thing\na 1\n",
      histogram + "h_bucket{le=\"1\"} 1\nh_sum 3\nh_count 1\n",
      histogram + "h_bucket{le=\"2\"} 1\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 1\nh_sum 3\nh_count 1\n",
      histogram + "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 3\nh_count 1\n",
      histogram + "h_bucket{le=\"+Inf\"} 1\nh_sum 3\nh_count 2\n",
      histogram + "h_bucket{le=\"+Inf\"} 1\nh_count 1\n"};
  for (const std::string& fault : faults) EXPECT_FALSE(read_exposition(fault).is_ok()) << fault;
}

EngineStatus status_with_figures() {
  EngineStatus status;
  status.uptime_ms = 1500;
  status.ready = true;
  status.host_memory = {7, 9};
  status.max_jobs = 256;
  status.retries = 4;
  status.self_check_failures = 5;
  status.recovered_jobs = 6;
  WorkerStatus worker;
  worker.backend = "cuda";
  worker.name = "a \"quoted\" \\ name\nof two lines \xff";
  worker.memory_total_bytes = 140;
  worker.memory = {90, 120};
  worker.work_space_bytes = 30;
  worker.busy_ms = 2500;
  worker.proofs = 3;
  worker.faults = 1;
  status.workers = {worker};
  CircuitStatus circuit;
  circuit.circuit_id = "porep-32g";
  circuit.state = SrsState::ready;
  circuit.tier = SrsTier::warm;
  circuit.loads = 8;
  circuit.evictions = 2;
  status.circuits = {circuit};
  KindCounts counts;
  counts.kind = ProofKind::window;
  counts.pending = 2;
  counts.submitted = 10;
  counts.completed = 5;
  status.kinds = {counts};
  return status;
}

MetricsSnapshot metrics_with_figures() {
  Metrics metrics;
  for (const double ms : {0.2, 3.0, 700.0, 90'000.0, 3'600'000.0})
    metrics.phase("synth", ProofKind::porep, ms);
  metrics.phase("synth", ProofKind::window, 10);
  metrics.completed(ProofKind::porep, 20, 4000);
  metrics.failed(ProofKind::porep, "not_satisfied");
  metrics.failed(ProofKind::porep, "not_satisfied");
  metrics.refused(ProofKind::window, "resource_exhausted");
  return metrics.snapshot();
}

double value(const std::map<std::string, MetricFamily>& families, const std::string& name,
             const std::map<std::string, std::string>& labels) {
  std::string family = name;
  if (!families.contains(family)) family = family.substr(0, family.rfind('_'));
  EXPECT_TRUE(families.contains(family)) << name;
  for (const Sample& sample : families.at(family).samples)
    if (sample.name == name && sample.labels == labels) return sample.value;
  ADD_FAILURE() << name << " has no sample with these labels";
  return -1;
}

// D39: valid text, and what the engine counted is what it says.
TEST(Prometheus, TextIsValidAndTrue) {
  const auto read = read_exposition(prometheus_text(status_with_figures(), metrics_with_figures(), "1.2.3"));
  ASSERT_TRUE(read.is_ok()) << read.status().to_string();
  const auto& families = read.value();
  const std::map<std::string, std::string> worker = {
      {"worker", "0"}, {"backend", "cuda"}, {"device", "a \"quoted\" \\ name\nof two lines \uFFFD"}};
  EXPECT_EQ(value(families, "cuzk_build_info", {{"version", "1.2.3"}}), 1);
  EXPECT_EQ(value(families, "cuzk_ready", {}), 1);
  EXPECT_EQ(value(families, "cuzk_draining", {}), 0);
  EXPECT_EQ(value(families, "cuzk_uptime_seconds", {}), 1.5);
  EXPECT_EQ(value(families, "cuzk_jobs_submitted_total", {{"kind", "window"}}), 10);
  EXPECT_EQ(value(families, "cuzk_jobs_completed_total", {{"kind", "window"}}), 5);
  EXPECT_EQ(value(families, "cuzk_jobs_pending", {{"kind", "window"}}), 2);
  EXPECT_EQ(value(families, "cuzk_jobs_failed_total", {{"kind", "porep"}, {"class", "not_satisfied"}}), 2);
  EXPECT_EQ(value(families, "cuzk_jobs_refused_total", {{"kind", "window"}, {"class", "resource_exhausted"}}),
            1);
  EXPECT_EQ(value(families, "cuzk_jobs_recovered_total", {}), 6);
  EXPECT_EQ(value(families, "cuzk_self_check_failures_total", {}), 5);
  EXPECT_EQ(value(families, "cuzk_retries_total", {}), 4);
  EXPECT_EQ(value(families, "cuzk_host_memory_reserved_bytes", {}), 7);
  EXPECT_EQ(value(families, "cuzk_host_memory_limit_bytes", {}), 9);
  EXPECT_EQ(value(families, "cuzk_device_memory_total_bytes", worker), 140);
  EXPECT_EQ(value(families, "cuzk_device_memory_reserved_bytes", worker), 90);
  EXPECT_EQ(value(families, "cuzk_device_memory_work_space_bytes", worker), 30);
  EXPECT_EQ(value(families, "cuzk_worker_busy_seconds_total", worker), 2.5);
  EXPECT_EQ(value(families, "cuzk_worker_faults_total", worker), 1);
  EXPECT_EQ(value(families, "cuzk_srs_loads_total", {{"circuit", "porep-32g"}}), 8);
  EXPECT_EQ(value(families, "cuzk_srs_evictions_total", {{"circuit", "porep-32g"}}), 2);
  EXPECT_EQ(value(families, "cuzk_srs_tier", {{"circuit", "porep-32g"}, {"tier", "warm"}}), 1);
  EXPECT_EQ(value(families, "cuzk_srs_tier", {{"circuit", "porep-32g"}, {"tier", "hot"}}), 0);
  EXPECT_EQ(value(families, "cuzk_phase_seconds_count", {{"phase", "synth"}, {"kind", "porep"}}), 5);
  EXPECT_EQ(
      value(families, "cuzk_phase_seconds_bucket", {{"phase", "synth"}, {"kind", "porep"}, {"le", "0.005"}}),
      2);
  EXPECT_EQ(
      value(families, "cuzk_phase_seconds_bucket", {{"phase", "synth"}, {"kind", "porep"}, {"le", "1800"}}),
      4);
  EXPECT_EQ(value(families, "cuzk_job_seconds_sum", {{"kind", "porep"}}), 4);
  EXPECT_GT(value(families, "process_resident_memory_bytes", {}), 1e6);
  EXPECT_GT(value(families, "process_open_fds", {}), 2);
  EXPECT_GE(value(families, "process_threads", {}), 1);
}

// A job fails after the engine was asked for its counts and before it was asked for the classes of failure.
TEST(Prometheus, D39CountersAreOfOneMoment) {
  FakeEngine engine;
  int calls = 0;
  engine.on_metrics = [&] {
    if (++calls > 1) return;
    MetricsSnapshot metrics;
    metrics.failed[{ProofKind::window, "prover_fault"}] = 1;
    engine.set_metrics(metrics);
    engine.set_status([](EngineStatus& status) {
      for (KindCounts& kind : status.kinds) {
        if (kind.kind == ProofKind::window) kind.submitted = kind.failed = 1;
      }
    });
  };
  const auto read = read_exposition(prometheus_text(engine, "1.2.3"));
  ASSERT_TRUE(read.is_ok()) << read.status().to_string();
  EXPECT_EQ(value(read.value(), "cuzk_jobs_submitted_total", {{"kind", "window"}}), 1);
  EXPECT_EQ(value(read.value(), "cuzk_jobs_failed_total", {{"kind", "window"}, {"class", "prover_fault"}}),
            1);
}

TEST(Prometheus, EmptyEngineIsValidToo) {
  const auto read = read_exposition(prometheus_text({}, {}, ""));
  EXPECT_TRUE(read.is_ok()) << read.status().to_string();
}

TEST(Prometheus, NumbersReadBack) {
  MetricWriter out;
  out.family("x", "gauge", "A help with a \\ and a\nline feed.");
  const std::vector<double> values = {0, 0.1, 1e-9, 1e21, 123456789.125};
  for (std::size_t i = 0; i < values.size(); ++i) out.sample({{"i", std::to_string(i)}}, values[i]);
  const auto read = read_exposition(out.take());
  ASSERT_TRUE(read.is_ok()) << read.status().to_string();
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(read.value().at("x").samples[i].value, values[i]);
}

}  // namespace
}  // namespace cuzk
