package import Foundation
import GRDB
package import HomeIdentity
package import RelayAPI

extension RelaySQLite {
    package func setPiece(
        _ piece: VaultPiece,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await queue.write { database in
            try Access.requireOwner(key, of: house, database)
            switch try VaultStatus(try Self.versions(of: house, database)).deciding(about: piece) {
            case .compare(let newest):
                guard try Self.piece(piece.piece, piece.version, house, database) == piece.bytes else {
                    throw RelayStoreError.outdated(stored: newest)
                }
                return
            case .store(let removed):
                for version in removed { try Self.remove(version, of: house, database) }
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO vault_piece(house, version, piece, bytes) VALUES (?, ?, ?, ?)",
                arguments: [house.data, piece.version, piece.piece, piece.bytes]
            )
            try database.execute(
                sql: """
                    INSERT INTO vault(house, version, pieces) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING;
                    UPDATE vault SET stored = (SELECT COUNT(*) FROM vault_piece WHERE house = ?1 AND version = ?2)
                      WHERE house = ?1 AND version = ?2;
                    """,
                arguments: [house.data, piece.version, piece.pieces, house.data, piece.version]
            )
            for version in VaultStatus(try Self.versions(of: house, database)).superseded {
                try Self.remove(version, of: house, database)
            }
            try Self.noteWrite(house, at: now, database)
        }
    }

    package func removeVault(of house: HouseID, as key: PublicKey, at now: Int64) async throws(RelayStoreError) {
        try await queue.write { database in
            try Access.requireOwner(key, of: house, database)
            for version in try Self.versions(of: house, database) {
                try Self.remove(version.version, of: house, database)
            }
            try Self.noteWrite(house, at: now, database)
        }
    }

    private static func remove(_ version: Int64, of house: HouseID, _ database: Database) throws {
        for table in ["vault_piece", "vault"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE house = ? AND version = ?",
                arguments: [house.data, version]
            )
        }
    }

    /// Returns the versions, the newest first.
    private static func versions(of house: HouseID, _ database: Database) throws -> [VaultStatus.Version] {
        try Row.fetchAll(
            database,
            sql: "SELECT version, pieces, stored FROM vault WHERE house = ? ORDER BY version DESC",
            arguments: [house.data]
        )
        .map { VaultStatus.Version(version: $0[0], pieces: $0[1], isComplete: $0[1] as Int == $0[2] as Int) }
    }

    private static func piece(
        _ number: Int,
        _ version: Int64,
        _ house: HouseID,
        _ database: Database
    ) throws -> Data? {
        try Data.fetchOne(
            database,
            sql: "SELECT bytes FROM vault_piece WHERE house = ? AND version = ? AND piece = ?",
            arguments: [house.data, version, number]
        )
    }

    private static func requireVaultRight(_ key: PublicKey, in house: HouseID, _ database: Database) throws {
        if try Access.isOwner(key, of: house, database) { return }
        let count = try Int.fetchOne(
            database,
            sql: "SELECT COUNT(*) FROM reader WHERE house = ? AND key = ? AND rights & ? != 0",
            arguments: [house.data, key.data, ReaderRights.vault.rawValue]
        )
        guard let count, count > 0 else { throw RelayStoreError.notFound }
    }

    package func vault(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> VaultStatus {
        try await read { database in
            try Self.requireVaultRight(key, in: house, database)
            return VaultStatus(try Self.versions(of: house, database))
        }
    }

    package func piece(
        _ number: Int,
        version: Int64,
        of house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Data {
        try await read { database in
            try Self.requireVaultRight(key, in: house, database)
            guard let piece = try Self.piece(number, version, house, database) else { throw RelayStoreError.notFound }
            return piece
        }
    }
}
