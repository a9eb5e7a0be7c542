import Consensus
import Foundation
import GRDB

/// Reads and writes what the hub keeps as a voter. A hub that is alone has none of it.
enum VoterTable {
    /// Creates the tables, which formats before 5 don't have.
    static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE voter (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    term INTEGER NOT NULL,
                    vote BLOB,
                    basePlace INTEGER NOT NULL,
                    baseTerm INTEGER NOT NULL,
                    appliedPlace INTEGER NOT NULL,
                    appliedTerm INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE tail (
                    place INTEGER PRIMARY KEY,
                    term INTEGER NOT NULL,
                    bytes BLOB NOT NULL
                ) STRICT;
                """
        )
    }

    /// Returns the state; `nil` if the hub is alone.
    static func state(_ database: Database) throws -> VoterState? {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM voter") else { return nil }
        let vote: Data? = row["vote"]
        let batches = try Row.fetchAll(database, sql: "SELECT place, term, bytes FROM tail ORDER BY place")
        return VoterState(
            record: VoterRecord(term: row["term"], vote: vote.flatMap { UUID(bytes: $0) }),
            base: BatchPosition(place: row["basePlace"], term: row["baseTerm"]),
            applied: BatchPosition(place: row["appliedPlace"], term: row["appliedTerm"]),
            batches: batches.map(batch)
        )
    }

    /// Returns the position of the last batch that was applied; `nil` if the hub is alone.
    static func applied(_ database: Database) throws -> BatchPosition? {
        let row = try Row.fetchOne(database, sql: "SELECT appliedPlace, appliedTerm FROM voter")
        return row.map { BatchPosition(place: $0[0], term: $0[1]) }
    }

    /// Throws `damaged` if the state contradicts itself. Such a hub could vote against what it has acknowledged.
    static func check(_ database: Database, file: String) throws {
        guard let state = try state(database) else {
            guard try Int.fetchOne(database, sql: "SELECT count(*) FROM tail") == 0 else {
                throw StoreError.damaged(file: file, "what the hub knows as a voter is missing")
            }
            return
        }
        guard state.log != nil, state.record.term >= state.batches.last?.position.term ?? 0 else {
            throw StoreError.damaged(file: file, "batches of changes are missing")
        }
    }

    /// Makes the hub a voter whose state is that after a position.
    static func begin(at position: BatchPosition, _ database: Database) throws {
        let sql = """
            INSERT INTO voter VALUES (1, 0, NULL, :place, :term, :place, :term)
            ON CONFLICT (id) DO UPDATE SET
                basePlace = :place, baseTerm = :term, appliedPlace = :place, appliedTerm = :term,
                term = max(voter.term, :term)
            """
        try database.execute(sql: sql, arguments: ["place": position.place, "term": position.term])
    }

    /// Forgets that the hub was a voter.
    static func end(_ database: Database) throws {
        try database.execute(sql: "DELETE FROM voter; DELETE FROM tail")
    }

    static func write(_ change: LogChange, _ database: Database) throws {
        if let record = change.record {
            try database.cachedStatement(sql: "UPDATE voter SET term = ?, vote = ?")
                .execute(arguments: [record.term, record.vote?.bytes])
            try checkIsVoter(database)
        }
        if let place = change.removedAfter {
            try database.cachedStatement(sql: "DELETE FROM tail WHERE place > ?").execute(arguments: [place])
        }
        for batch in change.added {
            try database.cachedStatement(sql: "INSERT INTO tail (place, term, bytes) VALUES (?, ?, ?)")
                .execute(arguments: [batch.position.place, batch.position.term, Data(batch.bytes)])
        }
    }

    /// Removes the batches up to a place. They were applied.
    static func discard(through place: Int, _ database: Database) throws {
        let sql = """
            UPDATE voter SET basePlace = place, baseTerm = tail.term FROM tail
            WHERE place = ? AND place <= appliedPlace
            """
        try database.execute(sql: sql, arguments: [place])
        try checkIsVoter(database)
        try removeBatches(through: place, database)
    }

    static func removeBatches(through place: Int, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM tail WHERE place <= ?", arguments: [place])
    }

    /// Returns the stored batches after a place, up to another one.
    static func batches(after first: Int, through last: Int, _ database: Database) throws -> [Consensus.Batch] {
        let sql = "SELECT place, term, bytes FROM tail WHERE place > ? AND place <= ? ORDER BY place"
        return try Row.fetchAll(try database.cachedStatement(sql: sql), arguments: [first, last]).map(batch)
    }

    static func setApplied(_ position: BatchPosition, _ database: Database) throws {
        try database.cachedStatement(sql: "UPDATE voter SET appliedPlace = ?, appliedTerm = ?")
            .execute(arguments: [position.place, position.term])
    }

    private static func batch(_ row: Row) -> Consensus.Batch {
        let bytes: Data = row[2]
        return Consensus.Batch(BatchPosition(place: row[0], term: row[1]), bytes: Array(bytes))
    }

    private static func checkIsVoter(_ database: Database) throws {
        guard database.changesCount == 1 else { throw StoreError(.invalid, "There is nothing to change as a voter.") }
    }
}
