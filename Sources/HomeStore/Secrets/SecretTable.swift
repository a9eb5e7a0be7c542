import Foundation
import GRDB
import HomeModel

/// Reads and writes secrets.
enum SecretTable {
    static func value(_ key: SecretKey, _ database: Database) throws -> [UInt8]? {
        let value = try Data.fetchOne(
            database,
            sql: "SELECT value FROM secret WHERE kind = ? AND log = ? AND name = ?",
            arguments: arguments(key)
        )
        return value.map { Array($0) }
    }

    static func keys(_ kind: SecretKey.Kind, of log: LogID?, _ database: Database) throws -> [SecretKey] {
        let names = try String.fetchAll(
            database,
            sql: "SELECT name FROM secret WHERE kind = ? AND log = ? ORDER BY name",
            arguments: [kind.rawValue, text(log)]
        )
        return names.map { SecretKey(kind: kind, log: log, name: $0) }
    }

    /// Stores a secret.
    ///
    /// - Throws: ``StoreError`` with `noSuchLog` if the secret's log doesn't exist. Otherwise the secret could never be
    ///   found or removed.
    static func set(_ value: [UInt8], for key: SecretKey, _ database: Database) throws {
        if let log = key.log, try LogTable.row(log, database) == nil {
            throw StoreError(.noSuchLog, "\(log) doesn't exist, so it can't have a \(key.kind.rawValue).")
        }
        try database.execute(
            sql: """
                INSERT INTO secret (kind, log, name, value) VALUES (?, ?, ?, ?)
                ON CONFLICT (kind, log, name) DO UPDATE SET value = excluded.value
                """,
            arguments: arguments(key) + [Data(value)]
        )
    }

    /// Stores secrets; `nil` removes one.
    static func set(_ values: [SecretKey: [UInt8]?], _ database: Database) throws {
        for (key, value) in values {
            if let value {
                try set(value, for: key, database)
            } else {
                try remove(key, database)
            }
        }
    }

    static func remove(_ key: SecretKey, _ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM secret WHERE kind = ? AND log = ? AND name = ?",
            arguments: arguments(key)
        )
    }

    /// Removes all secrets.
    static func removeAll(_ database: Database) throws { try database.execute(sql: "DELETE FROM secret") }

    /// Removes the secrets of a kind.
    static func removeAll(_ kind: SecretKey.Kind, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM secret WHERE kind = ?", arguments: [kind.rawValue])
    }

    /// Removes the secrets of a log that is being removed. Its pairings are kept for removal from the accessories,
    /// which still have them.
    static func removeAll(of log: LogID, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO secret (kind, log, name, value)
                SELECT ?, ?, name, value FROM secret WHERE kind = ? AND log = ?
                """,
            arguments: [
                SecretKey.Kind.scheduledRemoval.rawValue, text(nil), SecretKey.Kind.pairing.rawValue, text(log),
            ]
        )
        try database.execute(sql: "DELETE FROM secret WHERE log = ?", arguments: [text(log)])
    }

    private static func arguments(_ key: SecretKey) -> StatementArguments {
        [key.kind.rawValue, text(key.log), key.name]
    }

    /// The text for a log. It is empty for the hub's own secrets, because a column of the primary key can't be null.
    private static func text(_ log: LogID?) -> String { log?.description ?? "" }
}
