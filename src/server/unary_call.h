// UnaryCall: one call with one answer, given by any thread at any later time, or never because the client went away first. The answer is
// a message on our side and bytes on that of gRPC.
// Internal to the gRPC service.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "server/message_bytes.h"
#include "server/rpc_error.h"
#include "server/service_context.h"

namespace cuzk {

// The first of succeed(), fail() and the client's going away ends the call; what comes later does nothing. Thread-safe.
template <typename Response>
class UnaryCall final : public grpc::ServerUnaryReactor,
                        public std::enable_shared_from_this<UnaryCall<Response>> {
 public:
  // Lives until gRPC is done with it and nobody holds it. `name` and `phase` are literals.
  static std::shared_ptr<UnaryCall> start(ServiceContext& context, const char* name, const char* phase,
                                          grpc::CallbackServerContext* rpc, grpc::ByteBuffer* response) {
    std::shared_ptr<UnaryCall> call(new UnaryCall(context, name, phase, rpc, response));
    call->self_ = call;
    return call;
  }

  bool is_over() const noexcept { return is_over_; }

  void succeed(const Response& response) {
    if (is_over_.exchange(true)) return;
    Finish(to_bytes(response, *response_));
  }

  void fail(const Status& error, const std::string& job_id = {}, const char* phase = nullptr) {
    if (is_over_.exchange(true)) return;
    Finish(rpc_error(*rpc_, error,
                     {job_id, phase != nullptr ? phase : phase_, context_.engine.retry_after_ms()}));
    if (context_.options.on_error) context_.options.on_error(name_, job_id, error);
  }

  // Called once when the client has cancelled, hung up or run out of its deadline, also if that was before.
  void when_gone(std::function<void()> react) {
    {
      const std::lock_guard lock(mutex_);
      if (!is_gone_) {
        when_gone_ = std::move(react);
        return;
      }
    }
    react();
  }

 private:
  UnaryCall(ServiceContext& context, const char* name, const char* phase, grpc::CallbackServerContext* rpc,
            grpc::ByteBuffer* response)
      : context_(context), name_(name), phase_(phase), rpc_(rpc), response_(response) {}

  void OnCancel() override {
    std::function<void()> react;
    {
      const std::lock_guard lock(mutex_);
      is_gone_ = true;
      react = std::exchange(when_gone_, nullptr);
    }
    if (react) react();
    if (!is_over_.exchange(true)) Finish(grpc::Status(grpc::StatusCode::CANCELLED, "the client went away"));
  }

  void OnDone() override {
    std::function<void()> unused;
    {
      const std::lock_guard lock(mutex_);
      unused = std::exchange(when_gone_, nullptr);
    }
    unused = nullptr;
    const std::shared_ptr<UnaryCall> self = std::move(self_);
  }

  ServiceContext& context_;
  const char* const name_;
  const char* const phase_;
  grpc::CallbackServerContext* const rpc_;  // this and response_ only by who ends the call
  grpc::ByteBuffer* const response_;
  std::atomic<bool> is_over_ = false;
  std::mutex mutex_;
  bool is_gone_ = false;
  std::function<void()> when_gone_;
  std::shared_ptr<UnaryCall> self_;
};

}  // namespace cuzk
