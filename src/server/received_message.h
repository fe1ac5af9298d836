// ReceivedMessage: a request as it came over the wire, before anything of it is read. Says what reading it will take, so that this can be
// reserved first, and gives its bytes back while it is read: both forms together never hold much more than the message twice.
//
// The wire format is that of Protocol Buffers (protobuf.dev/programming-guides/encoding).
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <grpcpp/support/byte_buffer.h>

#include <cstdint>
#include <vector>

#include "base/status.h"

namespace cuzk {

// What can be said of a message without reading it.
struct MessageOutline {
  std::uint64_t fields = 0;      // those of messages in it included
  std::uint64_t proof_kind = 0;  // of the last SubmitProofRequest in it
};

class ReceivedMessage {
 public:
  // Far above any request for proofs (2,349 sectors in a partition), and few enough to be counted by a thread of the network library.
  static constexpr std::uint64_t kMaxFields = 20'000;

  // Takes the bytes out of `buffer`.
  explicit ReceivedMessage(grpc::ByteBuffer& buffer);

  std::uint64_t size_bytes() const noexcept { return size_bytes_; }
  // invalid_argument: no message of this type, or one with more than kMaxFields fields.
  Result<MessageOutline> outline(const google::protobuf::Descriptor& type) const;
  // What read() and request_from_proto() take at most is twice this, and what their result holds is no more than this.
  std::uint64_t memory_bytes(const MessageOutline& outline) const noexcept;
  // Once: the bytes are gone afterwards. invalid_argument: no message of this type.
  Status read(google::protobuf::Message& message);

 private:
  std::vector<grpc::Slice> slices_;
  std::uint64_t size_bytes_;
  bool is_whole_;
};

}  // namespace cuzk
