#include "r1cs/r1cs_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include "base/check.h"
#include "base/thread_pool.h"
#include "r1cs/piece_hasher.h"

namespace cuzk {
namespace {

constexpr std::array<char, 8> kMagic = {'C', 'U', 'Z', 'K', 'R', '1', 'C', 'S'};
constexpr std::uint32_t kByteOrder = 0x01020304;
// What is read, or written, and then hashed while it is in the cache.
constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

static_assert(sizeof(Column) == 4 && std::is_trivially_copyable_v<Column>);
static_assert(sizeof(Fr) == 32 && std::is_trivially_copyable_v<Fr>);

class Descriptor {
 public:
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const noexcept { return fd_; }

 private:
  int fd_;
};

Status file_error(const char* operation, int error) {
  std::string message = std::string(operation) + ": " + std::strerror(error);
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return full ? resource_exhausted(std::move(message)) : unavailable(std::move(message));
}

// Where a block (const or not) has the numbers that precede its arrays.
template <class Block>
auto numbers_of(Block& block) noexcept {
  return std::array{&block.count,         &block.num_inputs,      &block.num_aux,
                    &block.num_full,      &block.num_constraints, &block.first_input,
                    &block.first_aux,     &block.first_full,      &block.first_constraint,
                    &block.num_parameters};
}

// Appends to a file and hashes what it appends.
class Writer {
 public:
  explicit Writer(int fd) noexcept : fd_(fd) {}

  Status bytes(const void* data, std::size_t size) {
    const auto* next = static_cast<const std::uint8_t*>(data);
    while (size != 0) {
      const std::size_t piece = std::min(size, kBufferBytes);
      hash_.update(next, piece);
      CUZK_TRY(append(next, piece));
      next += piece;
      size -= piece;
    }
    return Status::ok();
  }
  template <class T>
  Status value(T number) {
    return bytes(&number, sizeof number);
  }
  template <class Vector>
  Status array(const Vector& entries) {
    return bytes(entries.data(), entries.size() * sizeof(typename Vector::value_type));
  }
  Status finish() {
    const Bytes32 digest = hash_.finish();
    return append(digest.data(), digest.size());
  }

 private:
  Status append(const std::uint8_t* data, std::size_t size) const {
    while (size != 0) {
      const ssize_t written = ::write(fd_, data, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return file_error("write", errno);
      data += written;
      size -= static_cast<std::size_t>(written);
    }
    return Status::ok();
  }

  int fd_;
  PieceHasher hash_;
};

Status write_block(Writer& out, const R1csBlock& block) {
  for (const std::uint32_t* number : numbers_of(block)) CUZK_TRY(out.value(*number));
  for (const SparseRows* rows : {&block.a, &block.b, &block.c}) {
    CUZK_TRY(out.value(static_cast<std::uint32_t>(rows->columns.size())));
  }
  CUZK_TRY(out.array(block.full_aux));
  CUZK_TRY(out.array(block.parameters));
  for (const SparseRows* rows : {&block.a, &block.b, &block.c}) {
    CUZK_TRY(out.array(rows->row_end));
    CUZK_TRY(out.array(rows->columns));
    CUZK_TRY(out.array(rows->coefficients));
  }
  return Status::ok();
}

Status write_circuit(Writer& out, const R1cs& r1cs, std::string_view label) {
  CUZK_TRY(out.bytes(kMagic.data(), kMagic.size()));
  CUZK_TRY(out.value(kR1csFileVersion));
  CUZK_TRY(out.value(kByteOrder));
  CUZK_TRY(out.value(static_cast<std::uint32_t>(label.size())));
  CUZK_TRY(out.bytes(label.data(), label.size()));
  CUZK_TRY(out.value(static_cast<std::uint32_t>(r1cs.blocks().size())));
  CUZK_TRY(out.value(static_cast<std::uint32_t>(r1cs.coefficients().size())));
  for (const std::size_t total :
       {r1cs.num_inputs(), r1cs.num_aux(), r1cs.num_full(), r1cs.num_constraints()}) {
    CUZK_TRY(out.value(std::uint64_t{total}));
  }
  CUZK_TRY(out.array(r1cs.coefficients()));
  for (const R1csBlock& block : r1cs.blocks()) CUZK_TRY(write_block(out, block));
  return out.finish();
}

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = path;
  name += "." + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".partial";
  return name;
}

Status write_temporary(const R1cs& r1cs, std::string_view label, const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (file.get() < 0) return file_error("create", errno);
  Writer out(file.get());
  return write_circuit(out, r1cs, label);
}

Status read_at(int fd, std::uint64_t offset, std::uint8_t* data, std::size_t size) {
  while (size != 0) {
    const ssize_t got = ::pread(fd, data, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error("read", errno);
    if (got == 0) return invalid_argument("became shorter while it was read");
    offset += static_cast<std::uint64_t>(got);
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return Status::ok();
}

// work(offset, length) -> Status for every piece of [0, size), in parallel; one of the failures, if any.
template <class Work>
Status for_each_piece(std::uint64_t size, const Work& work) {
  std::mutex mutex;
  Status status = Status::ok();
  parallel_for((size + kPieceBytes - 1) / kPieceBytes, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t offset = i * kPieceBytes;
      const Status done = work(offset, std::min(kPieceBytes, size - offset));
      if (done.is_ok()) continue;
      const std::lock_guard lock(mutex);
      status = done;
    }
  });
  return status;
}

// The digest of the first `size` bytes of a file, as a PieceHasher makes it.
Result<Bytes32> digest_of_file(int fd, std::uint64_t size) {
  std::vector<Bytes32> digests((size + kPieceBytes - 1) / kPieceBytes);
  const Status hashed = for_each_piece(size, [&](std::uint64_t offset, std::uint64_t length) {
    std::vector<std::uint8_t> buffer(std::min<std::uint64_t>(kBufferBytes, length));
    Sha256Stream stream;
    for (std::uint64_t done = 0; done < length; done += buffer.size()) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), length - done));
      CUZK_TRY(read_at(fd, offset + done, buffer.data(), part));
      stream.update(buffer.data(), part);
    }
    digests[offset / kPieceBytes] = stream.digest_so_far();
    return Status::ok();
  });
  CUZK_TRY(hashed);
  Sha256Stream whole;
  for (const Bytes32& digest : digests) whole.update(digest.data(), digest.size());
  return whole.digest_so_far();
}

