package import Foundation
package import HomeIdentity
package import RelayAPI

extension RelayPostgres {
    private static let versions = PostgresStatement(
        "vault_versions",
        "SELECT version, pieces, stored FROM vault WHERE house = $1::bytea ORDER BY version DESC"
    )
    private static let removeVersion = ["vault_piece", "vault"].map { table in
        PostgresStatement(
            "remove_\(table)",
            "DELETE FROM \(table) WHERE house = $1::bytea AND version = $2::bigint"
        )
    }
    private static let addPiece = PostgresStatement(
        "add_piece",
        """
        INSERT INTO vault_piece(house, version, piece, bytes) VALUES ($1::bytea, $2::bigint, $3::bigint, $4::bytea)
        ON CONFLICT (house, version, piece) DO UPDATE SET bytes = excluded.bytes
        """
    )
    private static let countPieces = PostgresStatement(
        "count_pieces",
        """
        INSERT INTO vault(house, version, pieces, stored)
        SELECT $1::bytea, $2::bigint, $3::bigint, count(*) FROM vault_piece
        WHERE house = $1::bytea AND version = $2::bigint
        ON CONFLICT (house, version) DO UPDATE SET stored = excluded.stored
        """
    )
    private static let readPiece = PostgresStatement(
        "piece",
        "SELECT bytes FROM vault_piece WHERE house = $1::bytea AND version = $2::bigint AND piece = $3::bigint"
    )
    private static let anyRight = PostgresStatement(
        "any_right",
        "SELECT 1 FROM reader WHERE house = $1::bytea AND key = $2::bytea AND rights & $3::bigint <> 0 LIMIT 1"
    )

    package func setPiece(
        _ piece: VaultPiece,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await pool.run { connection in
            try connection.transaction {
                try Access.requireOwner(key, of: house, locked: true, connection)
                switch try Self.status(of: house, connection).deciding(about: piece) {
                case .compare(let newest):
                    guard try Self.piece(piece.piece, piece.version, house, connection) == piece.bytes else {
                        throw RelayStoreError.outdated(stored: newest)
                    }
                    return
                case .store(let removed):
                    for version in removed { try Self.remove(version, of: house, connection) }
                }
                let version: [PostgresValue] = [.bytes(house.bytes), .number(piece.version)]
                try connection.run(Self.addPiece, version + [.number(Int64(piece.piece)), .bytes(piece.bytes)])
                try connection.run(Self.countPieces, version + [.number(Int64(piece.pieces))])
                for version in try Self.status(of: house, connection).superseded {
                    try Self.remove(version, of: house, connection)
                }
                try Self.noteWrite(house, at: now, connection)
            }
        }
    }

    package func removeVault(of house: HouseID, as key: PublicKey, at now: Int64) async throws(RelayStoreError) {
        try await pool.run { connection in
            try connection.transaction {
                try Access.requireOwner(key, of: house, locked: true, connection)
                for version in try Self.status(of: house, connection).versions {
                    try Self.remove(version.version, of: house, connection)
                }
                try Self.noteWrite(house, at: now, connection)
            }
        }
    }

    private static func remove(_ version: Int64, of house: HouseID, _ connection: PostgresConnection) throws {
        for statement in removeVersion { try connection.run(statement, [.bytes(house.bytes), .number(version)]) }
    }

    private static func status(of house: HouseID, _ connection: PostgresConnection) throws -> VaultStatus {
        let rows = try connection.run(versions, [.bytes(house.bytes)])
        return VaultStatus(
            (0..<rows.count).map { row in
                VaultStatus.Version(
                    version: rows.number(row, 0) ?? 0,
                    pieces: Int(rows.number(row, 1) ?? 0),
                    isComplete: rows.number(row, 1) == rows.number(row, 2)
                )
            }
        )
    }

    private static func piece(
        _ number: Int,
        _ version: Int64,
        _ house: HouseID,
        _ connection: PostgresConnection
    ) throws -> Data? {
        let rows = try connection.run(readPiece, [.bytes(house.bytes), .number(version), .number(Int64(number))])
        return rows.count == 1 ? rows.data(0, 0) : nil
    }

    private static func requireVaultRight(
        _ key: PublicKey,
        in house: HouseID,
        _ connection: PostgresConnection
    ) throws {
        let right = PostgresValue.number(Int64(ReaderRights.vault.rawValue))
        if try connection.run(anyRight, [.bytes(house.bytes), .bytes(key.bytes), right]).count > 0 { return }
        try Access.requireOwner(key, of: house, connection)
    }

    package func vault(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> VaultStatus {
        try await pool.run { connection in
            try Self.requireVaultRight(key, in: house, connection)
            return try Self.status(of: house, connection)
        }
    }

    package func piece(
        _ number: Int,
        version: Int64,
        of house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Data {
        try await pool.run { connection in
            try Self.requireVaultRight(key, in: house, connection)
            guard let piece = try Self.piece(number, version, house, connection) else { throw RelayStoreError.notFound }
            return piece
        }
    }
}
