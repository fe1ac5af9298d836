// Answers in the form in which gRPC sends them.
#pragma once

#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/codegen/proto_utils.h>

namespace cuzk {

// What `bytes` held before is dropped.
template <typename Message>
grpc::Status to_bytes(const Message& message, grpc::ByteBuffer& bytes) {
  bytes.Clear();
  bool is_owner = false;  // of no use for a buffer that frees itself
  return grpc::SerializationTraits<Message>::Serialize(message, &bytes, &is_owner);
}

}  // namespace cuzk
