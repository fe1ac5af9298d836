// The journal in one SQLite database in WAL mode. Table layout: docs/formats/journal.md.
//
// After a kill at any moment the file opens as of the last committed transaction: unfinished jobs are found by recover(), finished
// ones by find().
#pragma once

#include <filesystem>
#include <memory>

#include "engine/journal.h"

namespace cuzk {

// Creates the file (mode 0600) and its folder if need be. One process at a time: a file that another one holds open is unavailable,
// naming its pid. A file of another schema version, or that is no database, is unavailable and left as it is.
Result<std::unique_ptr<Journal>> open_sqlite_journal(const std::filesystem::path& path);

}  // namespace cuzk
