#include "vanilla/registered_post.h"

#include <array>

namespace cuzk {
namespace {

struct Variant {
  PostKind kind;
  ApiVersion api_version;
  std::string_view go_suffix;
  std::string_view suffix;
};
// In order of the numbers, one group of five sizes each.
constexpr std::array<Variant, 3> kVariants = {{
    {PostKind::winning, ApiVersion::v1_0_0, "V1", "V1"},
    {PostKind::window, ApiVersion::v1_0_0, "V1", "V1"},
    {PostKind::window, ApiVersion::v1_2_0, "V1_1", "V1_2"},
}};

unsigned variant_index(const RegisteredPost& post) noexcept {
  return post.kind == PostKind::winning ? 0 : post.api_version == ApiVersion::v1_0_0 ? 1 : 2;
}

std::string name_with(const RegisteredPost& post, std::string_view suffix) {
  return std::string("StackedDrg") + (post.kind == PostKind::winning ? "Winning" : "Window") +
         post.shape->name + std::string(suffix);
}

RegisteredPost make(const SectorShape& shape, unsigned variant) {
  RegisteredPost post = {&shape, kVariants[variant].kind, kVariants[variant].api_version, std::nullopt};
  if (const auto index = registered_size_index(shape)) post.number = variant * kRegisteredSizes + *index;
  return post;
}

}  // namespace

const char* post_kind_name(PostKind kind) noexcept {
  return kind == PostKind::winning ? "winning" : "window";
}

unsigned post_challenge_count(PostKind kind) noexcept {
  return kind == PostKind::winning ? kWinningChallenges : kWindowChallenges;
}

std::string RegisteredPost::go_name() const {
  return name_with(*this, kVariants[variant_index(*this)].go_suffix);
}
std::string RegisteredPost::name() const {
  return name_with(*this, kVariants[variant_index(*this)].suffix);
}

Result<RegisteredPost> registered_post(PostKind kind, const SectorShape& shape, ApiVersion api_version) {
  for (unsigned variant = 0; variant < kVariants.size(); ++variant) {
    if (kVariants[variant].kind == kind && kVariants[variant].api_version == api_version)
      return make(shape, variant);
  }
  return invalid_argument(std::string("no ") + post_kind_name(kind) + " PoSt has API version " +
                          api_version_name(api_version));
}

Result<RegisteredPost> registered_post_from_number(std::uint64_t number) {
  if (number >= kVariants.size() * kRegisteredSizes) {
    return invalid_argument("no PoSt proof has number " + std::to_string(number) + " (0 to 14 exist)");
  }
  return make(registered_size(static_cast<unsigned>(number % kRegisteredSizes)),
              static_cast<unsigned>(number / kRegisteredSizes));
}

Result<RegisteredPost> registered_post_from_name(std::string_view name) {
  for (const SectorShape& shape : all_sector_shapes()) {
    for (unsigned variant = 0; variant < kVariants.size(); ++variant) {
      const RegisteredPost post = make(shape, variant);
      if (post.name() == name || post.go_name() == name) return post;
    }
  }
  return invalid_argument("unknown PoSt proof \"" + std::string(name.substr(0, 80)) + "\"");
}

}  // namespace cuzk
