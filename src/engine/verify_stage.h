// The stage `verify`: a proof is checked against what the statement implies before anybody sees it. The statement is prepared while
// the proof is made, so that little is left to do once it is there.
#pragma once

#include "engine/engine_core.h"

namespace cuzk {

class VerifyStage {
 public:
  explicit VerifyStage(EngineCore& core) : core_(core) {}
  void commit(StatementItem item);
  void run(ProofItem item);

 private:
  Status check(const ProofItem& item, const std::optional<CommittedStatement>& statement) const;
  // The mutex is held.
  void settle_wrong(const ProofItem& item, bool statement_differs, const Status& verdict);

  EngineCore& core_;
};

}  // namespace cuzk
