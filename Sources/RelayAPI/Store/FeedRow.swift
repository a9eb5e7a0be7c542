/// The row of a feed, as far as appending needs it.
package struct FeedRow: Hashable, Sendable {
    /// Where the feed stands.
    package var position: FeedPosition
    /// The first entry of the base before the last one.
    package var formerBase: Int64
    /// The size of the stored entries.
    package var used: Int
    /// The last entry's place in its run.
    package var part: Int
    /// The number of entries of that run.
    package var parts: Int
    /// Whether that run is a base.
    package var isBase: Bool

    /// Uses the columns of a row.
    package init(
        position: FeedPosition,
        formerBase: Int64,
        used: Int,
        part: Int,
        parts: Int,
        isBase: Bool
    ) {
        self.position = position
        self.formerBase = formerBase
        self.used = used
        self.part = part
        self.parts = parts
        self.isBase = isBase
    }

    /// Decides about an entry, without reading or changing anything else.
    ///
    /// - Returns: The row after the entry; `nil` if the feed is elsewhere than the writer expects.
    /// - Throws: An error if the entry can't be appended to this feed.
    package func appending(_ entry: CheckedEntry, quota: HouseQuota) throws(RelayError) -> FeedRow? {
        let header = entry.header
        guard position.seq == header.seq - 1, position.head == header.prev, position.term <= header.term else {
            return nil
        }
        // A run may break off, and a new one begin; it may not begin in the middle.
        let continues = part == header.part - 1 && parts == header.parts && isBase == header.isBase && part < parts
        guard header.part == 1 || continues else {
            throw .malformed("The entry continues a run of entries that isn't the last one.")
        }
        guard used + entry.bytes.count <= quota.feedBytes else {
            throw RelayError(.quotaExceeded, "A feed has at most \(quota.feedBytes) bytes of entries.")
        }
        var next = self
        next.position.seq = header.seq
        next.position.head = entry.hash
        next.position.term = header.term
        next.used += entry.bytes.count
        next.part = header.part
        next.parts = header.parts
        next.isBase = header.isBase
        if header.isBase, header.part == header.parts {
            next.formerBase = position.base
            next.position.base = header.seq - Int64(header.parts) + 1
        }
        return next
    }
}
