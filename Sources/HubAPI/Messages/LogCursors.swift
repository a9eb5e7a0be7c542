package import Foundation
package import HomeModel

/// How far a client has followed each log. It says so when it connects again, and hears only of what it missed.
package struct LogCursors: Hashable, Sendable, Codable {
    /// The place in the user's own log.
    package var account: LogCursor
    /// The place in each home's log.
    package var homes: [UUID: LogCursor]

    /// Names the places.
    package init(account: LogCursor, homes: [UUID: LogCursor]) {
        self.account = account
        self.homes = homes
    }

    /// The places that a snapshot shows.
    package init(_ snapshot: Snapshot) {
        account = snapshot.account.cursor
        homes = snapshot.homes.mapValues(\.cursor)
    }

    /// Goes on to a change.
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

    /// Reads the places.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        account = try container.decode(LogCursor.self, forKey: .account)
        homes = try container.decode(UUIDKeyedDictionary<LogCursor>.self, forKey: .homes).values
    }

    /// Writes the places, the homes' as an object by their identities.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(account, forKey: .account)
        try container.encode(UUIDKeyedDictionary(values: homes), forKey: .homes)
    }
}

extension Snapshot.Log {
    /// Makes a log's state at a place in it.
    package init(_ cursor: LogCursor, _ records: [Record], user: UUID? = nil) {
        self.init(lineage: cursor.lineage, revision: cursor.revision, records: records, user: user)
    }

    /// The place in the log.
    package var cursor: LogCursor { LogCursor(lineage: lineage, revision: revision) }
}
