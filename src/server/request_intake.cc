#include "server/request_intake.h"

#include <string>

namespace cuzk {
namespace {

constexpr std::uint64_t kMaxSmallMessage = std::uint64_t{256} << 10;

Status over_cap(std::uint64_t size, const ByteGauge& gauge) {
  const std::string message = "the request has " + std::to_string(size) + " bytes; ";
  if (size > gauge.limit())
    return resource_exhausted(message + "all requests on their way may hold " +
                              std::to_string(gauge.limit()) + " together (server.max_bytes_in_flight)");
  return resource_exhausted(message + "requests being handled hold " + std::to_string(gauge.held()) +
                            " of the " + std::to_string(gauge.limit()) + " bytes allowed; try again later");
}

}  // namespace

Status RequestIntake::admit(const google::protobuf::Descriptor& type, ServiceContext& context,
                            std::optional<ProofKind>* kind) {
  CUZK_ASSIGN(const MessageOutline outline, message_.outline(type));
  const Result<ProofKind> found = kind_from_proto(static_cast<std::int64_t>(outline.proof_kind));
  if (kind != nullptr && found.is_ok()) *kind = found.value();
  hold_ = context.bytes->hold(message_.size_bytes());
  if (!hold_) return over_cap(message_.size_bytes(), *context.bytes);
  CUZK_ASSIGN(memory_, context.engine.reserve_message(message_.memory_bytes(outline)));
  return Status::ok();
}

Status read_small(const grpc::ByteBuffer& bytes, google::protobuf::Message& request) {
  const std::uint64_t size = bytes.Length();
  const std::string& type = request.GetDescriptor()->full_name();
  if (size > kMaxSmallMessage)
    return invalid_argument("the request has " + std::to_string(size) + " bytes; a " + type + " has " +
                            std::to_string(kMaxSmallMessage) + " at most");
  grpc::ByteBuffer copy = bytes;
  return ReceivedMessage(copy).read(request);
}

}  // namespace cuzk
