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
                    UNIQUE (trigger, occurrence)
                ) STRICT;
                CREATE INDEX incompleteFiring ON firing (place) WHERE isComplete = 0;
                """
        )
    }

    /// Stores a claim, and removes the oldest claims beyond the limit.
    ///
    /// - Returns: Whether the claim is new.
    static func claim(_ claim: FiringClaim, _ database: Database) throws -> Bool {
        let insertion = """
            INSERT OR IGNORE INTO firing (home, trigger, occurrence, time, isComplete) VALUES (?, ?, ?, ?, 0)
            """
        try database.cachedStatement(sql: insertion).execute(
            arguments: [claim.home.bytes, claim.trigger.bytes, claim.occurrence, claim.time.milliseconds]
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
        let sql = "SELECT home, trigger, occurrence, time FROM firing WHERE isComplete = 0 ORDER BY place"
        return try Row.fetchAll(database, sql: sql).compactMap { row in
            let (home, trigger): (Data, Data) = (row[0], row[1])
            guard let home = UUID(bytes: home), let trigger = UUID(bytes: trigger) else { return nil }
            return FiringClaim(home: home, trigger: trigger, occurrence: row[2], time: Date(milliseconds: row[3]))
        }
    }

    /// Removes the claims of a home that is being removed.
    static func removeAll(of home: UUID, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM firing WHERE home = ?", arguments: [home.bytes])
    }
}
