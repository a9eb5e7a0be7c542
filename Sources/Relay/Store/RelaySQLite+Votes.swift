package import Consensus
import Foundation
import GRDB
package import HomeIdentity
package import RelayAPI

extension RelaySQLite {
    package func vote(
        _ call: VoteCall,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> VoterMessage {
        // Most messages change nothing.
        let decision = try await read { try Self.decide(call, in: house, as: key, $0) }
        guard decision.isWritten else { return decision.answer }
        return try await queue.write { database in
            let decision = try Self.decide(call, in: house, as: key, database)
            guard decision.isWritten else { return decision.answer }
            try Self.write(decision, of: house, database)
            try Self.noteWrite(house, at: now, database)
            return decision.answer
        }
    }

    private static func decide(
        _ call: VoteCall,
        in house: HouseID,
        as key: PublicKey,
        _ database: Database
    ) throws -> HouseVoter.Decision {
        try Access.requireOwner(key, of: house, database)
        return try HouseVoter.deciding(
            about: call,
            stored: try voter(of: house, batchesAfter: call.fetchedAfter, database)
        )
    }

    /// Returns what is stored of a house as a voter; `nil` for nothing.
    ///
    /// - Parameter first: The place after which batches have their bytes; `nil` for none.
    static func voter(
        of house: HouseID,
        batchesAfter first: Int?,
        _ database: Database
    ) throws -> HouseVoter? {
        let voters = try database.cachedStatement(
            sql: "SELECT pair, term, vote, base_place, base_term FROM voter WHERE house = ?"
        )
        guard let row = try Row.fetchOne(voters, arguments: [house.data]) else { return nil }
        let places = try database.cachedStatement(
            sql: "SELECT place, term, length(bytes) FROM batch WHERE house = ? ORDER BY place"
        )
        var (batches, byteCount): ([Batch], Int) = ([], 0)
        let rows = try Row.fetchCursor(places, arguments: [house.data])
        while let row = try rows.next() {
            batches.append(Batch(BatchPosition(place: row[0], term: row[1])))
            byteCount += row[2] as Int
        }
        if let first {
            let sql = "SELECT place, bytes FROM batch WHERE house = ? AND place > ? ORDER BY place LIMIT ?"
            let found = try Row.fetchAll(
                database,
                sql: sql,
                arguments: [house.data, first, ConsensusLimits.batchesPerMessage]
            )
            for row in found {
                let (place, bytes): (Int, Data) = (row[0], row[1])
                let index = batches.firstIndex { $0.position.place == place }
                if let index { batches[index].bytes = Array(bytes) }
            }
        }
        let base = BatchPosition(place: row[3], term: row[4])
        guard let log = BatchLog(base: base, batches: batches) else {
            throw RelayStoreError.failure("The database is damaged: batches of a house are missing.")
        }
        let vote = (row[2] as Data?).flatMap { UUID(voteBytes: $0) }
        return HouseVoter(
            pair: row[0],
            record: VoterRecord(term: row[1], vote: vote),
            log: log,
            byteCount: byteCount
        )
    }

    static func write(_ decision: HouseVoter.Decision, of house: HouseID, _ database: Database) throws {
        if decision.beginsAnew {
            try database.execute(sql: "DELETE FROM batch WHERE house = ?", arguments: [house.data])
            try removeBases(of: house, before: .max, database)
        }
        if let place = decision.change.removedAfter {
            try database.execute(
                sql: "DELETE FROM batch WHERE house = ? AND place > ?",
                arguments: [house.data, place]
            )
        }
        let insertion = "INSERT INTO batch(house, place, term, bytes) VALUES (?, ?, ?, ?)"
        for batch in decision.change.added {
            try database.cachedStatement(sql: insertion).execute(
                arguments: [house.data, batch.position.place, batch.position.term, Data(batch.bytes)]
            )
        }
        if let place = decision.discarded {
            try database.execute(
                sql: "DELETE FROM batch WHERE house = ? AND place <= ?",
                arguments: [house.data, place]
            )
            // Whoever lacks what the state replaced has it now.
            try removeBases(of: house, before: place, database)
        }
        let voter = decision.voter
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO voter(house, pair, term, vote, base_place, base_term) VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                house.data, voter.pair, voter.record.term, voter.record.vote?.voteBytes, voter.log.base.place,
                voter.log.base.term,
            ]
        )
    }
}

extension UUID {
    /// The bytes, as the database has them.
    fileprivate var voteBytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }

    fileprivate init?(voteBytes: Data) {
        var reader = FieldReader(rest: Array(voteBytes)[...])
        guard let id = reader.id() else { return nil }
        self = id
    }
}
