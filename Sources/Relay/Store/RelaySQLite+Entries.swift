import Foundation
import GRDB
package import HomeIdentity
package import RelayAPI

extension RelaySQLite {
    package func append(
        _ entries: [CheckedEntry],
        to house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> [AppendResult] {
        try await queue.write { database in
            try Access.requireOwner(key, of: house, database)
            let quota = try Self.houseClass(of: house, database).quota
            let results = try entries.map { try Self.append($0, to: house, quota, at: now, database) }
            try Self.noteWrite(house, at: now, database)
            return results
        }
    }

    private static func append(
        _ entry: CheckedEntry,
        to house: HouseID,
        _ quota: HouseQuota,
        at now: Int64,
        _ database: Database
    ) throws -> AppendResult {
        let header = entry.header
        guard let row = try row(of: header.feed, in: house, database) else { return .refused(.notFound) }
        let decided: FeedRow?
        do throws(RelayError) {
            decided = try row.appending(entry, quota: quota)
        } catch {
            return .refused(error)
        }
        guard let next = decided else {
            // The answer to an earlier request may have been lost.
            let isStored = try stored(header.seq, of: header.feed, in: house, database) == entry.bytes
            return isStored ? .appended(seq: header.seq) : .conflict(row.position)
        }
        try database.cachedStatement(
            sql: """
                UPDATE feed SET seq = ?, head = ?, term = ?, gen = ?, base = ?, former_base = ?, used = ?, run_part = ?,
                  run_parts = ?, run_base = ? WHERE house = ? AND id = ?
                """
        )
        .execute(
            arguments: [
                next.position.seq, next.position.head.data, next.position.term, header.generation, next.position.base,
                next.formerBase, next.used, next.part, next.parts, next.isBase, house.data, header.feed.data,
            ]
        )
        try database.cachedStatement(sql: "INSERT INTO entry(house, feed, seq, at, bytes) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [house.data, header.feed.data, header.seq, now, entry.bytes])
        return .appended(seq: header.seq)
    }

    private static func stored(
        _ seq: Int64,
        of feed: FeedID,
        in house: HouseID,
        _ database: Database
    ) throws -> Data? {
        try Data.fetchOne(
            database.cachedStatement(sql: "SELECT bytes FROM entry WHERE house = ? AND feed = ? AND seq = ?"),
            arguments: [house.data, feed.data, seq]
        )
    }

    package func entries(
        of feed: FeedID,
        in house: HouseID,
        after number: Int64,
        limit: Int,
        bytes: Int,
        as key: PublicKey
    ) async throws(RelayStoreError) -> EntryPage {
        try await read { database in
            try Access.require(.read, key, to: feed, in: house, database)
            guard let row = try Self.row(of: feed, in: house, database) else { throw RelayStoreError.notFound }
            guard number <= row.position.seq else { return .ahead(row.position) }
            let cursor = try Row.fetchCursor(
                database.cachedStatement(
                    sql: "SELECT seq, bytes FROM entry WHERE house = ? AND feed = ? AND seq > ? ORDER BY seq LIMIT ?"
                ),
                arguments: [house.data, feed.data, number, limit]
            )
            var entries: [Data] = []
            var size = 0
            while size < bytes, let entry = try cursor.next() {
                // Whoever asks for an entry that is gone has to begin at the base.
                if entries.isEmpty, entry[0] as Int64 != number + 1 { return .dropped(row.position) }
                let content: Data = entry[1]
                size += content.count
                entries.append(content)
            }
            return .entries(entries, position: row.position)
        }
    }
}
