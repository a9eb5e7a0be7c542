package import Foundation
package import HomeIdentity
package import RelayAPI

extension RelayPostgres {
    private static let countFeeds = PostgresStatement(
        "count_feeds",
        "SELECT count(*) FROM feed WHERE house = $1::bytea"
    )
    private static let addFeed = PostgresStatement(
        "add_feed",
        "INSERT INTO feed(house, id, head) VALUES ($1::bytea, $2::bytea, $3::bytea)"
    )
    // The feed goes first: this waits for appends that have begun, and keeps new ones off, so none leaves an entry behind.
    private static let removals =
        ["feed WHERE house = $1::bytea AND id", "entry WHERE house = $1::bytea AND feed"]
        + ["reader WHERE house = $1::bytea AND feed", "envelope WHERE house = $1::bytea AND feed"]
    private static let removeParts = removals.enumerated().map { number, table in
        PostgresStatement("remove_feed_\(number)", "DELETE FROM \(table) = $2::bytea")
    }
    private static let readersSeq = PostgresStatement(
        "readers_seq",
        "SELECT readers_seq FROM feed WHERE house = $1::bytea AND id = $2::bytea"
    )
    private static let readers = PostgresStatement(
        "readers",
        "SELECT key, rights FROM reader WHERE house = $1::bytea AND feed = $2::bytea"
    )
    private static let addReaders = PostgresStatement(
        "add_readers",
        """
        INSERT INTO reader(house, feed, key, rights)
        SELECT $1::bytea, $2::bytea, r.key, r.rights FROM unnest($3::bytea[], $4::bigint[]) AS r(key, rights)
        """
    )
    private static let setReadersSeq = PostgresStatement(
        "set_readers_seq",
        "UPDATE feed SET readers_seq = $3::bigint WHERE house = $1::bytea AND id = $2::bytea"
    )
    private static let status = PostgresStatement(
        "status",
        """
        SELECT f.seq, f.head, f.gen, f.base, f.beat, h.written FROM feed f JOIN house h ON h.id = f.house
        WHERE f.house = $1::bytea AND f.id = $2::bytea
        """
    )
    private static let setBeat = PostgresStatement(
        "set_beat",
        "UPDATE feed SET beat = $3::bytea WHERE house = $1::bytea AND id = $2::bytea RETURNING 1"
    )

    package func makeFeed(_ feed: FeedID, in house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> Bool {
        try await pool.run { connection in
            try connection.transaction {
                let quota = try Access.requireOwner(key, of: house, locked: true, connection).quota
                if try Access.row(of: feed, in: house, connection) != nil { return false }
                let count = try connection.run(Self.countFeeds, [.bytes(house.bytes)]).number(0, 0) ?? 0
                try quota.checkRoom(forFeedAfter: Int(count))
                let head = PostgresValue.bytes(EntryDigest.zero.bytes)
                try connection.run(Self.addFeed, [.bytes(house.bytes), .bytes(feed.bytes), head])
                return true
            }
        }
    }

    package func removeFeed(_ feed: FeedID, in house: HouseID, as key: PublicKey) async throws(RelayStoreError) {
        try await pool.run { connection in
            try connection.transaction {
                try Access.requireOwner(key, of: house, locked: true, connection)
                guard try Access.row(of: feed, in: house, connection) != nil else { throw RelayStoreError.notFound }
                for statement in Self.removeParts {
                    try connection.run(statement, [.bytes(house.bytes), .bytes(feed.bytes)])
                }
            }
        }
    }

    package func setReaders(
        _ list: ReaderList,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> [PublicKey] {
        try await pool.run { connection in
            try connection.transaction {
                try Access.requireOwner(key, of: house, locked: true, connection)
                let place: [PostgresValue] = [.bytes(house.bytes), .bytes(feed.bytes)]
                let found = try connection.run(Self.readersSeq, place)
                guard found.count == 1, let stored = found.number(0, 0) else { throw RelayStoreError.notFound }
                let rows = try connection.run(Self.readers, place)
                var current: [PublicKey: ReaderRights] = [:]
                for row in 0..<rows.count {
                    guard let key = rows.data(row, 0).flatMap({ PublicKey($0) }), let rights = rows.number(row, 1)
                    else {
                        continue
                    }
                    current[key] = ReaderRights(rawValue: Int(rights))
                }
                guard let removed = try list.replacing(stored, current) else { return [] }
                try connection.run(Self.removeParts[2], place)
                try connection.run(
                    Self.addReaders,
                    place + [
                        .byteArrays(list.readers.map(\.key.data)),
                        .numbers(list.readers.map { Int64($0.rights.rawValue) }),
                    ]
                )
                try connection.run(Self.setReadersSeq, place + [.number(list.seq)])
                return removed
            }
        }
    }

    package func status(
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> FeedStatus {
        try await pool.run { connection in
            try Access.require(.read, key, to: feed, in: house, connection)
            let rows = try connection.run(Self.status, [.bytes(house.bytes), .bytes(feed.bytes)])
            guard rows.count == 1, let head = rows.data(0, 1).flatMap({ EntryDigest($0) }) else {
                throw RelayStoreError.notFound
            }
            let expires = (rows.number(0, 5) ?? 0) + 1_000 * RelayLimits.houseSeconds
            return FeedStatus(
                seq: rows.number(0, 0) ?? 0,
                head: head,
                gen: rows.number(0, 2) ?? 0,
                base: rows.number(0, 3) ?? 0,
                beat: rows.data(0, 4),
                expires: expires - now <= 1_000 * RelayLimits.noticeSeconds ? expires : nil
            )
        }
    }

    package func access(
        to feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> ReaderAccess {
        try await pool.run { connection in
            if let access = try Access.access(of: key, to: feed, in: house, connection) { return access }
            let houseClass = try Access.requireOwner(key, of: house, connection)
            guard try Access.row(of: feed, in: house, connection) != nil else { throw RelayStoreError.notFound }
            return ReaderAccess(rights: nil, houseClass: houseClass)
        }
    }

    package func setBeat(
        _ beat: Data,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await pool.run { connection in
            try connection.transaction {
                try Access.requireOwner(key, of: house, connection)
                let changed = try connection.run(Self.setBeat, [.bytes(house.bytes), .bytes(feed.bytes), .bytes(beat)])
                guard changed.count == 1 else { throw RelayStoreError.notFound }
                try Self.noteWrite(house, at: now, connection)
            }
        }
    }
}
