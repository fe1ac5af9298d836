// Every backend of this build through the contract.
#include "contract/contract.h"

#include <gtest/gtest.h>

#include <ostream>

#include "cpu/cpu_backend.h"
#include "reference/reference_groth16.h"

namespace cuzk::contract {

void PrintTo(const Subject& subject,
             std::ostream* out) {  // NOLINT(readability-identifier-naming): gtest's name
  *out << subject.name;
}
void PrintTo(const Case& contract_case,
             std::ostream* out) {  // NOLINT(readability-identifier-naming): gtest's name
  *out << contract_case.name;
}

namespace {

std::vector<Subject> subjects() {
  return {{"reference", [] { return std::make_unique<reference::ReferenceBackend>(); }},
          {"cpu", [] { return std::make_unique<CpuBackend>(); }}};
}

class Contract : public testing::TestWithParam<std::tuple<Subject, Case>> {};

TEST_P(Contract, Holds) {
  const auto& [subject, contract_case] = GetParam();
  const Status verdict = contract_case.run(subject);
  EXPECT_TRUE(verdict.is_ok()) << verdict.message();
}

INSTANTIATE_TEST_SUITE_P(All, Contract,
                         testing::Combine(testing::ValuesIn(subjects()), testing::ValuesIn(cases())),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).name) + "_" +
                                  std::get<1>(test.param).name;
                         });

}  // namespace
}  // namespace cuzk::contract
