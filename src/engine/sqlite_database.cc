#include "engine/sqlite_database.h"

#include <cstring>
#include <utility>

namespace cuzk {
namespace {

constexpr int kBusyTimeoutMs = 5000;

StatusCode class_of(int code) noexcept {
  switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_NOMEM:
      return StatusCode::resource_exhausted;
    case SQLITE_CONSTRAINT:
    case SQLITE_MISUSE:
      return StatusCode::internal;
    default:
      return StatusCode::unavailable;
  }
}

}  // namespace

SqliteStatement& SqliteStatement::bound(int code) noexcept {
  if (code != SQLITE_OK && bind_error_ == SQLITE_OK) bind_error_ = code;
  ++parameter_;
  return *this;
}

SqliteStatement& SqliteStatement::bind(std::string_view text) {
  // A null pointer would bind NULL.
  const char* data = text.data() != nullptr ? text.data() : "";
  return bound(
      sqlite3_bind_text64(statement_.get(), parameter_, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

SqliteStatement& SqliteStatement::bind_blob(std::string_view bytes) {
  const char* data = bytes.data() != nullptr ? bytes.data() : "";
  return bound(sqlite3_bind_blob64(statement_.get(), parameter_, data, bytes.size(), SQLITE_STATIC));
}

SqliteStatement& SqliteStatement::bind_blob(std::span<const std::uint8_t> bytes) {
  return bind_blob(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

SqliteStatement& SqliteStatement::bind_int(std::int64_t value) {
  return bound(sqlite3_bind_int64(statement_.get(), parameter_, value));
}

SqliteStatement& SqliteStatement::bind_real(double value) {
  return bound(sqlite3_bind_double(statement_.get(), parameter_, value));
}

SqliteStatement& SqliteStatement::bind_null() {
  return bound(sqlite3_bind_null(statement_.get(), parameter_));
}

Result<bool> SqliteStatement::step() {
  if (bind_error_ != SQLITE_OK) return database_->failure(bind_error_);
  column_ = 0;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return database_->failure(code);
}

Status SqliteStatement::run() {
  return step().status();
}

bool SqliteStatement::next_is_null() const noexcept {
  return sqlite3_column_type(statement_.get(), column_) == SQLITE_NULL;
}

std::int64_t SqliteStatement::next_int() noexcept {
  return sqlite3_column_int64(statement_.get(), column_++);
}

double SqliteStatement::next_real() noexcept {
  return sqlite3_column_double(statement_.get(), column_++);
}

std::string SqliteStatement::next_text() {
  const void* data = sqlite3_column_blob(statement_.get(), column_);
  const int length = sqlite3_column_bytes(statement_.get(), column_++);
  return data == nullptr ? std::string()
                         : std::string(static_cast<const char*>(data), static_cast<std::size_t>(length));
}

std::vector<std::uint8_t> SqliteStatement::next_blob() {
  const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column_));
  const int length = sqlite3_column_bytes(statement_.get(), column_++);
  return data == nullptr ? std::vector<std::uint8_t>() : std::vector<std::uint8_t>(data, data + length);
}

Result<SqliteDatabase> SqliteDatabase::open(const std::filesystem::path& path, Access access) {
  sqlite3* handle = nullptr;
  const int mode = access == Access::write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  const int code = sqlite3_open_v2(path.c_str(), &handle, mode | SQLITE_OPEN_NOMUTEX, nullptr);
  SqliteDatabase database(path, handle);  // owns the handle also when open failed
  if (code != SQLITE_OK) return database.failure(code);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  return database;
}

Status SqliteDatabase::execute(const char* sql) {
  const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? Status::ok() : failure(code);
}

Result<SqliteStatement> SqliteDatabase::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return failure(code);
  return SqliteStatement(*this, statement);
}

Result<std::int64_t> SqliteDatabase::query_int(std::string_view sql) {
  CUZK_ASSIGN(SqliteStatement statement, prepare(sql));
  CUZK_ASSIGN(const bool has_row, statement.step());
  return has_row ? statement.next_int() : 0;
}

Result<std::string> SqliteDatabase::query_text(std::string_view sql) {
  CUZK_ASSIGN(SqliteStatement statement, prepare(sql));
  CUZK_ASSIGN(const bool has_row, statement.step());
  return has_row ? statement.next_text() : std::string();
}

Status SqliteDatabase::failure(int code) const {
  std::string message = path_.string() + ": ";
  if (handle_ == nullptr) return {StatusCode::resource_exhausted, message + "SQLite: out of memory"};
  message +=
      sqlite3_errcode(handle_.get()) == SQLITE_OK ? sqlite3_errstr(code) : sqlite3_errmsg(handle_.get());
  message += " (SQLite code " + std::to_string(code);
  const int system = sqlite3_system_errno(handle_.get());
  const bool has_errno = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
  if (has_errno && system != 0) message += ", " + std::string(std::strerror(system));
  return {class_of(code), message + ")"};
}

Result<SqliteTransaction> SqliteTransaction::begin(SqliteDatabase& database) {
  CUZK_TRY(database.execute("BEGIN IMMEDIATE"));
  return SqliteTransaction(database);
}

SqliteTransaction::SqliteTransaction(SqliteTransaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

SqliteTransaction::~SqliteTransaction() {
  // Some failures have undone the transaction already; then this one is refused, which is as good.
  if (database_ != nullptr) (void)database_->execute("ROLLBACK").is_ok();
}

Status SqliteTransaction::commit() {
  CUZK_TRY(database_->execute("COMMIT"));
  database_ = nullptr;
  return Status::ok();
}

}  // namespace cuzk
