// Writes a C1 object as the JSON wrapper that sealers write: the inverse of parse_c1, in the key order of the
// network's tools and without white space. Source: docs/formats/c1.md.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "vanilla/c1.h"

namespace cuzk {

// Takes the next piece of the text; a failure ends the writing.
using TextSink = std::function<Status(std::string_view)>;

// Hands the text to `sink` in pieces of at most 128 KiB; memory does not grow with the object (51 MB of text
// at 32 GiB). The proofs must have the shape of c1.registered_proof. The only errors are those of the sink.
Status write_c1_json(const C1& c1, const TextSink& sink);

// The whole text.
std::string c1_json(const C1& c1);

}  // namespace cuzk
