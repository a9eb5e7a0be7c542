public import Foundation
public import HomeModel

/// How far a client has followed each log. It says so when it connects again, and hears only of what it missed.
public struct SeenLogs: Hashable, Sendable, Codable {
    /// The place in the user's own log.
    public var account: LogCursor
    /// The place in each home's log.
    public var homes: [UUID: LogCursor]

    /// Names the places.
    public init(account: LogCursor, homes: [UUID: LogCursor]) {
        self.account = account
        self.homes = homes
    }

    /// The places that a snapshot shows.
    public init(_ snapshot: Snapshot) {
        account = snapshot.account.cursor
        homes = snapshot.homes.mapValues(\.cursor)
    }

    /// Goes on to a change.
    public mutating func follow(_ change: LogChange) {
        let cursor = LogCursor(lineage: change.lineage, revision: change.revision)
        if let home = change.home {
            homes[home] = cursor
        } else {
            account = cursor
        }
    }
}

extension Snapshot.Log {
    /// Makes a log's state at a place in it.
    public init(_ cursor: LogCursor, _ records: [Record]) {
        self.init(lineage: cursor.lineage, revision: cursor.revision, records: records)
    }

    /// The place in the log.
    public var cursor: LogCursor { LogCursor(lineage: lineage, revision: revision) }
}