// Reads a file from its beginning and never takes more than the file has before the digest.
class Reader {
 public:
  // `content` is the length of the file without the digest.
  Reader(int fd, std::uint64_t content) noexcept : fd_(fd), content_(content) {}

  Status bytes(void* data, std::size_t size) {
    CUZK_ASSIGN(const std::uint64_t offset, claim(size, 1));
    return read_at(fd_, offset, static_cast<std::uint8_t*>(data), size);
  }
  template <class T>
  Result<T> value() {
    T number{};
    CUZK_TRY(bytes(&number, sizeof number));
    return number;
  }
  template <class Vector>
  Status array(std::uint64_t count, Vector& entries) {
    constexpr std::size_t kEntryBytes = sizeof(typename Vector::value_type);
    CUZK_ASSIGN(const std::uint64_t first, claim(count, kEntryBytes));
    entries.resize(count);
    auto* data = reinterpret_cast<std::uint8_t*>(entries.data());
    return for_each_piece(count * kEntryBytes, [&](std::uint64_t offset, std::uint64_t length) {
      return read_at(fd_, first + offset, data + offset, static_cast<std::size_t>(length));
    });
  }
  // After all content: whether nothing is left and the digest is that of the content.
  Status finish() {
    if (next_ != content_) {
      return invalid_argument(std::to_string(content_ - next_) + " bytes more than its counts say");
    }
    CUZK_ASSIGN(const Bytes32 expected, digest_of_file(fd_, content_));
    Bytes32 found;
    CUZK_TRY(read_at(fd_, content_, found.data(), found.size()));
    if (found == expected) return Status::ok();
    return invalid_argument("SHA-256 is " + to_hex(expected) + ", the file says " + to_hex(found));
  }

 private:
  // Takes count entries of that size, at least 1, if there are so many; where they begin.
  Result<std::uint64_t> claim(std::uint64_t count, std::size_t entry_bytes) {
    if (count > (content_ - next_) / entry_bytes) return invalid_argument("shorter than its counts say");
    const std::uint64_t first = next_;
    next_ += count * entry_bytes;
    return first;
  }

  int fd_;
  std::uint64_t content_;
  std::uint64_t next_ = 0;
};

