public import Foundation
public import HomeModel

/// What became of a draft: the entry is in its log, and on the disk.
public struct AppendedEntry: Hashable, Sendable {
    /// The log.
    public var log: LogID
    /// The entry's identity.
    public var entryID: UUID
    /// The entry's place in the log.
    public var cursor: LogCursor
    /// The entry's hash.
    public var hash: EntryHash
    /// The entry's time, to the millisecond.
    public var time: Date
}
