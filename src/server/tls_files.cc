#include "server/tls_files.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>

namespace cuzk {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using PrivateKey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

Result<std::string> read_file(const std::string& what, const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    return invalid_argument("TLS " + what + " " + path.string() +
                            " cannot be read: " + std::generic_category().message(errno));
  return text;
}

Bio bio_of(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

Certificate certificate_of(const std::string& pem) {
  const Bio bio = bio_of(pem);
  return {PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr), &X509_free};
}

// A key with a passphrase is not asked for one: the terminal is nobody's.
int no_passphrase(char*, int, int, void*) {
  return -1;
}

PrivateKey private_key_of(const std::string& pem) {
  const Bio bio = bio_of(pem);
  return {PEM_read_bio_PrivateKey(bio.get(), nullptr, &no_passphrase, nullptr), &EVP_PKEY_free};
}

}  // namespace

Result<TlsContents> read_tls_files(const TlsFiles& files) {
  TlsContents contents;
  CUZK_ASSIGN(contents.certificate, read_file("certificate", files.certificate));
  CUZK_ASSIGN(contents.private_key, read_file("private key", files.private_key));
  const Certificate certificate = certificate_of(contents.certificate);
  if (!certificate)
    return invalid_argument("TLS certificate " + files.certificate.string() + " holds no PEM certificate");
  const PrivateKey key = private_key_of(contents.private_key);
  if (!key)
    return invalid_argument("TLS private key " + files.private_key.string() +
                            " holds no PEM private key, or one with a passphrase");
  if (X509_check_private_key(certificate.get(), key.get()) != 1)
    return invalid_argument("TLS private key " + files.private_key.string() + " is not that of certificate " +
                            files.certificate.string());
  if (files.client_ca.empty()) return contents;
  CUZK_ASSIGN(contents.client_ca, read_file("client authority", files.client_ca));
  if (!certificate_of(contents.client_ca))
    return invalid_argument("TLS client authority " + files.client_ca.string() + " holds no PEM certificate");
  return contents;
}

}  // namespace cuzk
