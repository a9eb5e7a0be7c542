import Foundation
import GRDB
package import RelayAPI

extension RelaySQLite {
    package func sweep(at now: Int64) async throws(RelayStoreError) -> SweepResult {
        try await queue.write { database in
            var result = SweepResult()
            try Self.sweepEntries(before: now - 1_000 * RelayLimits.entrySeconds, &result, database)
            try Self.sweepHouses(before: now - 1_000 * RelayLimits.houseSeconds, &result, database)
            try database.execute(sql: "DELETE FROM token WHERE uses = 0 OR expires <= ?", arguments: [now])
            return result
        }
    }

    /// Deletes entries that precede the last base but one and are old enough.
    private static func sweepEntries(before time: Int64, _ result: inout SweepResult, _ database: Database) throws {
        let feeds = try Row.fetchAll(
            database,
            sql: "SELECT house, id, first, former_base FROM feed WHERE first < former_base"
        )
        for feed in feeds {
            let rest = RelayLimits.sweepRows - result.entries
            guard rest > 0 else {
                result.hasMore = true
                return
            }
            let (house, id): (Data, Data) = (feed[0], feed[1])
            // The entries are in the order of their times, up to the clock being set. What follows a young one stays.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT seq, at, length(bytes) FROM entry WHERE house = ? AND feed = ? AND seq < ? ORDER BY seq LIMIT ?
                    """,
                arguments: [house, id, feed[3] as Int64, rest]
            )
            .prefix { ($0[1] as Int64) < time }
            guard let last = rows.last else { continue }
            try database.execute(
                sql: "DELETE FROM entry WHERE house = ? AND feed = ? AND seq <= ?",
                arguments: [house, id, last[0] as Int64]
            )
            try database.execute(
                sql: "UPDATE feed SET first = ?, used = used - ? WHERE house = ? AND id = ?",
                arguments: [(last[0] as Int64) + 1, rows.reduce(0) { $0 + ($1[2] as Int) }, house, id]
            )
            result.entries += rows.count
        }
    }

    /// Deletes a house that nothing was written to for long, one at a time.
    private static func sweepHouses(before time: Int64, _ result: inout SweepResult, _ database: Database) throws {
        let houses = try Data.fetchAll(
            database,
            sql: "SELECT id FROM house WHERE written < ? LIMIT 2",
            arguments: [time]
        )
        guard let house = houses.first else { return }
        for table in [
            "entry", "reader", "envelope", "vault_piece", "vault", "owner", "feed", "voter", "batch", "base_piece",
            "base",
        ] {
            try database.execute(sql: "DELETE FROM \(table) WHERE house = ?", arguments: [house])
        }
        try database.execute(sql: "DELETE FROM house WHERE id = ?", arguments: [house])
        result.houses = 1
        if houses.count > 1 { result.hasMore = true }
    }
}
