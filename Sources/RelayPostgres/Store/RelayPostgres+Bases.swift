package import Consensus
package import Foundation
package import HomeIdentity
package import RelayAPI

extension RelayPostgres {
    private static let readBases = PostgresStatement(
        "bases",
        "SELECT place, term, pieces, stored FROM base WHERE house = $1::bytea ORDER BY place, term"
    )
    private static let addBasePiece = PostgresStatement(
        "add_base_piece",
        """
        INSERT INTO base_piece(house, place, term, piece, bytes)
        VALUES ($1::bytea, $2::bigint, $3::bigint, $4::bigint, $5::bytea)
        ON CONFLICT (house, place, term, piece) DO UPDATE SET bytes = excluded.bytes
        """
    )
    private static let countBasePieces = PostgresStatement(
        "count_base_pieces",
        """
        INSERT INTO base(house, place, term, pieces, stored)
        SELECT $1::bytea, $2::bigint, $3::bigint, $4::bigint, count(*) FROM base_piece
        WHERE house = $1::bytea AND place = $2::bigint AND term = $3::bigint
        ON CONFLICT (house, place, term) DO UPDATE SET stored = excluded.stored
        """
    )
    private static let readBasePiece = PostgresStatement(
        "base_piece",
        """
        SELECT bytes FROM base_piece
        WHERE house = $1::bytea AND place = $2::bigint AND term = $3::bigint AND piece = $4::bigint
        """
    )
    private static let removeBase = ["base_piece", "base"].map { table in
        PostgresStatement(
            "remove_\(table)",
            "DELETE FROM \(table) WHERE house = $1::bytea AND place = $2::bigint AND term = $3::bigint"
        )
    }
    private static let removeFormerBases = ["base_piece", "base"].map { table in
        PostgresStatement(
            "remove_former_\(table)",
            "DELETE FROM \(table) WHERE house = $1::bytea AND place < $2::bigint"
        )
    }

    package func setBasePiece(
        _ piece: BasePiece,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await pool.run { connection in
            try connection.transaction {
                try Access.requireOwner(key, of: house, locked: true, connection)
                let voter = try Self.voter(of: house, batchesAfter: nil, connection)
                let decision = try HouseBase.deciding(about: piece, try Self.bases(of: house, connection), of: voter)
                guard let voter, case .store(let removed) = decision else { return }
                for position in removed { try Self.remove(position, of: house, connection) }
                let place = Self.place(piece.position, of: house)
                try connection.run(Self.addBasePiece, place + [.number(Int64(piece.piece)), .bytes(piece.bytes)])
                try connection.run(Self.countBasePieces, place + [.number(Int64(piece.pieces))])
                let bases = try Self.bases(of: house, connection)
                if bases.contains(where: { $0.position == piece.position && $0.isComplete }) {
                    try Self.write(try HouseBase.taking(piece, voter), of: house, connection)
                    for other in bases where other.position != piece.position {
                        try Self.remove(other.position, of: house, connection)
                    }
                }
                try Self.noteWrite(house, at: now, connection)
            }
        }
    }

    package func base(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> BaseStatus {
        try await pool.run { connection in
            try Access.requireOwner(key, of: house, connection)
            guard let base = try Self.bases(of: house, connection).first(where: \.isComplete) else {
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
        try await pool.run { connection in
            try Access.requireOwner(key, of: house, connection)
            let bases = try Self.bases(of: house, connection)
            let place = Self.place(position, of: house)
            let rows = try connection.run(Self.readBasePiece, place + [.number(Int64(number))])
            guard bases.contains(where: { $0.position == position && $0.isComplete }), rows.count == 1,
                let bytes = rows.data(0, 0)
            else { throw RelayStoreError.notFound }
            return bytes
        }
    }

    private static func place(_ position: BatchPosition, of house: HouseID) -> [PostgresValue] {
        [.bytes(house.bytes), .number(Int64(position.place)), .number(Int64(position.term))]
    }

    private static func bases(of house: HouseID, _ connection: PostgresConnection) throws -> [HouseBase] {
        let rows = try connection.run(readBases, [.bytes(house.bytes)])
        return (0..<rows.count).map { row in
            func number(_ column: Int) -> Int { Int(rows.number(row, column) ?? 0) }
            return HouseBase(
                position: BatchPosition(place: number(0), term: number(1)),
                pieces: number(2),
                stored: number(3)
            )
        }
    }

    /// Removes the states of a house before a place.
    static func removeBases(of house: HouseID, before place: Int, _ connection: PostgresConnection) throws {
        for statement in removeFormerBases {
            try connection.run(statement, [.bytes(house.bytes), .number(Int64(place))])
        }
    }

    private static func remove(
        _ position: BatchPosition,
        of house: HouseID,
        _ connection: PostgresConnection
    ) throws {
        for statement in removeBase { try connection.run(statement, place(position, of: house)) }
    }
}
