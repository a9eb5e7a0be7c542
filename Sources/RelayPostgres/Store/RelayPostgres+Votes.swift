package import Consensus
import Foundation
package import HomeIdentity
package import RelayAPI

extension RelayPostgres {
    private static let readVoter = PostgresStatement(
        "voter",
        "SELECT pair, term, vote, base_place, base_term FROM voter WHERE house = $1::bytea"
    )
    private static let readPlaces = PostgresStatement(
        "batch_places",
        "SELECT place, term, octet_length(bytes) FROM batch WHERE house = $1::bytea ORDER BY place"
    )
    private static let readBatches = PostgresStatement(
        "batches",
        """
        SELECT place, bytes FROM batch WHERE house = $1::bytea AND place > $2::bigint ORDER BY place
        LIMIT \(ConsensusLimits.batchesPerMessage)
        """
    )
    private static let removeLater = PostgresStatement(
        "remove_later_batches",
        "DELETE FROM batch WHERE house = $1::bytea AND place > $2::bigint"
    )
    private static let removeEarlier = PostgresStatement(
        "remove_earlier_batches",
        "DELETE FROM batch WHERE house = $1::bytea AND place <= $2::bigint"
    )
    private static let addBatch = PostgresStatement(
        "add_batch",
        "INSERT INTO batch(house, place, term, bytes) VALUES ($1::bytea, $2::bigint, $3::bigint, $4::bytea)"
    )
    private static let setVoter = PostgresStatement(
        "set_voter",
        """
        INSERT INTO voter(house, pair, term, vote, base_place, base_term)
        VALUES ($1::bytea, $2::bigint, $3::bigint, NULLIF($4::uuid, '\(noVote.uuidString)'), $5::bigint, $6::bigint)
        ON CONFLICT (house) DO UPDATE SET pair = excluded.pair, term = excluded.term, vote = excluded.vote,
          base_place = excluded.base_place, base_term = excluded.base_term
        """
    )
    /// What stands for no vote in a statement.
    private static let noVote = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    package func vote(
        _ call: VoteCall,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> VoterMessage {
        try await pool.run { connection in
            // Most messages change nothing.
            let decision = try connection.transaction {
                try connection.script("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                return try Self.decide(call, in: house, as: key, connection)
            }
            guard decision.isWritten else { return decision.answer }
            return try connection.transaction {
                let decision = try Self.decide(call, in: house, as: key, locked: true, connection)
                guard decision.isWritten else { return decision.answer }
                try Self.write(decision, of: house, connection)
                try Self.noteWrite(house, at: now, connection)
                return decision.answer
            }
        }
    }

    private static func decide(
        _ call: VoteCall,
        in house: HouseID,
        as key: PublicKey,
        locked: Bool = false,
        _ connection: PostgresConnection
    ) throws -> HouseVoter.Decision {
        try Access.requireOwner(key, of: house, locked: locked, connection)
        return try HouseVoter.deciding(
            about: call,
            stored: try voter(of: house, batchesAfter: call.fetchedAfter, connection)
        )
    }

    /// Returns what is stored of a house as a voter; `nil` for nothing.
    ///
    /// - Parameter first: The place after which batches have their bytes; `nil` for none.
    static func voter(
        of house: HouseID,
        batchesAfter first: Int?,
        _ connection: PostgresConnection
    ) throws -> HouseVoter? {
        let rows = try connection.run(readVoter, [.bytes(house.bytes)])
        guard rows.count == 1 else { return nil }
        func number(_ column: Int) -> Int { Int(rows.number(0, column) ?? 0) }
        let places = try connection.run(readPlaces, [.bytes(house.bytes)])
        var (batches, byteCount): ([Batch], Int) = ([], 0)
        for row in 0..<places.count {
            let place = Int(places.number(row, 0) ?? 0)
            batches.append(Batch(BatchPosition(place: place, term: Int(places.number(row, 1) ?? 0))))
            byteCount += Int(places.number(row, 2) ?? 0)
        }
        if let first {
            let found = try connection.run(readBatches, [.bytes(house.bytes), .number(Int64(first))])
            for row in 0..<found.count {
                let place = found.number(row, 0).map { Int($0) }
                let index = batches.firstIndex { $0.position.place == place }
                if let index, let bytes = found.data(row, 1) { batches[index].bytes = Array(bytes) }
            }
        }
        guard let log = BatchLog(base: BatchPosition(place: number(3), term: number(4)), batches: batches) else {
            throw RelayStoreError.failure("The database is damaged: batches of a house are missing.")
        }
        var reader = FieldReader(rest: Array(rows.data(0, 2) ?? Data())[...])
        return HouseVoter(
            pair: rows.number(0, 0) ?? 0,
            record: VoterRecord(term: number(1), vote: reader.id()),
            log: log,
            byteCount: byteCount
        )
    }

    static func write(
        _ decision: HouseVoter.Decision,
        of house: HouseID,
        _ connection: PostgresConnection
    ) throws {
        let id = PostgresValue.bytes(house.bytes)
        if decision.beginsAnew {
            try connection.run(removeLater, [id, .number(-1)])
            try removeBases(of: house, before: .max, connection)
        }
        if let place = decision.change.removedAfter { try connection.run(removeLater, [id, .number(Int64(place))]) }
        for batch in decision.change.added {
            let position: [PostgresValue] = [
                .number(Int64(batch.position.place)), .number(Int64(batch.position.term)),
            ]
            try connection.run(addBatch, [id] + position + [.bytes(batch.bytes)])
        }
        if let place = decision.discarded {
            try connection.run(removeEarlier, [id, .number(Int64(place))])
            // Whoever lacks what the state replaced has it now.
            try removeBases(of: house, before: place, connection)
        }
        let voter = decision.voter
        try connection.run(
            setVoter,
            [
                id, .number(voter.pair), .number(Int64(voter.record.term)), .uuid(voter.record.vote ?? noVote),
                .number(Int64(voter.log.base.place)), .number(Int64(voter.log.base.term)),
            ]
        )
    }
}
