import Foundation
import GRDB

/// Reads and writes the state that automations keep.
enum StateTable {
    /// Creates the table, which formats before 4 don't have.
    static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE state (
                    kind TEXT NOT NULL,
                    home BLOB NOT NULL,
                    id BLOB NOT NULL,
                    value BLOB NOT NULL,
                    PRIMARY KEY (kind, home, id)
                ) STRICT, WITHOUT ROWID;
                """
        )
    }

    static func all(_ kind: StateKey.Kind, _ database: Database) throws -> [StateKey: [UInt8]] {
        let sql = "SELECT home, id, value FROM state WHERE kind = ?"
        let rows = try Row.fetchCursor(database, sql: sql, arguments: [kind.rawValue])
        var states: [StateKey: [UInt8]] = [:]
        while let row = try rows.next() {
            let (home, id, value): (Data, Data, Data) = (row[0], row[1], row[2])
            guard let home = UUID(bytes: home), let id = UUID(bytes: id) else { continue }
            states[StateKey(kind, home: home, id: id)] = Array(value)
        }
        return states
    }

    /// Stores values; `nil` removes one.
    static func set(_ values: [StateKey: [UInt8]?], _ database: Database) throws {
        for (key, value) in values {
            let name: StatementArguments = [key.kind.rawValue, key.home.bytes, key.id.bytes]
            if let value {
                let sql = "INSERT OR REPLACE INTO state (kind, home, id, value) VALUES (?, ?, ?, ?)"
                try database.cachedStatement(sql: sql).execute(arguments: name + [Data(value)])
            } else {
                let sql = "DELETE FROM state WHERE kind = ? AND home = ? AND id = ?"
                try database.cachedStatement(sql: sql).execute(arguments: name)
            }
        }
    }

    /// Removes the state of a home that is being removed.
    static func removeAll(of home: UUID, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM state WHERE home = ?", arguments: [home.bytes])
    }
}
