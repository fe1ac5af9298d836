#include "server/job_wait.h"

#include <utility>

#include "engine/guarded.h"

namespace cuzk {
namespace {

// Far enough for anybody, near enough for every clock.
constexpr std::chrono::hours kLongestTimeout{24 * 365};

}  // namespace

JobWait::JobWait(Engine& engine, TaskPool& pool, std::string job_id, Done done)
    : engine_(engine), pool_(pool), job_id_(std::move(job_id)), done_(std::move(done)) {}

std::shared_ptr<JobWait> JobWait::start(Engine& engine, TaskPool& pool, const std::string& job_id,
                                        std::optional<std::chrono::milliseconds> timeout, Done done) {
  std::shared_ptr<JobWait> wait(new JobWait(engine, pool, job_id, std::move(done)));
  pool.post([wait, timeout] {
    const Status begun = guarded("job " + wait->job_id_, [&] {
      wait->subscribe();
      if (timeout) wait->set_timer(*timeout);
      return Status::ok();
    });
    if (begun.is_ok()) return;
    if (const Done end = wait->take_done()) end(begun, false);
  });
  return wait;
}

void JobWait::subscribe() {
  Result<std::unique_ptr<Subscription>> made = engine_.subscribe(job_id_, [weak = weak_from_this(),
                                                                           &pool = pool_](JobEvent event) {
    if (event == JobEvent::changed) return;
    const Reason reason = event == JobEvent::ended ? Reason::ended : Reason::abandoned;
    if (auto self = weak.lock())
      pool.post([self = std::move(self), reason]() mutable { std::exchange(self, nullptr)->end(reason); });
  });
  if (!made.is_ok()) {
    if (const Done done = take_done()) done(made.status(), false);
    return;
  }
  std::unique_ptr<Subscription> subscription = std::move(made).value();
  const std::lock_guard lock(mutex_);
  if (done_) subscription_ = std::move(subscription);
}

void JobWait::set_timer(std::chrono::milliseconds timeout) {
  const std::lock_guard lock(mutex_);
  if (!done_) return;
  timer_ = std::make_unique<grpc::Alarm>();
  const auto deadline =
      std::chrono::system_clock::now() + std::min<std::chrono::milliseconds>(timeout, kLongestTimeout);
  timer_->Set(deadline, [weak = weak_from_this(), &pool = pool_](bool is_due) {
    if (!is_due) return;
    if (auto self = weak.lock()) pool.post([self] { self->end(Reason::timeout); });
  });
}

JobWait::Done JobWait::take_done() {
  // Destroyed after the lock is released: their destructors wait for callbacks.
  std::unique_ptr<Subscription> subscription;
  std::unique_ptr<grpc::Alarm> timer;
  const std::lock_guard lock(mutex_);
  subscription.swap(subscription_);
  timer.swap(timer_);
  return std::exchange(done_, nullptr);
}

void JobWait::give_up() {
  const Done unused = take_done();
}

void JobWait::end(Reason reason) {
  const Done done = take_done();
  if (!done) return;
  done(guarded("job " + job_id_, [&] { return outcome(reason); }), reason == Reason::timeout);
}

Result<JobSnapshot> JobWait::outcome(Reason reason) {
  if (reason == Reason::abandoned)
    return unavailable("the daemon shuts down before job " + job_id_ +
                       " has ended; it goes on after the next start, ask again then");
  return engine_.find(job_id_);
}

}  // namespace cuzk
