import Foundation
import GRDB
import HomeIdentity
import RelayAPI

/// The row of a feed, as far as appending needs it.
struct FeedRow {
    var position: FeedPosition
    /// The first entry of the base before the last one.
    var formerBase: Int64
    /// The size of the stored entries.
    var used: Int
    /// The last entry's place in its run.
    var part: Int
    var parts: Int
    var isBase: Bool

    /// Decides about an entry, without reading or changing anything else.
    ///
    /// - Returns: The row after the entry; `nil` if the feed is elsewhere than the writer expects.
    /// - Throws: An error if the entry can't be appended to this feed.
    func appending(_ entry: CheckedEntry, quota: HouseQuota) throws(RelayError) -> FeedRow? {
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

extension RelaySQLite {
    /// Returns the row of a feed; `nil` if there is none.
    static func row(of feed: FeedID, in house: HouseID, _ database: Database) throws -> FeedRow? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT seq, head, base, term, former_base, used, run_part, run_parts, run_base FROM feed
                    WHERE house = ? AND id = ?
                    """
            ),
            arguments: [house.data, feed.data]
        )
        guard let row else { return nil }
        guard let head = EntryDigest(row[1] as Data) else {
            throw RelayStoreError.failure("The database is damaged: a feed's hash is too short.")
        }
        return FeedRow(
            position: FeedPosition(seq: row[0], head: head, base: row[2], term: row[3]),
            formerBase: row[4],
            used: row[5],
            part: row[6],
            parts: row[7],
            isBase: row[8]
        )
    }
}
