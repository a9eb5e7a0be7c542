import GRDB

/// The tables of the database.
enum Schema {
    /// The version of the format, stored as the file's `user_version`.
    static let version = 5
    /// The first version of the format.
    static let firstVersion = 1

    /// Creates the tables in an empty database.
    static func create(_ database: Database) throws {
        // entry.place is ``EntryRowID``: log and revision in one number, so that the entries of a log are adjacent.
        // record.place is the order in which records were added; a replaced record keeps it.
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
        try createAutomationTables(database)
        try VoterTable.create(database)
    }

    private static func createAutomationTables(_ database: Database) throws {
        try FiringTable.create(database)
        try StateTable.create(database)
    }

    /// Migrates the tables from an earlier format, within the open transaction.
    static func migrate(_ database: Database, from format: Int) throws {
        if format < 2 { try dropEntryIndex(database) }
        if format < 3 { try RequestTable.create(database) }
        if format < 4 { try createAutomationTables(database) }
        if format == 4 { try FiringTable.addLeader(database) }
        if format < 5 { try VoterTable.create(database) }
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Removes the index of entry IDs, which was on the disk in format 1.
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
