package import HomeModel

/// The current state of a log.
package struct StoredLog: Hashable, Sendable {
    /// The log.
    package var log: LogID
    /// The place of its newest entry.
    package var cursor: LogCursor
    /// The hash of its newest entry.
    package var hash: EntryHash
    /// The state that all its entries add up to, in the order in which the records were added.
    package var records: [Record]
}
