package import Consensus
package import Foundation
import GRDB
package import HomeIdentity
package import RelayAPI

extension RelaySQLite {
    package func setBasePiece(
        _ piece: BasePiece,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await queue.write { database in
            try Access.requireOwner(key, of: house, database)
            let voter = try Self.voter(of: house, batchesAfter: nil, database)
            let decision = try HouseBase.deciding(about: piece, try Self.bases(of: house, database), of: voter)
            guard let voter, case .store(let removed) = decision else { return }
            for position in removed { try Self.removeBase(at: position, of: house, database) }
            let place: [(any DatabaseValueConvertible)?] = [house.data, piece.position.place, piece.position.term]
            try database.execute(
                sql: "INSERT OR REPLACE INTO base_piece(house, place, term, piece, bytes) VALUES (?, ?, ?, ?, ?)",
                arguments: StatementArguments(place + [piece.piece, piece.bytes])
            )
            try database.execute(
                sql: "INSERT INTO base(house, place, term, pieces) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: StatementArguments(place + [piece.pieces])
            )
            try database.execute(
                sql: """
                    UPDATE base SET stored = (
                      SELECT COUNT(*) FROM base_piece p WHERE p.house = base.house AND p.place = base.place AND p.term = base.term
                    ) WHERE house = ? AND place = ? AND term = ?
                    """,
                arguments: StatementArguments(place)
            )
            if let base = try Self.bases(of: house, database).first(where: { $0.position == piece.position }),
                base.isComplete
            {
                // The writing removes the states before it.
                try Self.write(try HouseBase.taking(piece, voter), of: house, database)
                for other in try Self.bases(of: house, database) where other.position != piece.position {
                    try Self.removeBase(at: other.position, of: house, database)
                }
            }
            try Self.noteWrite(house, at: now, database)
        }
    }

    package func base(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> BaseStatus {
        try await read { database in
            try Access.requireOwner(key, of: house, database)
            guard let base = try Self.bases(of: house, database).first(where: \.isComplete) else {
                throw RelayStoreError.notFound
            }
            return BaseStatus(place: base.position.place, term: base.position.term, pieces: base.pieces)
        }
    }

    package func basePiece(
        _ number: Int,
        at position: BatchPosition,
        of house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Data {
        try await read { database in
            try Access.requireOwner(key, of: house, database)
            let bases = try Self.bases(of: house, database)
            let bytes = try Data.fetchOne(
                database,
                sql: "SELECT bytes FROM base_piece WHERE house = ? AND place = ? AND term = ? AND piece = ?",
                arguments: [house.data, position.place, position.term, number]
            )
            guard bases.contains(where: { $0.position == position && $0.isComplete }), let bytes else {
                throw RelayStoreError.notFound
            }
            return bytes
        }
    }

    private static func bases(of house: HouseID, _ database: Database) throws -> [HouseBase] {
        try Row.fetchAll(
            database,
            sql: "SELECT place, term, pieces, stored FROM base WHERE house = ? ORDER BY place, term",
            arguments: [house.data]
        )
        .map { HouseBase(position: BatchPosition(place: $0[0], term: $0[1]), pieces: $0[2], stored: $0[3]) }
    }

    /// Removes the states of a house before a place.
    static func removeBases(of house: HouseID, before place: Int, _ database: Database) throws {
        for table in ["base_piece", "base"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE house = ? AND place < ?",
                arguments: [house.data, place]
            )
        }
    }

    private static func removeBase(at position: BatchPosition, of house: HouseID, _ database: Database) throws {
        for table in ["base_piece", "base"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE house = ? AND place = ? AND term = ?",
                arguments: [house.data, position.place, position.term]
            )
        }
    }
}
