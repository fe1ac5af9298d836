// WatchCall: one WatchJob stream. The engine tells of changes; a change while a message is on its way is merged into the next one.
// Internal to the gRPC service.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "server/service_context.h"

namespace cuzk {

class WatchCall final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                        public std::enable_shared_from_this<WatchCall> {
 public:
  // Lives until gRPC is done with it and nobody holds it. Without a job id the call fails, for the reason given.
  static WatchCall* start(ServiceContext& context, grpc::CallbackServerContext* rpc,
                          Result<std::string> job_id);

 private:
  WatchCall(ServiceContext& context, grpc::CallbackServerContext* rpc, std::string job_id);
  void subscribe();
  // By a thread of the engine, perhaps under its lock.
  void note(JobEvent event);
  void told();
  // `work`, or the failure of the call if it throws.
  template <typename Work>
  void run(Work work);
  // Writes the job as it is if something has changed and nothing is being written.
  void advance();
  void fail(const Status& error, const char* phase = "lookup");
  // False if the call is over already.
  bool finish(const std::function<grpc::Status()>& status);

  void OnWriteDone(bool is_written) override;
  void OnCancel() override;
  void OnDone() override;

  ServiceContext& context_;
  grpc::CallbackServerContext* const rpc_;
  const std::string job_id_;
  std::mutex
      mutex_;  // held over StartWrite and Finish, so that no write follows the end; never while the engine calls
  bool is_over_ = false;
  bool is_writing_ = false;
  bool is_changed_ = true;
  bool is_last_ = false;  // what is being written is the final state
  grpc::ByteBuffer message_;
  std::unique_ptr<Subscription> subscription_;
  std::atomic<bool> is_told_ = false;  // told() is on its way
  std::atomic<bool> is_abandoned_ = false;
  std::shared_ptr<WatchCall> self_;
};

}  // namespace cuzk
