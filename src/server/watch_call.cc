#include "server/watch_call.h"

#include <cuzk/v1/proving.pb.h>

#include <utility>

#include "engine/guarded.h"
#include "server/message_bytes.h"
#include "server/proto_conversions.h"
#include "server/rpc_error.h"

namespace cuzk {

WatchCall::WatchCall(ServiceContext& context, grpc::CallbackServerContext* rpc, std::string job_id)
    : context_(context), rpc_(rpc), job_id_(std::move(job_id)) {}

WatchCall* WatchCall::start(ServiceContext& context, grpc::CallbackServerContext* rpc,
                            Result<std::string> job_id) {
  const Status status = job_id.status();
  std::shared_ptr<WatchCall> call(
      new WatchCall(context, rpc, status.is_ok() ? std::move(job_id).value() : ""));
  call->self_ = call;
  if (!status.is_ok()) {
    call->fail(status, "parse");
    return call.get();
  }
  const bool is_posted = context.quick.try_post([call] {
    call->run([&] {
      call->subscribe();
      call->advance();
    });
  });
  if (!is_posted) call->fail(too_many_calls());
  return call.get();
}

void WatchCall::subscribe() {
  Result<std::unique_ptr<Subscription>> made =
      context_.engine.subscribe(job_id_, [weak = weak_from_this()](JobEvent event) {
        if (const auto self = weak.lock()) self->note(event);
      });
  if (!made.is_ok()) {
    fail(made.status());
    return;
  }
  std::unique_ptr<Subscription> subscription = std::move(made).value();
  const std::lock_guard lock(mutex_);
  if (!is_over_) subscription_ = std::move(subscription);
}

// The call outlives this: the subscription ends before the call does, and not while this runs.
void WatchCall::note(JobEvent event) {
  if (event == JobEvent::abandoned) is_abandoned_ = true;
  if (is_told_.exchange(true)) return;
  context_.quick.post([self = shared_from_this()] { self->run([&] { self->told(); }); });
}

void WatchCall::told() {
  is_told_ = false;
  {
    const std::lock_guard lock(mutex_);
    is_changed_ = true;
  }
  advance();
}

template <typename Work>
void WatchCall::run(Work work) {
  const Status done = guarded("job " + job_id_, [&] {
    work();
    return Status::ok();
  });
  if (!done.is_ok()) fail(done);
}

void WatchCall::advance() {
  {
    const std::lock_guard lock(mutex_);
    if (is_over_ || is_writing_ || !is_changed_) return;
    is_changed_ = false;
    is_writing_ = true;
  }
  const Result<JobSnapshot> job = context_.engine.find(job_id_);
  if (!job.is_ok()) {
    fail(job.status());
    return;
  }
  const bool is_last = is_final(job.value().state);
  {
    const std::lock_guard lock(mutex_);
    if (is_over_) return;
    if (!is_last && is_abandoned_) is_changed_ = true;
    is_last_ = is_last;
    to_bytes(job_to_proto(job.value()), message_);
    StartWrite(&message_);
  }
}

void WatchCall::OnWriteDone(bool is_written) {
  bool is_last = false;
  bool is_abandoned = false;
  {
    const std::lock_guard lock(mutex_);
    is_writing_ = false;
    is_last = is_last_ || !is_written;
    is_abandoned = is_abandoned_;
  }
  if (is_last) {
    finish([] { return grpc::Status::OK; });
  } else if (is_abandoned) {
    fail(unavailable("the daemon shuts down before job " + job_id_ +
                     " has ended; it goes on after the next start"));
  } else {
    context_.quick.post([self = shared_from_this()] { self->run([&] { self->advance(); }); });
  }
}

void WatchCall::fail(const Status& error, const char* phase) {
  const std::uint32_t retry_after_ms = context_.engine.retry_after_ms();
  const bool is_first = finish([&] { return rpc_error(*rpc_, error, {job_id_, phase, retry_after_ms}); });
  if (is_first && context_.options.on_error) context_.options.on_error("WatchJob", job_id_, error);
}

bool WatchCall::finish(const std::function<grpc::Status()>& status) {
  std::unique_ptr<Subscription> subscription;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  if (std::exchange(is_over_, true)) return false;
  subscription.swap(subscription_);
  Finish(status());
  return true;
}

void WatchCall::OnCancel() {
  finish([] { return grpc::Status(grpc::StatusCode::CANCELLED, "the client went away"); });
}

void WatchCall::OnDone() {
  const std::shared_ptr<WatchCall> self = std::move(self_);
}

}  // namespace cuzk
