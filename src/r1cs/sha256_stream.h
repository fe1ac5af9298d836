// Sha256Stream: SHA-256 over bytes that come in pieces, by OpenSSL's fastest code for this processor.
#pragma once

#include <openssl/evp.h>

#include <memory>

#include "base/bytes.h"
#include "base/check.h"

namespace cuzk {

class Sha256Stream {
 public:
  Sha256Stream() {
    CUZK_CHECK(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1, "SHA-256 of OpenSSL");
  }

  void update(const void* data, std::size_t size) {
    CUZK_CHECK(EVP_DigestUpdate(context_.get(), data, size) == 1, "SHA-256 of OpenSSL");
  }
  // The digest of everything so far; more may follow.
  Bytes32 digest_so_far() const {
    const Context copy(EVP_MD_CTX_new());
    Bytes32 digest;
    CUZK_CHECK(EVP_MD_CTX_copy_ex(copy.get(), context_.get()) == 1 &&
                   EVP_DigestFinal_ex(copy.get(), digest.data(), nullptr) == 1,
               "SHA-256 of OpenSSL");
    return digest;
  }

 private:
  struct ContextDeleter {
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
  };
  using Context = std::unique_ptr<EVP_MD_CTX, ContextDeleter>;
  Context context_{EVP_MD_CTX_new()};
};

}  // namespace cuzk
