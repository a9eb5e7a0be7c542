import Foundation
package import HomeIdentity
package import RelayAPI

extension RelayPostgres {
    package func append(
        _ entries: [CheckedEntry],
        to house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> [AppendResult] {
        guard !entries.isEmpty else {
            _ = try await houseClass(of: house, as: key)
            return []
        }
        return try await pool.append(AppendQueue.Request(house: house, key: key, entries: entries, time: now))
    }

    package func entries(
        of feed: FeedID,
        in house: HouseID,
        after number: Int64,
        limit: Int,
        bytes: Int,
        as key: PublicKey
    ) async throws(RelayStoreError) -> EntryPage {
        try await pool.run { connection in
            try Access.require(.read, key, to: feed, in: house, connection)
            guard let row = try Access.row(of: feed, in: house, connection) else { throw RelayStoreError.notFound }
            guard number <= row.position.seq else { return .ahead(row.position) }
            guard number < row.position.seq else { return .entries([], position: row.position) }
            // What is appended meanwhile is beyond the position, and left for the next request.
            let rows = try connection.run(
                .entries,
                [
                    .bytes(house.bytes), .bytes(feed.bytes), .number(number), .number(row.position.seq),
                    .number(Int64(limit)), .number(Int64(bytes)),
                ]
            )
            // Whoever asks for an entry that is gone has to begin at the base.
            guard rows.count > 0, rows.number(0, 0) == number + 1 else { return .dropped(row.position) }
            return .entries((0..<rows.count).compactMap { rows.data($0, 1) }, position: row.position)
        }
    }
}
