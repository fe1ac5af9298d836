// EventQueue: tells an EngineObserver of events, in the order in which they happened and on a thread of its own, so that no stage
// waits for an observer and none calls it with a lock held.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "engine/engine.h"

namespace cuzk {

// Thread-safe.
class EventQueue {
 public:
  // `observer` may be null: events are dropped then.
  explicit EventQueue(EngineObserver* observer);
  // Delivers what is left.
  ~EventQueue();
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  // Snapshots are without spans and proof.
  void span_ended(JobSnapshot job, PhaseSpan span);
  void job_changed(JobSnapshot job);
  void note(EngineObserver::Level level, std::string text);

 private:
  using Event = std::function<void(EngineObserver&)>;
  void push(Event event);
  void work();

  EngineObserver* const observer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace cuzk
