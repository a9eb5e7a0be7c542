import GRDB

extension Database {
    /// Sets whether a transaction is on the disk when it ends. Otherwise a power failure may undo it, with all later ones, but
    /// none before it.
    func setDurable(_ isDurable: Bool) throws {
        try execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
    }

    /// Runs a closure in one transaction, which is rolled back if the closure throws.
    ///
    /// - Throws: The error of `body` or of the database.
    func inOneTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        // Every append waits for these statements, so they are cached.
        try cachedStatement(sql: "BEGIN IMMEDIATE").execute()
        do {
            let value = try body()
            try cachedStatement(sql: "COMMIT").execute()
            return value
        } catch {
            try rollback()
            throw error
        }
    }
}