Status read_opening(Reader& in, std::string_view label) {
  std::array<char, 8> magic;
  CUZK_TRY(in.bytes(magic.data(), magic.size()));
  if (magic != kMagic) return invalid_argument("not a circuit file");
  CUZK_ASSIGN(const auto version, in.value<std::uint32_t>());
  CUZK_ASSIGN(const auto byte_order, in.value<std::uint32_t>());
  if (byte_order != kByteOrder) return invalid_argument("another byte order");
  if (version != kR1csFileVersion) {
    return invalid_argument("version " + std::to_string(version) + ", this program reads " +
                            std::to_string(kR1csFileVersion));
  }
  CUZK_ASSIGN(const auto length, in.value<std::uint32_t>());
  if (length > kMaxR1csLabelBytes) return invalid_argument("a label of " + std::to_string(length) + " bytes");
  std::string found(length, '\0');
  CUZK_TRY(in.bytes(found.data(), found.size()));
  if (found == label) return Status::ok();
  return invalid_argument("another circuit: " + found.substr(0, 200));
}

Status read_block(Reader& in, R1csBlock& block) {
  for (std::uint32_t* number : numbers_of(block)) CUZK_TRY(in.bytes(number, sizeof *number));
  std::array<std::uint32_t, 3> entries;
  CUZK_TRY(in.bytes(entries.data(), sizeof entries));
  CUZK_TRY(in.array(block.num_full, block.full_aux));
  CUZK_TRY(in.array(std::uint64_t{block.count} * block.num_parameters, block.parameters));
  const std::array<SparseRows*, 3> matrices = {&block.a, &block.b, &block.c};
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    CUZK_TRY(in.array(block.num_constraints, matrices[i]->row_end));
    CUZK_TRY(in.array(entries[i], matrices[i]->columns));
    CUZK_TRY(in.array(entries[i], matrices[i]->coefficients));
  }
  return Status::ok();
}

Result<R1cs> read_circuit(Reader& in, std::string_view label) {
  CUZK_TRY(read_opening(in, label));
  CUZK_ASSIGN(const auto num_blocks, in.value<std::uint32_t>());
  CUZK_ASSIGN(const auto num_coefficients, in.value<std::uint32_t>());
  std::array<std::uint64_t, 4> totals;
  CUZK_TRY(in.bytes(totals.data(), sizeof totals));
  std::vector<Fr> coefficients;
  CUZK_TRY(in.array(num_coefficients, coefficients));
  std::vector<R1csBlock> blocks;
  for (std::uint32_t i = 0; i < num_blocks; ++i) CUZK_TRY(read_block(in, blocks.emplace_back()));
  CUZK_TRY(in.finish());
  CUZK_ASSIGN(R1cs r1cs, R1cs::from_parts(std::move(blocks), std::move(coefficients)));
  if (totals != std::array<std::uint64_t, 4>{r1cs.num_inputs(), r1cs.num_aux(), r1cs.num_full(),
                                             r1cs.num_constraints()}) {
    return invalid_argument("the counts of the circuit are not those of its blocks");
  }
  return r1cs;
}

Result<R1cs> read_open_file(int fd, std::string_view label) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return file_error("stat", errno);
  if (!S_ISREG(info.st_mode)) return invalid_argument("not a regular file");
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size < sizeof(Bytes32)) return invalid_argument("only " + std::to_string(size) + " bytes");
  Reader in(fd, size - sizeof(Bytes32));
  return read_circuit(in, label);
}

}  // namespace

Status write_r1cs_file(const R1cs& r1cs, std::string_view label, const std::filesystem::path& path) {
  CUZK_CHECK(label.size() <= kMaxR1csLabelBytes, "the label of a circuit file is short");
  const std::filesystem::path temporary = temporary_name(path);
  Status written = write_temporary(r1cs, label, temporary);
  if (written.is_ok() && ::rename(temporary.c_str(), path.c_str()) != 0) {
    written = file_error("rename", errno);
  }
  if (!written.is_ok()) ::unlink(temporary.c_str());
  return written.with_context(path.string());
}

Result<R1cs> read_r1cs_file(std::string_view label, const std::filesystem::path& path) {
  // Without O_NONBLOCK, a pipe of this name would wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return file_error("open", errno).with_context(path.string());
  Result<R1cs> r1cs = read_open_file(file.get(), label);
  if (!r1cs.is_ok()) return r1cs.status().with_context(path.string());
  return r1cs;
}

}  // namespace cuzk
