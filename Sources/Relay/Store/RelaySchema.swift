import GRDB

/// The tables of a relay in SQLite. Times are in milliseconds since 1970; IDs, keys and hashes are their bytes.
enum RelaySchema {
    /// Creates the tables in one transaction.
    static func create(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            try database.execute(
                sql: """
                    PRAGMA application_id = \(RelayDatabase.applicationID);
                    PRAGMA user_version = \(RelayDatabase.version);
                    CREATE TABLE setting(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID, STRICT;
                    CREATE TABLE house(
                      id BLOB PRIMARY KEY, class TEXT NOT NULL, created INTEGER NOT NULL, written INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE owner(house BLOB NOT NULL, key BLOB NOT NULL, PRIMARY KEY(house, key)) WITHOUT ROWID, STRICT;
                    CREATE TABLE feed(
                      house BLOB NOT NULL, id BLOB NOT NULL, seq INTEGER NOT NULL DEFAULT 0, head BLOB NOT NULL,
                      term INTEGER NOT NULL DEFAULT 0, gen INTEGER NOT NULL DEFAULT 0, base INTEGER NOT NULL DEFAULT 0,
                      former_base INTEGER NOT NULL DEFAULT 0, first INTEGER NOT NULL DEFAULT 1,
                      used INTEGER NOT NULL DEFAULT 0, run_part INTEGER NOT NULL DEFAULT 1,
                      run_parts INTEGER NOT NULL DEFAULT 1, run_base INTEGER NOT NULL DEFAULT 0,
                      readers_seq INTEGER NOT NULL DEFAULT 0, beat BLOB, PRIMARY KEY(house, id)
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE entry(
                      house BLOB NOT NULL, feed BLOB NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, bytes BLOB NOT NULL
                    ) STRICT;
                    CREATE UNIQUE INDEX entry_place ON entry(house, feed, seq);
                    CREATE TABLE reader(
                      house BLOB NOT NULL, feed BLOB NOT NULL, key BLOB NOT NULL, rights INTEGER NOT NULL,
                      PRIMARY KEY(house, feed, key)
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE envelope(
                      house BLOB NOT NULL, feed BLOB NOT NULL, gen INTEGER NOT NULL, device BLOB NOT NULL, bytes BLOB NOT NULL,
                      PRIMARY KEY(house, feed, gen, device)
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE vault(
                      house BLOB NOT NULL, version INTEGER NOT NULL, pieces INTEGER NOT NULL, stored INTEGER NOT NULL DEFAULT 0,
                      PRIMARY KEY(house, version)
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE vault_piece(
                      house BLOB NOT NULL, version INTEGER NOT NULL, piece INTEGER NOT NULL, bytes BLOB NOT NULL
                    ) STRICT;
                    CREATE UNIQUE INDEX vault_piece_place ON vault_piece(house, version, piece);
                    CREATE TABLE token(
                      hash BLOB PRIMARY KEY, class TEXT NOT NULL, uses INTEGER NOT NULL, expires INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    INSERT INTO setting(name, value) VALUES ('secret', randomblob(32));
                    """
            )
            try createVoters(database)
            try createBases(database)
            return .commit
        }
    }

    /// Adds what an earlier version doesn't have, in one transaction.
    static func migrate(_ database: Database, from version: Int) throws {
        try database.inTransaction(.immediate) {
            if version < 2 { try createVoters(database) }
            try createBases(database)
            try database.execute(sql: "PRAGMA user_version = \(RelayDatabase.version)")
            return .commit
        }
    }

    private static func createVoters(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE voter(
                  house BLOB PRIMARY KEY, pair INTEGER NOT NULL, term INTEGER NOT NULL, vote BLOB, base_place INTEGER NOT NULL,
                  base_term INTEGER NOT NULL
                ) WITHOUT ROWID, STRICT;
                CREATE TABLE batch(
                  house BLOB NOT NULL, place INTEGER NOT NULL, term INTEGER NOT NULL, bytes BLOB NOT NULL
                ) STRICT;
                CREATE UNIQUE INDEX batch_place ON batch(house, place);
                """
        )
    }

    private static func createBases(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE base(
                  house BLOB NOT NULL, place INTEGER NOT NULL, term INTEGER NOT NULL, pieces INTEGER NOT NULL,
                  stored INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(house, place, term)
                ) WITHOUT ROWID, STRICT;
                CREATE TABLE base_piece(
                  house BLOB NOT NULL, place INTEGER NOT NULL, term INTEGER NOT NULL, piece INTEGER NOT NULL,
                  bytes BLOB NOT NULL
                ) STRICT;
                CREATE UNIQUE INDEX base_piece_place ON base_piece(house, place, term, piece);
                """
        )
    }
}
