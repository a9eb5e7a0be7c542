import Foundation
package import RelayAPI

extension RelayPostgres {
    /// Keeps the janitors of several processes apart.
    private static let lock = PostgresStatement("sweep_lock", "SELECT pg_try_advisory_xact_lock(\(PostgresLock.sweep))")
    /// The feeds with entries that precede the last base but one and are old enough, with those entries' first number.
    private static let findFeeds = PostgresStatement(
        "sweep_feeds",
        """
        SELECT f.house, f.id FROM feed f CROSS JOIN LATERAL (
          SELECT at FROM entry e WHERE e.house = f.house AND e.feed = f.id AND e.seq >= f.first ORDER BY e.seq LIMIT 1
        ) oldest WHERE f.first < f.former_base AND oldest.at < $1::bigint LIMIT \(feedsPerSweep)
        """
    )
    private static let lockFeed = PostgresStatement(
        "sweep_lock_feed",
        "SELECT former_base FROM feed WHERE house = $1::bytea AND id = $2::bytea FOR UPDATE"
    )
    /// The entries are in the order of their times, up to the clock being set. What follows a young one stays.
    private static let removeEntries = PostgresStatement(
        "sweep_entries",
        """
        WITH old AS (
          SELECT seq, bool_and(at < $4::bigint) OVER (ORDER BY seq) AS is_old FROM (
            SELECT seq, at FROM entry WHERE house = $1::bytea AND feed = $2::bytea AND seq < $3::bigint
            ORDER BY seq LIMIT $5::bigint
          ) candidate
        ), gone AS (
          DELETE FROM entry e USING old WHERE e.house = $1::bytea AND e.feed = $2::bytea AND e.seq = old.seq AND old.is_old
          RETURNING e.seq, length(e.bytes) AS size
        )
        SELECT count(*), coalesce(max(seq), 0), coalesce(sum(size), 0)::bigint FROM gone
        """
    )
    private static let moveFirst = PostgresStatement(
        "sweep_first",
        """
        UPDATE feed SET first = $3::bigint, used = used - $4::bigint WHERE house = $1::bytea AND id = $2::bytea
        """
    )
    private static let findHouses = PostgresStatement(
        "sweep_houses",
        "SELECT id FROM house WHERE written < $1::bigint ORDER BY written LIMIT 2 FOR UPDATE"
    )
    // The house goes first, so that nothing is added to it any more, then the feeds, as when one is ended.
    private static let removeHouse = [
        "house WHERE id", "feed WHERE house", "entry WHERE house", "reader WHERE house", "envelope WHERE house",
        "vault_piece WHERE house", "vault WHERE house", "voter WHERE house", "batch WHERE house",
        "base_piece WHERE house", "base WHERE house",
    ]
    .enumerated().map { number, table in
        PostgresStatement("sweep_house_\(number)", "DELETE FROM \(table) = $1::bytea")
    }
    private static let removeTokens = PostgresStatement(
        "sweep_tokens",
        "DELETE FROM token WHERE uses = 0 OR expires <= $1::bigint"
    )

    /// The number of feeds that one sweep looks at.
    private static let feedsPerSweep = 64

    package func sweep(at now: Int64) async throws(RelayStoreError) -> SweepResult {
        try await pool.run { connection in
            try connection.transaction {
                var result = SweepResult()
                // Another process's janitor is at work.
                guard try connection.run(Self.lock).boolean(0, 0) == true else { return result }
                try Self.sweepEntries(before: now - 1_000 * RelayLimits.entrySeconds, &result, connection)
                try Self.sweepHouses(before: now - 1_000 * RelayLimits.houseSeconds, &result, connection)
                try connection.run(Self.removeTokens, [.number(now)])
                return result
            }
        }
    }

    private static func sweepEntries(
        before time: Int64,
        _ result: inout SweepResult,
        _ connection: PostgresConnection
    ) throws {
        let feeds = try connection.run(findFeeds, [.number(time)])
        if feeds.count == feedsPerSweep { result.hasMore = true }
        for row in 0..<feeds.count {
            let rest = RelayLimits.sweepRows - result.entries
            guard rest > 0 else {
                result.hasMore = true
                return
            }
            let place: [PostgresValue] = [.bytes(feeds.data(row, 0) ?? Data()), .bytes(feeds.data(row, 1) ?? Data())]
            let locked = try connection.run(lockFeed, place)
            guard locked.count == 1, let end = locked.number(0, 0) else { continue }
            let gone = try connection.run(removeEntries, place + [.number(end), .number(time), .number(Int64(rest))])
            guard let count = gone.number(0, 0), count > 0, let last = gone.number(0, 1), let size = gone.number(0, 2)
            else { continue }
            try connection.run(moveFirst, place + [.number(last + 1), .number(size)])
            result.entries += Int(count)
        }
    }

    /// Deletes a house that nothing was written to for long, one at a time.
    private static func sweepHouses(
        before time: Int64,
        _ result: inout SweepResult,
        _ connection: PostgresConnection
    ) throws {
        let houses = try connection.run(findHouses, [.number(time)])
        guard houses.count > 0, let house = houses.data(0, 0) else { return }
        for statement in removeHouse { try connection.run(statement, [.bytes(house)]) }
        result.houses = 1
        if houses.count > 1 { result.hasMore = true }
    }
}
