#include "engine/event_queue.h"

namespace cuzk {

EventQueue::EventQueue(EngineObserver* observer) : observer_(observer) {
  if (observer_ != nullptr) thread_ = std::thread([this] { work(); });
}

EventQueue::~EventQueue() {
  if (observer_ == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void EventQueue::span_ended(JobSnapshot job, PhaseSpan span) {
  push([job = std::move(job), span = std::move(span)](EngineObserver& observer) {
    observer.span_ended(job, span);
  });
}

void EventQueue::job_changed(JobSnapshot job) {
  push([job = std::move(job)](EngineObserver& observer) { observer.job_changed(job); });
}

void EventQueue::note(EngineObserver::Level level, std::string text) {
  push([level, text = std::move(text)](EngineObserver& observer) { observer.note(level, text); });
}

void EventQueue::push(Event event) {
  if (observer_ == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }
  changed_.notify_all();
}

void EventQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !events_.empty(); });
    if (events_.empty()) return;
    std::deque<Event> events;
    events.swap(events_);
    lock.unlock();
    for (const Event& event : events) event(*observer_);
    lock.lock();
  }
}

}  // namespace cuzk
