#include "base/status.h"

namespace cuzk {

const char* status_code_name(StatusCode code) noexcept {
  switch (code) {
    case StatusCode::ok:
      return "ok";
    case StatusCode::cancelled:
      return "cancelled";
    case StatusCode::invalid_argument:
      return "invalid_argument";
    case StatusCode::not_found:
      return "not_found";
    case StatusCode::already_exists:
      return "already_exists";
    case StatusCode::resource_exhausted:
      return "resource_exhausted";
    case StatusCode::not_satisfied:
      return "not_satisfied";
    case StatusCode::internal:
      return "internal";
    case StatusCode::unavailable:
      return "unavailable";
    case StatusCode::prover_fault:
      return "prover_fault";
  }
  return "unknown";
}

Status Status::with_context(const std::string& context) const {
  if (is_ok()) return *this;
  return {code_, context + ": " + message_};
}

std::string Status::to_string() const {
  if (is_ok()) return "ok";
  return std::string(status_code_name(code_)) + ": " + message_;
}

Status invalid_argument(std::string message) {
  return {StatusCode::invalid_argument, std::move(message)};
}
Status not_satisfied(std::string message) {
  return {StatusCode::not_satisfied, std::move(message)};
}
Status resource_exhausted(std::string message) {
  return {StatusCode::resource_exhausted, std::move(message)};
}
Status unavailable(std::string message) {
  return {StatusCode::unavailable, std::move(message)};
}
Status prover_fault(std::string message) {
  return {StatusCode::prover_fault, std::move(message)};
}
Status internal_error(std::string message) {
  return {StatusCode::internal, std::move(message)};
}

}  // namespace cuzk
