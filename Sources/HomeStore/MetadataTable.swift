import Foundation
import GRDB

/// Reads and writes the hub's metadata.
enum MetadataTable {
    static func value(_ key: MetadataKey, _ database: Database) throws -> String? {
        try String.fetchOne(database, sql: "SELECT value FROM metadata WHERE key = ?", arguments: [key.rawValue])
    }

    /// Gives a restored data folder a higher generation than the original and all earlier restores, so that it takes
    /// over.
    static func beginGeneration(now: Date, _ database: Database) throws {
        let previous = try value(.generation, database).flatMap { Int($0) } ?? 0
        try set("\(max(previous + 1, Int(now.timeIntervalSince1970 * 1_000)))", for: .generation, database)
        try set(nil, for: .succession, database)
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
