import Foundation
import GRDB
import HomeIdentity
import RelayAPI

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
