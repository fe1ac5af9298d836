#include "engine/engine.h"

#include "engine/circuit_id.h"
#include "engine/engine_impl.h"
#include "engine/guarded.h"

namespace cuzk {

Result<std::unique_ptr<Engine>> Engine::create(EngineConfig config,
                                               std::vector<std::unique_ptr<Backend>> backends,
                                               std::unique_ptr<Journal> journal, EngineObserver* observer) {
  if (backends.empty()) return invalid_argument("an engine needs at least one backend");
  if (config.max_jobs == 0) return invalid_argument("max_jobs is 0: no job could ever be accepted");
  if (config.max_circuits == 0) return invalid_argument("max_circuits is 0: no witness could ever be made");
  if (config.age_step <= std::chrono::milliseconds(0))
    return invalid_argument("age_step is " + std::to_string(config.age_step.count()) +
                            " ms, above 0 is wanted");
  for (const auto* ids : {&config.preload, &config.pin}) {
    for (const std::string& id : *ids) {
      const Status known = find_circuit(id).status();
      if (!known.is_ok()) return invalid_argument(known.message());
    }
  }
  // The system may have no thread or no memory left.
  return guarded("the engine cannot start", [&]() -> Result<std::unique_ptr<Engine>> {
    auto engine =
        std::make_unique<EngineImpl>(std::move(config), std::move(backends), std::move(journal), observer);
    CUZK_TRY(engine->start());
    return std::unique_ptr<Engine>(std::move(engine));
  });
}

}  // namespace cuzk
