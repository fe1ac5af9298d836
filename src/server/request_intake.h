// RequestIntake: a request for proofs between its receipt and the engine's taking it over. What it holds is counted twice: in the memory
// budget of the engine, and against the cap of all requests on their way. Internal to the gRPC service.
#pragma once

#include <cuzk/v1/proving.pb.h>

#include <optional>
#include <utility>

#include "server/proto_conversions.h"
#include "server/received_message.h"
#include "server/service_context.h"

namespace cuzk {

class RequestIntake {
 public:
  // Takes the bytes over.
  explicit RequestIntake(grpc::ByteBuffer& bytes) : message_(bytes) {}

  // Before anything is read. `kind`, if not null, gets the kind of proof as soon as that is known.
  //   invalid_argument    no message of this type, or one of too many fields
  //   resource_exhausted  over the cap, or the memory is full; with the figures
  Status admit(const google::protobuf::Descriptor& type, ServiceContext& context,
               std::optional<ProofKind>* kind);

  // Once. `Envelope` is SubmitProofRequest or has one as `submit`. invalid_argument as request_from_proto() says.
  template <typename Envelope>
  Result<ProofRequest> read() {
    Envelope envelope;
    CUZK_TRY(message_.read(envelope));
    if constexpr (std::is_same_v<Envelope, v1::SubmitProofRequest>) {
      return request_from_proto(std::move(envelope));
    } else {
      return request_from_proto(std::move(*envelope.mutable_submit()));
    }
  }
  MessageMemory take_memory() noexcept { return std::move(memory_); }

 private:
  ReceivedMessage message_;
  ByteGauge::Hold hold_;
  MessageMemory memory_;
};

// A message that carries no vanilla proofs. invalid_argument: none of this type, or larger than any needs to be.
Status read_small(const grpc::ByteBuffer& bytes, google::protobuf::Message& request);

template <typename Request>
Result<Request> read_small(const grpc::ByteBuffer& bytes) {
  Request request;
  CUZK_TRY(read_small(bytes, request));
  return request;
}

}  // namespace cuzk
