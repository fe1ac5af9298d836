#include "server/tls_files.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>
#include <vector>

namespace cuzk {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using PrivateKey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using TlsContext = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

// A file and what it is for.
struct Source {
  const char* what;
  const std::filesystem::path& path;

  std::string name() const { return std::string("TLS ") + what + " " + path.string(); }
};

Result<std::string> read_file(const Source& source) {
  std::ifstream file(source.path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    return invalid_argument(source.name() + " cannot be read: " + std::generic_category().message(errno));
  return text;
}

Bio bio_of(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

// The last thing that OpenSSL complained of, in its words.
std::string last_reason() {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return reason == nullptr ? "no reason given" : reason;
}

// All of them: gRPC would silently do without those after a damaged one.
Result<std::vector<Certificate>> certificates_in(const Source& source, const std::string& pem) {
  const Bio bio = bio_of(pem);
  std::vector<Certificate> certificates;
  ERR_clear_error();
  while (X509* certificate = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr))
    certificates.emplace_back(certificate, &X509_free);
  const bool is_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string reason = last_reason();
  if (!is_end)
    return invalid_argument(source.name() + ": certificate " + std::to_string(certificates.size() + 1) +
                            " in it is damaged: " + reason);
  if (certificates.empty()) return invalid_argument(source.name() + " holds no PEM certificate");
  return certificates;
}

// A key with a passphrase is not asked for one: the terminal is nobody's.
int no_passphrase(char*, int, int, void*) {
  return -1;
}

PrivateKey private_key_of(const std::string& pem) {
  const Bio bio = bio_of(pem);
  return {PEM_read_bio_PrivateKey(bio.get(), nullptr, &no_passphrase, nullptr), &EVP_PKEY_free};
}

// What the network library will do with them, which then only says that it failed.
Status try_use(const Source& source, const std::vector<Certificate>& chain, EVP_PKEY& key) {
  const TlsContext context(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free);
  if (!context) return internal_error("TLS cannot be set up: " + last_reason());
  bool is_good = SSL_CTX_use_certificate(context.get(), chain.front().get()) == 1;
  for (std::size_t i = 1; i < chain.size(); ++i)
    is_good = is_good && SSL_CTX_add1_chain_cert(context.get(), chain[i].get()) == 1;
  is_good = is_good && SSL_CTX_use_PrivateKey(context.get(), &key) == 1;
  return is_good ? Status::ok() : invalid_argument(source.name() + " cannot be used: " + last_reason());
}

std::string end_of_validity(const X509& certificate) {
  const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
  ASN1_TIME_print(bio.get(), X509_get0_notAfter(&certificate));
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace

Result<TlsContents> read_tls_files(const TlsFiles& files) {
  const Source certificate{"certificate", files.certificate};
  const Source private_key{"private key", files.private_key};
  const Source client_ca{"client authority", files.client_ca};
  TlsContents contents;
  CUZK_ASSIGN(contents.certificate, read_file(certificate));
  CUZK_ASSIGN(contents.private_key, read_file(private_key));
  CUZK_ASSIGN(const std::vector<Certificate> chain, certificates_in(certificate, contents.certificate));
  const PrivateKey key = private_key_of(contents.private_key);
  if (!key)
    return invalid_argument(private_key.name() + " holds no PEM private key, or one with a passphrase");
  if (X509_check_private_key(chain.front().get(), key.get()) != 1)
    return invalid_argument(private_key.name() + " is not that of certificate " + files.certificate.string());
  CUZK_TRY(try_use(certificate, chain, *key));
  contents.valid_until = end_of_validity(*chain.front());
  if (files.client_ca.empty()) return contents;
  CUZK_ASSIGN(contents.client_ca, read_file(client_ca));
  CUZK_TRY(certificates_in(client_ca, contents.client_ca).status());
  return contents;
}

}  // namespace cuzk
