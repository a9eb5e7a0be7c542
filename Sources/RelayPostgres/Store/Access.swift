import HomeIdentity
import RelayAPI

/// The rights of keys, and the rows of feeds.
enum Access {
    /// Throws unless the key owns the house. Returns the class of the house; one that only a newer version knows counts as
    /// the smallest.
    @discardableResult
    static func requireOwner(
        _ key: PublicKey,
        of house: HouseID,
        locked: Bool = false,
        _ connection: PostgresConnection
    ) throws -> HouseClass {
        let rows = try connection.run(locked ? .lockedOwner : .owner, [.bytes(house.bytes), .bytes(key.bytes)])
        guard rows.count == 1, let name = rows.text(0, 0) else { throw RelayStoreError.notFound }
        return HouseClass(rawValue: name) ?? .home
    }

    /// Throws unless the key owns the house or has a right to the feed.
    static func require(
        _ right: ReaderRights,
        _ key: PublicKey,
        to feed: FeedID,
        in house: HouseID,
        _ connection: PostgresConnection
    ) throws {
        let rows = try connection.run(.rights, [.bytes(house.bytes), .bytes(feed.bytes), .bytes(key.bytes)])
        if rows.count == 1, let rights = rows.number(0, 0), ReaderRights(rawValue: Int(rights)).isSuperset(of: right) {
            return
        }
        try requireOwner(key, of: house, connection)
    }

    /// Returns the rights of a reader, and the class of the house; `nil` if the key isn't a reader.
    static func access(
        of key: PublicKey,
        to feed: FeedID,
        in house: HouseID,
        _ connection: PostgresConnection
    ) throws -> ReaderAccess? {
        let rows = try connection.run(.readerAccess, [.bytes(house.bytes), .bytes(feed.bytes), .bytes(key.bytes)])
        guard rows.count == 1, let rights = rows.number(0, 0), let name = rows.text(0, 1) else { return nil }
        return ReaderAccess(
            rights: ReaderRights(rawValue: Int(rights)),
            houseClass: HouseClass(rawValue: name) ?? .home
        )
    }

    /// Returns the row of a feed; `nil` if there is none.
    static func row(of feed: FeedID, in house: HouseID, _ connection: PostgresConnection) throws -> FeedRow? {
        let rows = try connection.run(.row, [.bytes(house.bytes), .bytes(feed.bytes)])
        guard rows.count == 1 else { return nil }
        func number(_ column: Int) -> Int64 { rows.number(0, column) ?? 0 }
        guard let head = rows.data(0, 1).flatMap({ EntryDigest($0) }) else {
            throw RelayStoreError.failure("The database is damaged: a feed's hash is too short.")
        }
        return FeedRow(
            position: FeedPosition(seq: number(0), head: head, base: number(2), term: number(3)),
            formerBase: number(4),
            used: Int(number(5)),
            part: Int(number(6)),
            parts: Int(number(7)),
            isBase: rows.boolean(0, 8) ?? false
        )
    }
}
