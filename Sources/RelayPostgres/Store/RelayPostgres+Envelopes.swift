package import Foundation
package import HomeIdentity
package import RelayAPI

extension RelayPostgres {
    private static let newestGeneration = PostgresStatement(
        "newest_generation",
        "SELECT coalesce(max(gen), 0) FROM envelope WHERE house = $1::bytea AND feed = $2::bytea"
    )
    private static let addEnvelope = PostgresStatement(
        "add_envelope",
        """
        INSERT INTO envelope(house, feed, gen, device, bytes)
        VALUES ($1::bytea, $2::bytea, $3::bigint, $4::uuid, $5::bytea)
        ON CONFLICT (house, feed, gen, device) DO UPDATE SET bytes = excluded.bytes
        """
    )
    private static let countEnvelopes = PostgresStatement(
        "count_envelopes",
        "SELECT count(*) FROM envelope WHERE house = $1::bytea AND feed = $2::bytea AND gen = $3::bigint"
    )
    private static let removeEnvelopes = PostgresStatement(
        "remove_envelopes",
        "DELETE FROM envelope WHERE house = $1::bytea AND feed = $2::bytea AND gen < $3::bigint"
    )
    private static let readEnvelope = PostgresStatement(
        "envelope",
        """
        SELECT bytes FROM envelope
        WHERE house = $1::bytea AND feed = $2::bytea AND gen = $3::bigint AND device = $4::uuid
        """
    )

    package func setEnvelope(
        _ envelope: StoredEnvelope,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await pool.run { connection in
            try connection.transaction {
                try Access.requireOwner(key, of: house, locked: true, connection)
                guard try Access.row(of: feed, in: house, connection) != nil else { throw RelayStoreError.notFound }
                let place: [PostgresValue] = [.bytes(house.bytes), .bytes(feed.bytes)]
                let newest = try connection.run(Self.newestGeneration, place).number(0, 0) ?? 0
                let oldest = try envelope.oldestKept(after: newest)
                let generation = PostgresValue.number(envelope.generation)
                try connection.run(
                    Self.addEnvelope,
                    place + [generation, .uuid(envelope.device), .bytes(envelope.bytes)]
                )
                let count = try connection.run(Self.countEnvelopes, place + [generation]).number(0, 0) ?? 0
                try StoredEnvelope.check(count: Int(count))
                try connection.run(Self.removeEnvelopes, place + [.number(oldest)])
                try Self.noteWrite(house, at: now, connection)
            }
        }
    }

    package func envelope(
        _ generation: Int64,
        to device: UUID,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Data {
        try await pool.run { connection in
            try Access.require(.read, key, to: feed, in: house, connection)
            let place: [PostgresValue] = [.bytes(house.bytes), .bytes(feed.bytes)]
            let rows = try connection.run(Self.readEnvelope, place + [.number(generation), .uuid(device)])
            guard rows.count == 1, let bytes = rows.data(0, 0) else { throw RelayStoreError.notFound }
            return bytes
        }
    }
}
