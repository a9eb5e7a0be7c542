import GRDB

/// Reads and writes of what the hub keeps about itself.
enum MetadataTable {
    static func value(_ key: MetadataKey, _ database: Database) throws -> String? {
        try String.fetchOne(database, sql: "SELECT value FROM metadata WHERE key = ?", arguments: [key.rawValue])
    }

    static func set(_ value: String?, for key: MetadataKey, _ database: Database) throws {
        guard let value else {
            try database.execute(sql: "DELETE FROM metadata WHERE key = ?", arguments: [key.rawValue])
            return
        }
        try database.execute(
            sql: """
                INSERT INTO metadata (key, value) VALUES (?, ?)
                ON CONFLICT (key) DO UPDATE SET value = excluded.value
                """,
            arguments: [key.rawValue, value]
        )
    }
}
