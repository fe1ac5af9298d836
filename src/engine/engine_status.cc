#include "engine/engine_status.h"

namespace cuzk {

const char* srs_tier_name(SrsTier tier) noexcept {
  switch (tier) {
    case SrsTier::hot:
      return "hot";
    case SrsTier::warm:
      return "warm";
    case SrsTier::cold:
      return "cold";
  }
  return "unknown";
}

const char* srs_state_name(SrsState state) noexcept {
  switch (state) {
    case SrsState::ready:
      return "ready";
    case SrsState::loading:
      return "loading";
    case SrsState::missing:
      return "missing";
    case SrsState::invalid:
      return "invalid";
    case SrsState::refused:
      return "refused";
  }
  return "unknown";
}

}  // namespace cuzk
