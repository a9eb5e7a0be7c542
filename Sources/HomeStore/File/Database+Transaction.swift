import GRDB

extension Database {
    /// Runs what changes the database as one transaction, or not at all.
    ///
    /// - Throws: What `body` or the database throws; nothing was changed then.
    func inOneTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        // Statements that are kept prepared: every append waits for them.
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
