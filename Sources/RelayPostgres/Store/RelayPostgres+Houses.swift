import Foundation
package import HomeIdentity
package import RelayAPI

extension RelayPostgres {
    private static let addToken = PostgresStatement(
        "add_token",
        """
        INSERT INTO token(hash, class, uses, expires) VALUES ($1::bytea, $2::text, $3::bigint, $4::bigint)
        ON CONFLICT (hash) DO UPDATE SET class = excluded.class, uses = excluded.uses, expires = excluded.expires
        """
    )
    private static let useToken = PostgresStatement(
        "use_token",
        """
        UPDATE token SET uses = uses - 1 WHERE hash = $1::bytea AND uses > 0 AND expires > $2::bigint RETURNING class
        """
    )
    private static let exists = PostgresStatement("house_exists", "SELECT 1 FROM house WHERE id = $1::bytea FOR UPDATE")
    private static let addHouse = PostgresStatement(
        "add_house",
        """
        INSERT INTO house(id, owners, class, created, written)
        VALUES ($1::bytea, $2::bytea[], $3::text, $4::bigint, $4::bigint) ON CONFLICT DO NOTHING RETURNING 1
        """
    )
    private static let setOwners = PostgresStatement(
        "set_owners",
        "UPDATE house SET owners = $2::bytea[] WHERE id = $1::bytea"
    )

    package func add(_ grant: RegistrationGrant) async throws(RelayStoreError) {
        _ = try await pool.run { connection in
            try connection.run(
                Self.addToken,
                [
                    .bytes(grant.hash), .text(grant.houseClass.rawValue), .number(Int64(grant.uses)),
                    .number(grant.expires),
                ]
            )
            .count
        }
    }

    package func register(
        _ house: HouseID,
        owners: [PublicKey],
        with permit: RegistrationPermit?,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> Bool {
        try await pool.run { connection in
            try connection.transaction {
                let owners = PostgresValue.byteArrays(owners.map(\.data))
                if try connection.run(Self.exists, [.bytes(house.bytes)]).count == 0 {
                    let houseClass = try Self.use(permit, at: now, connection)
                    let added = try connection.run(
                        Self.addHouse,
                        [.bytes(house.bytes), owners, .text(houseClass.rawValue), .number(now)]
                    )
                    // Otherwise somebody else has just made it, and the permit is given back with the transaction.
                    guard added.count == 1 else { throw RelayStoreError.notFound }
                    return true
                }
                try Access.requireOwner(key, of: house, connection)
                try connection.run(Self.setOwners, [.bytes(house.bytes), owners])
                return false
            }
        }
    }

    /// Uses a permit once.
    private static func use(
        _ permit: RegistrationPermit?,
        at now: Int64,
        _ connection: PostgresConnection
    ) throws -> HouseClass {
        switch permit {
        case nil: throw RelayStoreError.registrationRefused
        case .open(let houseClass): return houseClass
        case .token(let hash):
            let rows = try connection.run(useToken, [.bytes(hash), .number(now)])
            guard rows.count == 1, let houseClass = rows.text(0, 0).flatMap({ HouseClass(rawValue: $0) }) else {
                throw RelayStoreError.registrationRefused
            }
            return houseClass
        }
    }

    package func houseClass(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> HouseClass {
        try await pool.run { try Access.requireOwner(key, of: house, $0) }
    }

    /// Notes that a house is in use.
    static func noteWrite(_ house: HouseID, at now: Int64, _ connection: PostgresConnection) throws {
        try connection.run(.noteWrite, [.number(now), .bytes(house.bytes)])
    }
}
