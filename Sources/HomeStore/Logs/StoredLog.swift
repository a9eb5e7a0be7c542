public import HomeModel

/// The current state of a log.
public struct StoredLog: Hashable, Sendable {
    /// The log.
    public var log: LogID
    /// The place of its newest entry.
    public var cursor: LogCursor
    /// The hash of its newest entry.
    public var hash: EntryHash
    /// The state that all its entries add up to, in the order in which the records were added.
    public var records: [Record]
}
