import Foundation
import GRDB
import HomeModel

/// Reads and writes the claims of triggers' firings.
enum FiringTable {
    /// Creates the table, which formats before 4 don't have.
    static func create(_ database: Database) throws {
        // firing.place is the order of the claims.
        try database.execute(
            sql: """
                CREATE TABLE firing (
                    place INTEGER PRIMARY KEY AUTOINCREMENT,
                    home BLOB NOT NULL,
                    trigger BLOB NOT NULL,
                    occurrence TEXT NOT NULL,
                    time INTEGER NOT NULL,
                    isComplete INTEGER NOT NULL,
                    hub BLOB,
                    term INTEGER NOT NULL DEFAULT 0,
                    UNIQUE (trigger, occurrence)
                ) STRICT;
                CREATE INDEX incompleteFiring ON firing (place) WHERE isComplete = 0;
                """
        )
    }

    /// Adds the columns of the hub that claimed, which format 4 doesn't have.
    static func addLeader(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE firing ADD COLUMN hub BLOB;
                ALTER TABLE firing ADD COLUMN term INTEGER NOT NULL DEFAULT 0;
                """
        )
    }

    /// Stores claims, and with each new one its state.
    ///
    /// - Returns: For each claim, whether it is new.
    static func claim(
        _ claims: [FiringClaim],
        updating values: [Int: [StateKey: [UInt8]?]],
        _ database: Database
    ) throws -> [Bool] {
        try claims.enumerated().map { index, claim in
            guard try self.claim(claim, database) else { return false }
            if let values = values[index] { try StateTable.set(values, database) }
            return true
        }
    }

    /// Stores a claim, and removes the oldest claims beyond the limit.
    ///
    /// - Returns: Whether the claim is new.
    private static func claim(_ claim: FiringClaim, _ database: Database) throws -> Bool {
        let insertion = """
            INSERT OR IGNORE INTO firing (home, trigger, occurrence, time, hub, term, isComplete)
            VALUES (?, ?, ?, ?, ?, ?, 0)
            """
        try database.cachedStatement(sql: insertion).execute(
            arguments: [
                claim.home.bytes, claim.trigger.bytes, claim.occurrence, claim.time.milliseconds, claim.hub?.bytes,
                claim.term,
            ]
        )
        guard database.changesCount > 0 else { return false }
        let pruning = "DELETE FROM firing WHERE place <= ? AND isComplete = 1"
        try database.cachedStatement(sql: pruning).execute(
            arguments: [database.lastInsertedRowID - FiringLimits.claims]
        )
        return true
    }

    static func complete(_ claim: FiringClaim, _ database: Database) throws {
        let sql = "UPDATE firing SET isComplete = 1 WHERE trigger = ? AND occurrence = ?"
        try database.cachedStatement(sql: sql).execute(arguments: [claim.trigger.bytes, claim.occurrence])
    }

    /// Returns the claims whose firing wasn't completed, oldest first.
    static func incomplete(_ database: Database) throws -> [FiringClaim] {
        let sql = "SELECT home, trigger, occurrence, time, hub, term FROM firing WHERE isComplete = 0 ORDER BY place"
        return try Row.fetchAll(database, sql: sql).compactMap { row in
            let (home, trigger): (Data, Data) = (row[0], row[1])
            guard let home = UUID(bytes: home), let trigger = UUID(bytes: trigger) else { return nil }
            var claim = FiringClaim(home: home, trigger: trigger, occurrence: row[2], time: Date(milliseconds: row[3]))
            claim.hub = (row[4] as Data?).flatMap { UUID(bytes: $0) }
            claim.term = row[5]
            return claim
        }
    }

    /// Removes the claims of a home that is being removed.
    static func removeAll(of home: UUID, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM firing WHERE home = ?", arguments: [home.bytes])
    }
}
