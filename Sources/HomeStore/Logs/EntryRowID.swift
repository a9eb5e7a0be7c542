/// The row ID of an entry: the log's number, and the revision in the lower 40 bits.
enum EntryRowID {
    private static let revisionBits: Int64 = 40

    /// The maximum revision of a log: over a trillion.
    static let maximumRevision = (1 << revisionBits) - 1

    /// Returns the row ID of an entry.
    static func rowID(log: Int64, revision: Int) -> Int64 { log << revisionBits | Int64(revision) }

    /// Returns the revision of the entry with a row ID.
    static func revision(_ rowID: Int64) -> Int { Int(rowID & Int64(maximumRevision)) }

    /// Returns the row IDs of all entries of a log.
    static func rowIDs(log: Int64) -> ClosedRange<Int64> {
        rowID(log: log, revision: 0)...rowID(log: log, revision: maximumRevision)
    }
}
