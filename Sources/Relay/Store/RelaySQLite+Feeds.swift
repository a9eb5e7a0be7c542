package import Foundation
import GRDB
package import HomeIdentity
package import RelayAPI

extension RelaySQLite {
    package func makeFeed(
        _ feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Bool {
        try await queue.write { database in
            try Access.requireOwner(key, of: house, database)
            if try Self.row(of: feed, in: house, database) != nil { return false }
            let quota = try Self.houseClass(of: house, database).quota
            let count = try Int.fetchOne(
                database,
                sql: "SELECT COUNT(*) FROM feed WHERE house = ?",
                arguments: [house.data]
            )
            try quota.checkRoom(forFeedAfter: count ?? 0)
            try database.execute(
                sql: "INSERT INTO feed(house, id, head) VALUES (?, ?, ?)",
                arguments: [house.data, feed.data, EntryDigest.zero.data]
            )
            return true
        }
    }

    package func removeFeed(_ feed: FeedID, in house: HouseID, as key: PublicKey) async throws(RelayStoreError) {
        try await queue.write { database in
            try Access.requireOwner(key, of: house, database)
            guard try Self.row(of: feed, in: house, database) != nil else { throw RelayStoreError.notFound }
            for table in ["entry", "reader", "envelope"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE house = ? AND feed = ?",
                    arguments: [house.data, feed.data]
                )
            }
            try database.execute(
                sql: "DELETE FROM feed WHERE house = ? AND id = ?",
                arguments: [house.data, feed.data]
            )
        }
    }

    package func setReaders(
        _ list: ReaderList,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> [PublicKey] {
        try await queue.write { database in
            try Access.requireOwner(key, of: house, database)
            let stored = try Int64.fetchOne(
                database,
                sql: "SELECT readers_seq FROM feed WHERE house = ? AND id = ?",
                arguments: [house.data, feed.data]
            )
            guard let stored else { throw RelayStoreError.notFound }
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT key, rights FROM reader WHERE house = ? AND feed = ?",
                arguments: [house.data, feed.data]
            )
            let current = Dictionary(
                rows.compactMap { row in PublicKey(row[0] as Data).map { ($0, ReaderRights(rawValue: row[1])) } },
                uniquingKeysWith: { first, _ in first }
            )
            guard let removed = try list.replacing(stored, current) else { return [] }
            try database.execute(
                sql: "DELETE FROM reader WHERE house = ? AND feed = ?",
                arguments: [house.data, feed.data]
            )
            for reader in list.readers {
                try database.execute(
                    sql: "INSERT INTO reader(house, feed, key, rights) VALUES (?, ?, ?, ?)",
                    arguments: [house.data, feed.data, reader.key.data, reader.rights.rawValue]
                )
            }
            try database.execute(
                sql: "UPDATE feed SET readers_seq = ? WHERE house = ? AND id = ?",
                arguments: [list.seq, house.data, feed.data]
            )
            return removed
        }
    }

    package func status(
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> FeedStatus {
        try await read { database in
            try Access.require(.read, key, to: feed, in: house, database)
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT f.seq, f.head, f.gen, f.base, f.beat, h.written FROM feed f JOIN house h ON h.id = f.house
                        WHERE f.house = ? AND f.id = ?
                        """
                ),
                arguments: [house.data, feed.data]
            )
            guard let row, let head = EntryDigest(row[1] as Data) else { throw RelayStoreError.notFound }
            let expires: Int64 = (row[5] as Int64) + 1_000 * RelayLimits.houseSeconds
            return FeedStatus(
                seq: row[0],
                head: head,
                gen: row[2],
                base: row[3],
                beat: row[4],
                expires: expires - now <= 1_000 * RelayLimits.noticeSeconds ? expires : nil
            )
        }
    }

    package func access(
        to feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> ReaderAccess {
        try await read { database in
            guard try Self.row(of: feed, in: house, database) != nil else { throw RelayStoreError.notFound }
            var access = ReaderAccess(rights: nil, houseClass: try Self.houseClass(of: house, database))
            if try Access.isOwner(key, of: house, database) { return access }
            access.rights = try Access.rights(of: key, to: feed, in: house, database)
            guard access.rights != nil else { throw RelayStoreError.notFound }
            return access
        }
    }

    // MARK: Keys and beats

    package func setEnvelope(
        _ envelope: StoredEnvelope,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await queue.write { database in
            try Access.requireOwner(key, of: house, database)
            guard try Self.row(of: feed, in: house, database) != nil else { throw RelayStoreError.notFound }
            let place: StatementArguments = [house.data, feed.data]
            let newest =
                try Int64.fetchOne(
                    database,
                    sql: "SELECT MAX(gen) FROM envelope WHERE house = ? AND feed = ?",
                    arguments: place
                ) ?? 0
            let oldest = try envelope.oldestKept(after: newest)
            try database.execute(
                sql: "INSERT OR REPLACE INTO envelope(house, feed, gen, device, bytes) VALUES (?, ?, ?, ?, ?)",
                arguments: place
                    + [envelope.generation, Self.bytes(of: envelope.device), envelope.bytes]
            )
            let count = try Int.fetchOne(
                database,
                sql: "SELECT COUNT(*) FROM envelope WHERE house = ? AND feed = ? AND gen = ?",
                arguments: place + [envelope.generation]
            )
            try StoredEnvelope.check(count: count ?? 0)
            try database.execute(
                sql: "DELETE FROM envelope WHERE house = ? AND feed = ? AND gen < ?",
                arguments: place + [oldest]
            )
            try Self.noteWrite(house, at: now, database)
        }
    }

    package func envelope(
        _ generation: Int64,
        to device: UUID,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Data {
        try await read { database in
            try Access.require(.read, key, to: feed, in: house, database)
            let bytes = try Data.fetchOne(
                database,
                sql: "SELECT bytes FROM envelope WHERE house = ? AND feed = ? AND gen = ? AND device = ?",
                arguments: [house.data, feed.data, generation, Self.bytes(of: device)]
            )
            guard let bytes else { throw RelayStoreError.notFound }
            return bytes
        }
    }

    package func setBeat(
        _ beat: Data,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await queue.write { database in
            try Access.requireOwner(key, of: house, database)
            try database.execute(
                sql: "UPDATE feed SET beat = ? WHERE house = ? AND id = ?",
                arguments: [beat, house.data, feed.data]
            )
            guard database.changesCount == 1 else { throw RelayStoreError.notFound }
            try Self.noteWrite(house, at: now, database)
        }
    }

    private static func bytes(of id: UUID) -> Data { withUnsafeBytes(of: id.uuid) { Data($0) } }
}
