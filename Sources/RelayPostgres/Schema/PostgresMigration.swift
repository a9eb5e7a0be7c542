/// A step from one version of the tables to the next. Steps are never changed once they are released; a change of the
/// tables is another step.
package struct PostgresMigration: Hashable, Sendable {
    /// The version of the tables after the step. The first is 1, and each is one more than the one before.
    package var version: Int
    /// The oldest version that a program may be made for to use the tables after the step. A step that only adds keeps it, so
    /// that processes of the former release go on while those of the new one start.
    package var servesFrom: Int
    /// The statements.
    package var sql: String

    /// Creates a step.
    package init(version: Int, servesFrom: Int, sql: String) {
        self.version = version
        self.servesFrom = servesFrom
        self.sql = sql
    }
}

extension PostgresMigration {
    /// The number of parts of the table of entries, which PostgreSQL cleans and indexes separately.
    private static let entryPartitions = 16

    /// All steps. The times in the tables are in milliseconds since 1970, by the clocks of the processes, except for
    /// `process`; IDs, keys and hashes are their bytes.
    package static let all = [
        PostgresMigration(
            version: 1,
            servesFrom: 1,
            sql: """
                CREATE TABLE setting(name text PRIMARY KEY, value bytea NOT NULL);
                CREATE TABLE house(
                  id bytea PRIMARY KEY, owners bytea[] NOT NULL, class text NOT NULL, created bigint NOT NULL,
                  written bigint NOT NULL
                );
                CREATE INDEX house_written ON house(written);
                CREATE TABLE feed(
                  house bytea NOT NULL, id bytea NOT NULL, seq bigint NOT NULL DEFAULT 0, head bytea NOT NULL,
                  term bigint NOT NULL DEFAULT 0, gen bigint NOT NULL DEFAULT 0, base bigint NOT NULL DEFAULT 0,
                  former_base bigint NOT NULL DEFAULT 0, first bigint NOT NULL DEFAULT 1, used bigint NOT NULL DEFAULT 0,
                  run_part int NOT NULL DEFAULT 1, run_parts int NOT NULL DEFAULT 1, run_base boolean NOT NULL DEFAULT false,
                  readers_seq bigint NOT NULL DEFAULT 0, beat bytea, PRIMARY KEY(house, id)
                ) WITH (fillfactor = 70);
                CREATE INDEX feed_swept ON feed(house, id) WHERE first < former_base;
                CREATE TABLE entry(
                  house bytea NOT NULL, feed bytea NOT NULL, seq bigint NOT NULL, at bigint NOT NULL, bytes bytea NOT NULL,
                  PRIMARY KEY(house, feed, seq)
                ) PARTITION BY HASH(house);
                ALTER TABLE entry ALTER COLUMN bytes SET STORAGE EXTERNAL;
                \(partitions)
                CREATE TABLE reader(
                  house bytea, feed bytea, key bytea, rights int NOT NULL, PRIMARY KEY(house, feed, key)
                );
                CREATE TABLE envelope(
                  house bytea, feed bytea, gen bigint, device uuid, bytes bytea NOT NULL, PRIMARY KEY(house, feed, gen, device)
                );
                CREATE TABLE vault(
                  house bytea, version bigint, pieces int NOT NULL, stored int NOT NULL DEFAULT 0, PRIMARY KEY(house, version)
                );
                CREATE TABLE vault_piece(
                  house bytea, version bigint, piece int, bytes bytea NOT NULL, PRIMARY KEY(house, version, piece)
                );
                ALTER TABLE vault_piece ALTER COLUMN bytes SET STORAGE EXTERNAL;
                CREATE TABLE token(hash bytea PRIMARY KEY, class text NOT NULL, uses int NOT NULL, expires bigint NOT NULL);
                CREATE UNLOGGED TABLE process(id uuid PRIMARY KEY, url text NOT NULL, beat timestamptz NOT NULL);
                """
        ),
        PostgresMigration(
            version: 2,
            servesFrom: 1,
            sql: """
                CREATE TABLE voter(
                  house bytea PRIMARY KEY, pair bigint NOT NULL, term bigint NOT NULL, vote uuid, base_place bigint NOT NULL,
                  base_term bigint NOT NULL
                );
                CREATE TABLE batch(
                  house bytea, place bigint, term bigint NOT NULL, bytes bytea NOT NULL, PRIMARY KEY(house, place)
                );
                ALTER TABLE batch ALTER COLUMN bytes SET STORAGE EXTERNAL;
                """
        ),
        PostgresMigration(
            version: 3,
            servesFrom: 2,
            sql: """
                CREATE TABLE base(
                  house bytea, place bigint, term bigint, pieces int NOT NULL, stored int NOT NULL DEFAULT 0,
                  PRIMARY KEY(house, place, term)
                );
                CREATE TABLE base_piece(
                  house bytea, place bigint, term bigint, piece int, bytes bytea NOT NULL,
                  PRIMARY KEY(house, place, term, piece)
                );
                ALTER TABLE base_piece ALTER COLUMN bytes SET STORAGE EXTERNAL;
                """
        ),
    ]

    private static let partitions = (0..<entryPartitions).map { number in
        "CREATE TABLE entry_\(number) PARTITION OF entry FOR VALUES WITH (MODULUS \(entryPartitions), REMAINDER \(number));"
    }
    .joined(separator: "\n")
}
