import GRDB

/// The tables of the database.
enum Schema {
    /// The version of the format, which the file carries as its `user_version`.
    static let version = 3
    /// The earliest version that there was.
    static let firstVersion = 1

    /// Creates the tables in an empty database.
    static func create(_ database: Database) throws {
        // entry.place is ``EntryRowID``: log and revision in one number, so that a log's entries lie together.
        // record.place is the order in which records were added; one that is replaced keeps it.
        try database.execute(
            sql: """
                CREATE TABLE log (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    name TEXT NOT NULL UNIQUE,
                    lineage TEXT NOT NULL,
                    revision INTEGER NOT NULL,
                    hash BLOB NOT NULL
                ) STRICT;
                CREATE TABLE entry (
                    place INTEGER PRIMARY KEY,
                    hash BLOB NOT NULL,
                    encoded BLOB NOT NULL
                ) STRICT;
                CREATE TABLE record (
                    place INTEGER PRIMARY KEY,
                    log INTEGER NOT NULL,
                    kind TEXT NOT NULL,
                    id TEXT NOT NULL,
                    body TEXT NOT NULL,
                    UNIQUE (log, kind, id)
                ) STRICT;
                CREATE TABLE secret (
                    kind TEXT NOT NULL,
                    log TEXT NOT NULL,
                    name TEXT NOT NULL,
                    value BLOB NOT NULL,
                    PRIMARY KEY (kind, log, name)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE metadata (
                    key TEXT PRIMARY KEY,
                    value TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                PRAGMA user_version = \(version);
                """
        )
        try RequestTable.create(database)
    }

    /// Makes tables of this version's format of an earlier one's, within the transaction that is open.
    static func migrate(_ database: Database, from format: Int) throws {
        if format < 2 { try dropEntryIndex(database) }
        if format < 3 { try RequestTable.create(database) }
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Entries of format 1 were found by their identity in an index on the disk.
    private static func dropEntryIndex(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE smallerEntry (
                    place INTEGER PRIMARY KEY,
                    hash BLOB NOT NULL,
                    encoded BLOB NOT NULL
                ) STRICT;
                INSERT INTO smallerEntry SELECT place, hash, encoded FROM entry ORDER BY place;
                DROP TABLE entry;
                ALTER TABLE smallerEntry RENAME TO entry;
                """
        )
    }
}
