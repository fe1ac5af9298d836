// The stage before readiness: the circuits of the configuration are loaded and the workers warmed up. What fails is tried again until it
// succeeds, while jobs come and go; the engine is ready when all has succeeded.
//
// A first attempt may evict other circuits, as any load may. Later ones may not: circuits that do not fit together would evict one another for
// ever, and take turns with those that jobs need.
#pragma once

#include <string>
#include <vector>

#include "engine/engine_core.h"

namespace cuzk {

class PreloadStage {
 public:
  explicit PreloadStage(EngineCore& core) : core_(core) {}
  // Returns when the engine is ready or ends.
  void run();
  // Loads on every usable worker; the outcome is `resident` if it is on one of them.
  SrsLoad load_everywhere(const CircuitParameters& circuit);

 private:
  // A circuit to be loaded, or a worker to be warmed up.
  struct Task {
    std::string complaint;  // empty: done, or not tried yet
    unsigned attempts = 0;
    EngineTime retry_at{};
  };
  void note_failure(Task& task, const std::string& complaint);
  std::string preload_all();
  std::string warm_up_all();
  void preload(const CircuitParameters& circuit, Task& task);
  bool is_resident(const CircuitParameters& circuit) const;
  bool has_room(const CircuitParameters& circuit) const;

  EngineCore& core_;
  std::vector<Task> circuits_ = std::vector<Task>(core_.config.preload.size());
  std::vector<Task> warm_ups_ = std::vector<Task>(core_.workers.size());
};

}  // namespace cuzk
