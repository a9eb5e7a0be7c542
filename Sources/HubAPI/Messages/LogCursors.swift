package import Foundation
package import HomeModel

/// A client's position in each log. The client sends it when it reconnects, and then receives only what it missed.
package struct LogCursors: Hashable, Sendable, Codable {
    /// The position in the user's own log.
    package var account: LogCursor
    /// The position in each home's log.
    package var homes: [UUID: LogCursor]

    /// Creates cursors from positions.
    package init(account: LogCursor, homes: [UUID: LogCursor]) {
        self.account = account
        self.homes = homes
    }

    /// Creates cursors at the positions of a snapshot.
    package init(_ snapshot: Snapshot) {
        account = snapshot.account.cursor
        homes = snapshot.homes.mapValues(\.cursor)
    }

    /// Returns whether the positions include a change.
    package func include(_ change: LogChange) -> Bool {
        guard let cursor = change.home.map({ homes[$0] }) ?? account else { return false }
        return cursor.lineage == change.lineage && cursor.revision >= change.revision
    }

    /// Advances to a change.
    package mutating func follow(_ change: LogChange) {
        let cursor = LogCursor(lineage: change.lineage, revision: change.revision)
        if let home = change.home {
            homes[home] = cursor
        } else {
            account = cursor
        }
    }
}

extension LogCursors {
    private enum Key: String, CodingKey {
        case account, homes
    }

    /// Decodes cursors.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        account = try container.decode(LogCursor.self, forKey: .account)
        homes = try container.decode(UUIDKeyedDictionary<LogCursor>.self, forKey: .homes).values
    }

    /// Encodes the cursors; the homes' cursors become an object with their IDs as keys.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(account, forKey: .account)
        try container.encode(UUIDKeyedDictionary(values: homes), forKey: .homes)
    }
}

extension Snapshot.Log {
    /// Creates a log's state at a position.
    package init(_ cursor: LogCursor, _ records: [Record], user: UUID? = nil) {
        self.init(lineage: cursor.lineage, revision: cursor.revision, records: records, user: user)
    }

    /// The position in the log.
    package var cursor: LogCursor { LogCursor(lineage: lineage, revision: revision) }
}
