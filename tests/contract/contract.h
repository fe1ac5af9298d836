// What every backend must do, as a list of cases that take the backend to test. Answers are compared byte for byte with
// the reference implementation (tests/reference), refusals by code and by the names and numbers in the message.
//
// The cases return a verdict instead of using a test framework's assertions, so that the suite itself can be tested: a
// deliberately faulty backend must fail it (faulty_backend_test.cc).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "groth16/backend.h"

namespace cuzk::contract {

struct Subject {
  std::string_view name;  // what Backend::name() must answer
  std::function<std::unique_ptr<Backend>()> make;
};

struct Case {
  std::string name;
  // Success, or what was wrong.
  std::function<Status(const Subject&)> run;
};

// All cases.
std::vector<Case> cases();

// The two halves of cases().
std::vector<Case> proof_cases();
std::vector<Case> refusal_cases();

}  // namespace cuzk::contract
