// OpenSSL's EVP, with the algorithm fetched once per process and the context kept per thread: a fetch or an
// allocation per message would cost more than hashing a node.
#include "hash/sha256.h"

#include <openssl/evp.h>

#include <vector>

#include "base/check.h"

namespace cuzk {
namespace {

const EVP_MD* sha256_algorithm() noexcept {
  static EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  CUZK_CHECK(algorithm != nullptr, "OpenSSL has no SHA-256");
  return algorithm;
}

// The contexts of this thread that no Sha256 object holds.
class ContextStore {
 public:
  ~ContextStore() {
    for (EVP_MD_CTX* context : free_) EVP_MD_CTX_free(context);
  }
  EVP_MD_CTX* take() noexcept {
    if (free_.empty()) {
      EVP_MD_CTX* const context = EVP_MD_CTX_new();
      CUZK_CHECK(context != nullptr, "out of memory");
      return context;
    }
    EVP_MD_CTX* const context = free_.back();
    free_.pop_back();
    return context;
  }
  void give_back(EVP_MD_CTX* context) noexcept { free_.push_back(context); }

 private:
  std::vector<EVP_MD_CTX*> free_;
};

ContextStore& contexts() noexcept {
  thread_local ContextStore store;
  return store;
}

EVP_MD_CTX* evp(void* context) noexcept {
  return static_cast<EVP_MD_CTX*>(context);
}

}  // namespace

Sha256::Sha256() noexcept : context_(contexts().take()) {
  CUZK_CHECK(EVP_DigestInit_ex2(evp(context_), sha256_algorithm(), nullptr) == 1, "EVP_DigestInit_ex2");
}

Sha256::~Sha256() {
  contexts().give_back(evp(context_));
}

Sha256& Sha256::update(std::span<const std::uint8_t> bytes) noexcept {
  CUZK_CHECK(EVP_DigestUpdate(evp(context_), bytes.data(), bytes.size()) == 1, "EVP_DigestUpdate");
  return *this;
}

Sha256& Sha256::update(std::string_view text) noexcept {
  CUZK_CHECK(EVP_DigestUpdate(evp(context_), text.data(), text.size()) == 1, "EVP_DigestUpdate");
  return *this;
}

Sha256& Sha256::update_u64_le(std::uint64_t value) noexcept {
  std::uint8_t bytes[8];
  store_le(bytes, value);
  return update(bytes);
}
Sha256& Sha256::update_u64_be(std::uint64_t value) noexcept {
  std::uint8_t bytes[8];
  store_be(bytes, value);
  return update(bytes);
}
Sha256& Sha256::update_u32_le(std::uint32_t value) noexcept {
  std::uint8_t bytes[4];
  store_le(bytes, value);
  return update(bytes);
}
Sha256& Sha256::update_u32_be(std::uint32_t value) noexcept {
  std::uint8_t bytes[4];
  store_be(bytes, value);
  return update(bytes);
}

Bytes32 Sha256::digest() noexcept {
  Bytes32 out;
  CUZK_CHECK(EVP_DigestFinal_ex(evp(context_), out.data(), nullptr) == 1, "EVP_DigestFinal_ex");
  return out;
}

Bytes32 sha256(std::span<const std::uint8_t> message) noexcept {
  return Sha256().update(message).digest();
}

Bytes32 sha256_node(const Bytes32& left, const Bytes32& right) noexcept {
  std::array<std::uint8_t, 64> message;
  std::memcpy(message.data(), left.data(), 32);
  std::memcpy(message.data() + 32, right.data(), 32);
  return truncate_254(sha256(message));
}

}  // namespace cuzk
