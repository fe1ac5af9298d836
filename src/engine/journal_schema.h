// The tables of the journal, and how a file is recognised as one. Source: docs/formats/journal.md.
#pragma once

#include "engine/sqlite_database.h"

namespace cuzk {

inline constexpr std::int64_t kJournalApplicationId = 0x43555a4b;  // "CUZK"
inline constexpr std::int64_t kJournalSchemaVersion = 1;

// Makes the tables in an empty database, checks an existing one whole, and switches the connection to WAL with a sync at every
// commit. unavailable for a database of another program or schema version, which is not written to, and for a damaged one.
Status prepare_journal(SqliteDatabase& database, const std::filesystem::path& path);

}  // namespace cuzk
