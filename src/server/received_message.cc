#include "server/received_message.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream.h>

#include <cuzk/v1/proving.pb.h>

#include <algorithm>
#include <string>

namespace cuzk {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::io::CodedInputStream;

// Twice this is what a field takes beside its content: a string on the heap and the pointer to it in the message, one in the ProofRequest.
constexpr std::uint64_t kFieldBytes = 64;
// Those of a ProofRequest that no field of the message fills.
constexpr std::uint64_t kEmptyFields = 4;

enum WireType : std::uint32_t { varint = 0, fixed64 = 1, length_delimited = 2, fixed32 = 5 };

// The slices one after the other.
class SliceStream : public google::protobuf::io::ZeroCopyInputStream {
 public:
  explicit SliceStream(const std::vector<grpc::Slice>& slices) : slices_(slices) {}

  bool Next(const void** data, int* size) override {
    if (unread_ == 0) {
      if (next_ == slices_.size()) return false;
      leave(next_);
      unread_ = slices_[next_++].size();
    }
    const grpc::Slice& slice = slices_[next_ - 1];
    *data = slice.end() - unread_;
    *size = static_cast<int>(unread_);
    read_ += static_cast<std::int64_t>(unread_);
    unread_ = 0;
    return true;
  }
  void BackUp(int count) override {
    unread_ += static_cast<std::size_t>(count);
    read_ -= count;
  }
  bool Skip(int count) override {
    const void* data = nullptr;
    int size = 0;
    while (count > 0 && Next(&data, &size)) {
      if (size > count) BackUp(size - count);
      count -= std::min(size, count);
    }
    return count == 0;
  }
  std::int64_t ByteCount() const override { return read_; }

 protected:
  // Slices before this one are not needed any more.
  virtual void leave(std::size_t /*next*/) {}

 private:
  const std::vector<grpc::Slice>& slices_;
  std::size_t next_ = 0;
  std::size_t unread_ = 0;  // of the slice before next_
  std::int64_t read_ = 0;
};

// Gives each slice back when the next one is asked for.
class ConsumingStream final : public SliceStream {
 public:
  explicit ConsumingStream(std::vector<grpc::Slice>& slices) : SliceStream(slices), slices_(slices) {}

 private:
  void leave(std::size_t next) override {
    if (next > 0) slices_[next - 1] = grpc::Slice();
  }
  std::vector<grpc::Slice>& slices_;
};

class Outliner {
 public:
  explicit Outliner(CodedInputStream& in) : in_(in) {}

  // False: not well-formed, or too many fields.
  bool message(const Descriptor& type) {
    while (const std::uint32_t tag = in_.ReadTag()) {
      if (++outline_.fields > ReceivedMessage::kMaxFields || !field(type, tag)) return false;
    }
    return in_.ConsumedEntireMessage();
  }
  const MessageOutline& outline() const noexcept { return outline_; }

 private:
  bool field(const Descriptor& type, std::uint32_t tag) {
    const auto number = static_cast<int>(tag >> 3);
    switch (tag & 7) {
      case WireType::varint:
        return varint(type, number);
      case WireType::fixed64:
        return in_.Skip(8);
      case WireType::length_delimited:
        return length_delimited(type.FindFieldByNumber(number));
      case WireType::fixed32:
        return in_.Skip(4);
      default:  // groups, which no message of ours has
        return false;
    }
  }
  bool varint(const Descriptor& type, int number) {
    std::uint64_t value = 0;
    if (!in_.ReadVarint64(&value)) return false;
    if (&type == v1::SubmitProofRequest::descriptor() &&
        number == v1::SubmitProofRequest::kProofKindFieldNumber)
      outline_.proof_kind = value;
    return true;
  }
  bool length_delimited(const FieldDescriptor* field) {
    std::uint32_t size = 0;
    if (!in_.ReadVarint32(&size) || size > static_cast<std::uint32_t>(INT32_MAX)) return false;
    const auto length = static_cast<int>(size);
    if (field == nullptr || field->message_type() == nullptr) return in_.Skip(length);
    const CodedInputStream::Limit outer = in_.PushLimit(length);
    const bool is_good = message(*field->message_type()) && in_.BytesUntilLimit() == 0;
    in_.PopLimit(outer);
    return is_good;
  }

  CodedInputStream& in_;
  MessageOutline outline_;
};

Status no_message(const std::string& type) {
  return invalid_argument("the request is no " + type + ", or was damaged on its way");
}

}  // namespace

ReceivedMessage::ReceivedMessage(grpc::ByteBuffer& buffer)
    : size_bytes_(buffer.Length()), is_whole_(buffer.Dump(&slices_).ok() || size_bytes_ == 0) {
  buffer.Clear();
}

Result<MessageOutline> ReceivedMessage::outline(const Descriptor& type) const {
  SliceStream stream(slices_);
  CodedInputStream in(&stream);
  Outliner outliner(in);
  const bool is_good = is_whole_ && outliner.message(type);
  if (outliner.outline().fields > kMaxFields)
    return invalid_argument("the request has more than " + std::to_string(kMaxFields) + " fields");
  if (!is_good) return no_message(type.full_name());
  return outliner.outline();
}

std::uint64_t ReceivedMessage::memory_bytes(const MessageOutline& outline) const noexcept {
  return size_bytes_ + kFieldBytes * (outline.fields + kEmptyFields) + sizeof(grpc::Slice) * slices_.size();
}

Status ReceivedMessage::read(google::protobuf::Message& message) {
  ConsumingStream stream(slices_);
  const bool is_good = is_whole_ && message.ParseFromZeroCopyStream(&stream);
  slices_ = {};
  return is_good ? Status::ok() : no_message(message.GetDescriptor()->full_name());
}

}  // namespace cuzk
