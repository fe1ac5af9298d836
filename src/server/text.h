// Text that comes from elsewhere (a file name, a value of a vanilla proof, a client's id) made fit for where it goes. A protobuf string
// that is not UTF-8 cannot be read by the client; a header that is not printable ASCII ends the call, or the process.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cuzk {

// Well-formed UTF-8 of at most `max_bytes`: every byte that is not part of a character, and every control character but line feed and
// tab, becomes U+FFFD; a longer text ends in "...".
std::string clean_utf8(std::string_view text, std::size_t max_bytes = 64 * 1024);
// Bytes 0x20 to 0x7e, at most `max_bytes`; every other byte becomes '?'.
std::string clean_ascii(std::string_view text, std::size_t max_bytes = 256);

}  // namespace cuzk
