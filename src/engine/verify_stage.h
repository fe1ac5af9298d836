// The stage `verify`: a proof is checked against what the statement implies before anybody sees it.
#pragma once

#include "engine/engine_core.h"

namespace cuzk {

class VerifyStage {
 public:
  explicit VerifyStage(EngineCore& core) : core_(core) {}
  void run(ProofItem item);

 private:
  // The mutex is held.
  void settle_wrong(const ProofItem& item, bool statement_differs, const Status& verdict);

  EngineCore& core_;
};

}  // namespace cuzk
