/// A statement that each connection prepares once, when it is first used.
struct PostgresStatement: Hashable, Sendable {
    /// The name at the server.
    let name: String
    /// The text.
    let sql: String

    init(_ name: String, _ sql: String) {
        self.name = name
        self.sql = sql
    }
}
