// The calls of cuzk.v1.ProvingEngine. Internal to the gRPC server.
#pragma once

#include <grpcpp/impl/service_type.h>

#include <memory>

#include "server/service_context.h"

namespace cuzk {

// `context` must outlive the service.
std::unique_ptr<grpc::Service> make_proving_service(ServiceContext& context);

}  // namespace cuzk
