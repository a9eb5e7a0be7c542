import Foundation
import HomeIdentity
package import RelayAPI

/// A relay's store in PostgreSQL, which several processes can share.
package final class RelayPostgres: RelayStore {
    // This is a class because it owns the connections.

    let pool: PostgresPool
    let schema: PostgresSchema

    private init(_ pool: PostgresPool, _ schema: PostgresSchema) {
        self.pool = pool
        self.schema = schema
    }

    /// The default number of connections.
    package static let defaultConnections = 4
    /// The default time after which a server is given up that doesn't answer.
    package static let defaultPatience = Duration.seconds(12)
    /// The maximum number of calls that wait for a connection.
    package static let maximumWaiting = PostgresPool.maximumWaiting
    /// A step can take long, if it reads large tables.
    private static let migrationPatience = Duration.seconds(3_600)

    /// Opens the store. An empty database gets the tables; one with older ones is left to ``migrate(_:to:)``.
    ///
    /// - Parameters:
    ///   - url: The database, as PostgreSQL's client library takes it: `postgres://host/name`, or parameters.
    ///   - count: The number of connections.
    ///   - patience: The time after which a server is given up that doesn't answer.
    ///   - schema: The versions of the tables that the caller serves.
    ///   - onCommit: A closure that gets the number of entries of each transaction with some.
    /// - Throws: `failure` if the database can't be used; the reason says what to do.
    package static func open(
        _ url: String,
        connections count: Int = defaultConnections,
        patience: Duration = defaultPatience,
        schema: PostgresSchema = .current,
        onCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws(RelayStoreError) -> RelayPostgres {
        let pool = try PostgresPool(url, connections: count, patience: patience, onCommit: onCommit)
        do throws(RelayStoreError) {
            try await pool.run { connection in
                guard try connection.run(Self.durability).text(0, 0) == "on" else {
                    throw RelayStoreError.failure(
                        "PostgreSQL at \(connection.place) has fsync = off, so it can lose what the relay has confirmed. Turn "
                            + "it on."
                    )
                }
                switch try schema.state(connection) {
                case .empty: _ = try schema.migrate(connection)
                case .tables(let version, let servesFrom): try schema.check(version: version, servesFrom: servesFrom)
                }
                try connection.run(Self.addSecret, [.bytes(Self.newSecret())])
            }
        } catch {
            await pool.close()
            throw error
        }
        return RelayPostgres(pool, schema)
    }

    /// Takes the steps from the tables of a database to those of this version. Relays may be running.
    ///
    /// - Returns: The versions before and after; 0 for an empty database.
    package static func migrate(
        _ url: String,
        to schema: PostgresSchema = .current
    ) async throws(RelayStoreError) -> (from: Int, to: Int) {
        let pool = try PostgresPool(url, connections: 1, patience: migrationPatience, onCommit: { _ in })
        do throws(RelayStoreError) {
            let result = try await pool.run { try schema.migrate($0) }
            await pool.close()
            return result
        } catch {
            await pool.close()
            throw error
        }
    }

    package func close() async {
        await pool.close()
    }

    /// Where the database is, without secrets.
    package var place: String { pool.place }

    private static let durability = PostgresStatement("durability", "SELECT current_setting('fsync')")
    private static let addSecret = PostgresStatement(
        "add_secret",
        "INSERT INTO setting(name, value) VALUES ('secret', $1::bytea) ON CONFLICT DO NOTHING"
    )
    private static let readSecret = PostgresStatement("secret", "SELECT value FROM setting WHERE name = 'secret'")
    private static let readCounts = PostgresStatement(
        "counts",
        """
        SELECT (SELECT count(*) FROM house), (SELECT count(*) FROM feed),
          (SELECT coalesce(sum(used), 0)::bigint FROM feed)
        """
    )

    private static func newSecret() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<SessionToken.secretByteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package func secret() async throws(RelayStoreError) -> [UInt8] {
        let secret = try await pool.run { try $0.run(Self.readSecret).data(0, 0) }
        guard let secret, secret.count == SessionToken.secretByteCount else {
            throw .failure("The database \(place) is damaged: its secret is missing.")
        }
        return Array(secret)
    }

    package func check() async throws(RelayStoreError) {
        let schema = schema
        try await pool.run { connection in
            guard case .tables(let version, let servesFrom) = try schema.state(connection) else {
                throw RelayStoreError.failure("The relay's database is empty. Restart the relay to begin with it.")
            }
            try schema.check(version: version, servesFrom: servesFrom)
        }
    }

    package func counts() async throws(RelayStoreError) -> StoreCounts {
        try await pool.run { connection in
            let rows = try connection.run(Self.readCounts)
            return StoreCounts(
                houses: Int(rows.number(0, 0) ?? 0),
                feeds: Int(rows.number(0, 1) ?? 0),
                entryBytes: rows.number(0, 2) ?? 0
            )
        }
    }
}

extension HexadecimalID {
    /// The bytes, as the database has them.
    var data: Data { Data(bytes) }
}

extension PublicKey {
    /// The bytes, as the database has them.
    var data: Data { Data(bytes) }
}
