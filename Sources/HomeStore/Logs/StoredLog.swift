package import HomeModel

/// The current state of a log.
package struct StoredLog: Hashable, Sendable {
    /// The log.
    package var log: LogID
    /// The position of the newest entry.
    package var cursor: LogCursor
    /// The hash of the newest entry.
    package var hash: EntryHash
    /// The records that result from all entries, in the order in which they were added.
    package var records: [Record]
}
