// Status and Result<T>: how every layer reports what it could not do.
//
// Four kinds of failure exist. A bug is a CUZK_CHECK (check.h) and ends the process. Bad input, a missing
// file or a full budget is a Status that travels to whoever can act on it. An exception of a third-party
// library is caught where that library is called. An invalid proof has its own code and is never returned as
// a proof.
//
// The codes carry the numbers of gRPC's canonical codes, so a server maps them one to one.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/check.h"

namespace cuzk {

enum class StatusCode : int {
  ok = 0,
  cancelled = 1,
  invalid_argument = 3,    // the input is wrong; trying again will not help
  not_found = 5,           // no such job
  already_exists = 6,      // the same request id with other content
  resource_exhausted = 8,  // memory or queue is full; trying again later may help
  not_satisfied = 9,       // well-formed input that does not satisfy the circuit; permanent
  internal = 13,           // a fault of this program or machine
  unavailable = 14,        // a parameter file, device or service is not there; fix it, then try again
  prover_fault = 15,       // a proof was made and failed verification; trying again may help
};

// The stable lower-case name of a code, as it appears in logs, JSON and errors.
const char* status_code_name(StatusCode code) noexcept;

// Success, or a code and one sentence that says what was wrong, where, found and wanted.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  static Status ok() noexcept { return {}; }
  bool is_ok() const noexcept { return code_ == StatusCode::ok; }
  StatusCode code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }

  // The same failure with `context: ` before its message. Does nothing to success.
  Status with_context(const std::string& context) const;
  // "<code name>: <message>", or "ok".
  std::string to_string() const;

 private:
  StatusCode code_ = StatusCode::ok;
  std::string message_;
};

Status invalid_argument(std::string message);
Status not_satisfied(std::string message);
Status resource_exhausted(std::string message);
Status unavailable(std::string message);
Status prover_fault(std::string message);
Status internal_error(std::string message);

// A value, or the Status that says why there is none. value() on a failure is a bug and checked.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) {
    CUZK_CHECK(!status_.is_ok(), "a Result without a value needs a failure");
  }

  bool is_ok() const noexcept { return value_.has_value(); }
  const Status& status() const noexcept { return status_; }
  T& value() & {
    CUZK_CHECK(is_ok(), "value() of a failed Result");
    return *value_;
  }
  const T& value() const& {
    CUZK_CHECK(is_ok(), "value() of a failed Result");
    return *value_;
  }
  T&& value() && {
    CUZK_CHECK(is_ok(), "value() of a failed Result");
    return *std::move(value_);
  }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace cuzk

// Returns the failure of `expr` (a Status) from the enclosing function.
#define CUZK_TRY(expr)                                    \
  do {                                                    \
    ::cuzk::Status cuzk_try_status = (expr);              \
    if (!cuzk_try_status.is_ok()) return cuzk_try_status; \
  } while (false)

#define CUZK_CONCAT_INNER(a, b) a##b
#define CUZK_CONCAT(a, b) CUZK_CONCAT_INNER(a, b)
// `CUZK_ASSIGN(auto x, expr)`: x from a Result, or returns its failure from the enclosing function.
#define CUZK_ASSIGN(declaration, expr) \
  CUZK_ASSIGN_INNER(declaration, expr, CUZK_CONCAT(cuzk_result_, __LINE__))
#define CUZK_ASSIGN_INNER(declaration, expr, result) \
  auto result = (expr);                              \
  if (!result.is_ok()) return result.status();       \
  declaration = std::move(result).value()
