/// Where an entry lies in the table of entries: the log's number above, the revision in the lower 40 bits.
enum EntryRowID {
    private static let revisionBits: Int64 = 40

    /// The highest revision that a log can reach: over a trillion.
    static let maximumRevision = (1 << revisionBits) - 1

    /// The place of an entry.
    static func place(log: Int64, revision: Int) -> Int64 { log << revisionBits | Int64(revision) }

    /// The revision of the entry at a place.
    static func revision(_ place: Int64) -> Int { Int(place & Int64(maximumRevision)) }

    /// The places of all entries of a log.
    static func places(log: Int64) -> ClosedRange<Int64> {
        place(log: log, revision: 0)...place(log: log, revision: maximumRevision)
    }
}
