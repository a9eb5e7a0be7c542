package import Foundation
package import HomeIdentity
package import RelayAPI

extension RelayPostgres: ProcessDirectory {
    // One clock counts, the database's: those of the processes may differ.
    private static let beatStatement = PostgresStatement(
        "beat",
        """
        INSERT INTO process(id, url, beat) VALUES ($1::uuid, $2::text, clock_timestamp())
        ON CONFLICT (id) DO UPDATE SET url = excluded.url, beat = excluded.beat
        """
    )
    private static let processes = PostgresStatement(
        "processes",
        """
        SELECT id, url FROM process WHERE beat > clock_timestamp() - interval '\(RelayLimits.processSeconds) s' ORDER BY id
        """
    )
    private static let heads = PostgresStatement(
        "heads",
        "SELECT f.house, f.id, f.seq FROM unnest($1::bytea[]) AS w(house) JOIN feed f ON f.house = w.house"
    )
    private static let removeProcesses = PostgresStatement(
        "remove_processes",
        "DELETE FROM process WHERE id = $1::uuid OR beat < clock_timestamp() - interval '1 day'"
    )

    package func beat(_ process: RelayProcess) async throws(RelayStoreError) -> [RelayProcess] {
        try await check()
        return try await pool.run { connection in
            try connection.run(Self.beatStatement, [.uuid(process.id), .text(process.url)])
            let rows = try connection.run(Self.processes)
            return (0..<rows.count).compactMap { row in
                guard let id = rows.data(row, 0), id.count == MemoryLayout<uuid_t>.size, let url = rows.text(row, 1)
                else { return nil }
                return RelayProcess(id: UUID(uuid: id.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }), url: url)
            }
        }
    }

    package func heads(of houses: [HouseID]) async throws(RelayStoreError) -> [HouseID: [FeedID: Int64]] {
        try await pool.run { connection in
            let rows = try connection.run(Self.heads, [.byteArrays(houses.map(\.data))])
            var heads: [HouseID: [FeedID: Int64]] = [:]
            for row in 0..<rows.count {
                guard let house = rows.data(row, 0).flatMap({ HouseID($0) }),
                    let feed = rows.data(row, 1).flatMap({ FeedID($0) }), let seq = rows.number(row, 2)
                else { continue }
                heads[house, default: [:]][feed] = seq
            }
            return heads
        }
    }

    package func leave(_ id: UUID) async throws(RelayStoreError) {
        _ = try await pool.run { try $0.run(Self.removeProcesses, [.uuid(id)]).count }
    }
}
