import GRDB

/// The tables of the journal.
enum JournalSchema {
    /// The version of the format, stored as the file's `user_version`.
    static let version = 1

    /// Creates the tables in an empty database.
    static func create(_ database: Database) throws {
        // entry.row is the order of recording, which stays true if the clock is set back. Times are in milliseconds since
        // 1970. entry.object is the object that the entry is mainly about; mention has the others.
        try database.execute(
            sql: """
                CREATE TABLE home (
                    number INTEGER PRIMARY KEY,
                    id BLOB NOT NULL UNIQUE
                ) STRICT;
                CREATE TABLE entry (
                    row INTEGER PRIMARY KEY AUTOINCREMENT,
                    id BLOB NOT NULL UNIQUE,
                    home INTEGER NOT NULL,
                    time INTEGER NOT NULL,
                    kind INTEGER NOT NULL,
                    object BLOB,
                    parent BLOB,
                    cause TEXT NOT NULL,
                    subject BLOB,
                    person TEXT,
                    app TEXT,
                    content BLOB NOT NULL
                ) STRICT;
                CREATE INDEX entryByHome ON entry (home);
                CREATE INDEX entryByTime ON entry (time);
                CREATE INDEX entryByObject ON entry (object, kind);
                CREATE TABLE mention (
                    object BLOB NOT NULL,
                    row INTEGER NOT NULL,
                    PRIMARY KEY (object, row)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX mentionByRow ON mention (row);
                CREATE TABLE series (
                    number INTEGER PRIMARY KEY,
                    home BLOB NOT NULL,
                    accessory BLOB NOT NULL,
                    iid INTEGER NOT NULL,
                    UNIQUE (accessory, iid)
                ) STRICT;
                CREATE TABLE sample (
                    series INTEGER NOT NULL,
                    minute INTEGER NOT NULL,
                    time INTEGER NOT NULL,
                    value REAL NOT NULL,
                    PRIMARY KEY (series, minute)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX sampleByMinute ON sample (minute);
                PRAGMA user_version = \(version);
                """
        )
    }
}
