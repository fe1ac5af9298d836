// What only a daemon can answer: status, jobs, preload, evict, cancel, watch, drain, undrain, validate.
#include <cstdio>

#include "bench_command.h"
#include "client/channel.h"
#include "client/figures.h"
#include "cuzk/v1/proving.grpc.pb.h"
#include "findings.h"
#include "request.h"

namespace cuzk {
namespace {

using Stub = v1::ProvingEngine::Stub;
using Answer = std::function<Outcome(Stub&)>;

// One unary call; what it answered, or how it failed.
template <class Request, class Response>
Result<Response> call(Stub& stub,
                      grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                      const Request& request) {
  grpc::ClientContext context;
  Response response;
  const Status status = status_of((stub.*method)(&context, request, &response));
  if (!status.is_ok()) return status;
  return response;
}

Outcome with_daemon(const DaemonOptions& options, const Answer& answer) {
  const Result<std::shared_ptr<grpc::Channel>> channel = connect(options);
  if (!channel.is_ok()) return channel.status();
  const std::unique_ptr<Stub> stub = v1::ProvingEngine::NewStub(channel.value());
  return answer(*stub);
}

void print(const Report& report, const CommonOptions& common) {
  if (common.json) return print_report(report, common);
  print_for_reading(report, common);
}

Outcome run_status(Stub& stub, const CommonOptions& common) {
  const auto answer = call(stub, &Stub::GetStatus, v1::GetStatusRequest());
  if (!answer.is_ok()) return answer.status();
  print(status_report(answer.value()), common);
  return Status::ok();
}

Outcome run_jobs(Stub& stub, std::uint32_t limit, const CommonOptions& common) {
  v1::ListJobsRequest request;
  request.set_limit(limit);
  const auto answer = call(stub, &Stub::ListJobs, request);
  if (!answer.is_ok()) return answer.status();
  Report jobs = Report::array();
  for (const v1::JobInfo& job : answer.value().jobs()) {
    jobs.push_back(job_report(job));
    if (!common.json) std::printf("%s\n", job_line(job).c_str());
  }
  if (common.json) print_report({{"jobs", jobs}}, common);
  return Status::ok();
}

Outcome run_preload(Stub& stub, const std::string& circuit, const CommonOptions& common) {
  v1::PreloadSrsRequest request;
  request.set_circuit_id(circuit);
  const auto answer = call(stub, &Stub::PreloadSRS, request);
  if (!answer.is_ok()) return answer.status();
  print({{"circuit_id", circuit},
         {"already_loaded", answer.value().already_loaded()},
         {"load_time_ms", answer.value().load_time_ms()}},
        common);
  return Status::ok();
}

Outcome run_evict(Stub& stub, const std::string& circuit, const CommonOptions& common) {
  v1::EvictSrsRequest request;
  request.set_circuit_id(circuit);
  const auto answer = call(stub, &Stub::EvictSRS, request);
  if (!answer.is_ok()) return answer.status();
  print({{"circuit_id", circuit},
         {"was_loaded", answer.value().was_loaded()},
         {"freed_bytes", answer.value().freed_bytes()}},
        common);
  return Status::ok();
}

Outcome run_cancel(Stub& stub, const std::string& job_id, const CommonOptions& common) {
  v1::CancelProofRequest request;
  request.set_job_id(job_id);
  const auto answer = call(stub, &Stub::CancelProof, request);
  if (!answer.is_ok()) return answer.status();
  print({{"job_id", job_id}, {"was_running", answer.value().was_running()}}, common);
  return Status::ok();
}

Outcome run_drain(Stub& stub, bool drain, const CommonOptions& common) {
  if (!drain) {
    const auto answer = call(stub, &Stub::Undrain, v1::UndrainRequest());
    if (!answer.is_ok()) return answer.status();
    print({{"draining", false}}, common);
    return Status::ok();
  }
  const auto answer = call(stub, &Stub::Drain, v1::DrainRequest());
  if (!answer.is_ok()) return answer.status();
  print({{"draining", true}, {"unfinished_jobs", answer.value().unfinished_jobs()}}, common);
  return Status::ok();
}

// A line for each message: for a person, or with --json an object a line. The exit code is that of the job's end.
Outcome run_watch(Stub& stub, const std::string& job_id, const CommonOptions& common) {
  grpc::ClientContext context;
  v1::WatchJobRequest request;
  request.set_job_id(job_id);
  const auto reader = stub.WatchJob(&context, request);
  v1::JobInfo job;
  while (reader->Read(&job)) {
    std::printf("%s\n", common.json ? job_report(job).dump().c_str() : job_line(job).c_str());
    std::fflush(stdout);
  }
  const Status status = status_of(reader->Finish());
  if (!status.is_ok()) return status;
  if (job.state() == "completed") return Status::ok();
  Outcome outcome(Status(job.has_error() ? code_from_name(job.error().error_class()) : StatusCode::cancelled,
                         "job " + job_id + " is " + job.state()),
                  kExitFailure);
  outcome.report_printed = true;
  return outcome;
}

Outcome run_validate(Stub& stub, const RequestOptions& options, const CommonOptions& common) {
  const Result<ClientRequest> request = options.read();
  if (!request.is_ok()) return request.status();
  v1::ValidateRequest message;
  *message.mutable_submit() = request_to_proto(request.value().message);
  const auto answer = call(stub, &Stub::Validate, message);
  if (!answer.is_ok()) return answer.status();
  std::vector<InputFinding> findings;
  for (const v1::Finding& finding : answer.value().findings())
    findings.push_back(finding_from_proto(finding));
  return report_findings(findings, Report::object(), common);
}

// A sub-command of one call; `add` adds its own flags and gives what carries it out.
void add_call(CLI::App& app, Run* run, const char* name, const char* help,
              const std::function<Answer(CLI::App&)>& add) {
  CLI::App* command = app.add_subcommand(name, help);
  const auto daemon = std::make_shared<DaemonOptions>();
  daemon->add_to(*command);
  const Answer answer = add(*command);
  command->callback([=] { *run = [=] { return with_daemon(*daemon, answer); }; });
}

using WithName = Outcome (*)(Stub&, const std::string&, const CommonOptions&);
void add_named_call(CLI::App& app, const CommonOptions& common, Run* run, const char* name, const char* help,
                    const char* argument, const char* argument_help, WithName carry_out) {
  add_call(app, run, name, help, [=, &common](CLI::App& command) -> Answer {
    const auto value = std::make_shared<std::string>();
    command.add_option(argument, *value, argument_help)->required()->type_name("ID");
    return [=, &common](Stub& stub) { return carry_out(stub, *value, common); };
  });
}

}  // namespace

void add_client_commands(CLI::App& app, const CommonOptions& common, Run* run) {
  add_call(app, run, "status", "queues, memory, circuits, workers",
           [&](CLI::App&) -> Answer { return [&](Stub& stub) { return run_status(stub, common); }; });
  add_call(app, run, "jobs", "unfinished jobs and the last finished ones", [&](CLI::App& command) -> Answer {
    const auto limit = std::make_shared<std::uint32_t>(50);
    command.add_option("--limit", *limit, "finished jobs at most")->capture_default_str();
    return [=, &common](Stub& stub) { return run_jobs(stub, *limit, common); };
  });
  add_named_call(app, common, run, "preload", "load the parameters of a circuit", "circuit",
                 "as porep-32g, wpost-32g, winning-32g, snap-32g: `status` has all", run_preload);
  add_named_call(app, common, run, "evict", "free the parameters of a circuit", "circuit",
                 "as porep-32g, wpost-32g, winning-32g, snap-32g: `status` has all", run_evict);
  add_named_call(app, common, run, "cancel", "cancel a job", "job", "as `jobs` lists it", run_cancel);
  add_named_call(app, common, run, "watch", "every change of a job until it ends", "job",
                 "as `jobs` lists it", run_watch);
  for (const bool drain : {true, false}) {
    add_call(app, run, drain ? "drain" : "undrain",
             drain ? "no new jobs; those accepted are finished" : "accept jobs again",
             [&, drain](CLI::App&) -> Answer {
               return [&common, drain](Stub& stub) { return run_drain(stub, drain, common); };
             });
  }
  add_call(app, run, "validate", "every fault of an input, without proving",
           [&](CLI::App& command) -> Answer {
             const auto options = std::make_shared<RequestOptions>();
             options->add_to(command);
             return [=, &common](Stub& stub) { return run_validate(stub, *options, common); };
           });
}

}  // namespace cuzk
