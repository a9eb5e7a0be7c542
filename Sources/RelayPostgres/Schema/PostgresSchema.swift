import RelayAPI

/// The versions of the tables that a program serves, and the steps to them.
package struct PostgresSchema: Sendable {
    /// The oldest version of the tables that the program can use.
    package var oldest: Int
    /// The steps that the program knows. The last one's version is the one that it is made for.
    package var migrations: [PostgresMigration]

    /// The schema of this version of the program.
    package static let current = PostgresSchema(oldest: 3, migrations: PostgresMigration.all)

    /// Creates a schema.
    package init(oldest: Int, migrations: [PostgresMigration]) {
        self.oldest = oldest
        self.migrations = migrations
    }

    /// The version that the program is made for.
    var version: Int { migrations.last?.version ?? 0 }

    /// How long a step waits for a table. What waits for a table makes all that come later wait behind it.
    private static let lockSeconds = 3

    /// What a database has.
    enum State: Hashable, Sendable {
        case empty
        case tables(version: Int, servesFrom: Int)
    }

    private static let find = PostgresStatement("schema", "SELECT to_regclass('relay_schema') IS NOT NULL")
    private static let read = PostgresStatement(
        "schema_version",
        "SELECT version, serves_from FROM relay_schema ORDER BY version DESC LIMIT 1"
    )
    private static let others = PostgresStatement(
        "schema_others",
        "SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'p', 'v') AND relnamespace = current_schema()::text::regnamespace"
    )
    private static let record = PostgresStatement(
        "schema_record",
        "INSERT INTO relay_schema(version, serves_from) VALUES ($1::bigint, $2::bigint)"
    )

    /// Returns what a database has.
    ///
    /// - Throws: `failure` if it holds something else.
    func state(_ connection: PostgresConnection) throws -> State {
        guard try connection.run(Self.find).boolean(0, 0) == true else {
            guard try connection.run(Self.others).number(0, 0) == 0 else {
                throw RelayStoreError.failure(
                    "The database “\(connection.place)” has tables that aren't a relay's. Create one for the relay: createdb "
                        + "hearth-relay"
                )
            }
            return .empty
        }
        let rows = try connection.run(Self.read)
        guard rows.count == 1, let version = rows.number(0, 0), let servesFrom = rows.number(0, 1) else {
            throw RelayStoreError.failure("The database “\(connection.place)” is damaged: it doesn't say its version.")
        }
        return .tables(version: Int(version), servesFrom: Int(servesFrom))
    }

    /// Throws unless the program can use the tables of a version.
    func check(version: Int, servesFrom: Int) throws(RelayStoreError) {
        guard version >= oldest else {
            throw .failure(
                "The relay's database has the older format \(version); this version needs \(oldest) to \(self.version). Run "
                    + "“hearth relay migrate”."
            )
        }
        guard version <= self.version || servesFrom <= self.version else {
            throw .failure(
                "The relay's database was migrated by a newer version (format \(version); this version supports up to "
                    + "\(self.version)). Use the newer version. The database was left unchanged."
            )
        }
    }

    /// Takes the steps that a database lacks, each in a transaction. Other processes go on meanwhile, and one migrates at a
    /// time.
    ///
    /// - Returns: The versions before and after; 0 for an empty database.
    func migrate(_ connection: PostgresConnection) throws -> (from: Int, to: Int) {
        try connection.script("SELECT pg_advisory_lock(\(PostgresLock.migration))")
        defer { try? connection.script("SELECT pg_advisory_unlock(\(PostgresLock.migration))") }
        var from = 0
        switch try state(connection) {
        case .empty:
            try connection.script(
                """
                CREATE TABLE IF NOT EXISTS relay_schema(
                  version bigint PRIMARY KEY, serves_from bigint NOT NULL, applied timestamptz NOT NULL DEFAULT now()
                )
                """
            )
        case .tables(let version, let servesFrom):
            if version > self.version {
                try check(version: version, servesFrom: servesFrom)
                return (version, version)
            }
            from = version
        }
        for migration in migrations where migration.version > from {
            try connection.transaction {
                try connection.script("SET LOCAL lock_timeout = \(1_000 * Self.lockSeconds); \(migration.sql)")
                try connection.run(
                    Self.record,
                    [.number(Int64(migration.version)), .number(Int64(migration.servesFrom))]
                )
            }
        }
        return (from, version)
    }
}
