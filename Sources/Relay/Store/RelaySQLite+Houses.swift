import Foundation
import GRDB
package import HomeIdentity
package import RelayAPI

extension RelaySQLite {
    /// A house is noted as written to at most this often, in milliseconds.
    private static let noteInterval: Int64 = 86_400_000

    package func add(_ grant: RegistrationGrant) async throws(RelayStoreError) {
        try await queue.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO token(hash, class, uses, expires) VALUES (?, ?, ?, ?)",
                arguments: [grant.hash, grant.houseClass.rawValue, grant.uses, grant.expires]
            )
        }
    }

    package func register(
        _ house: HouseID,
        owners: [PublicKey],
        with permit: RegistrationPermit?,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> Bool {
        try await queue.write { database in
            let exists =
                try Int.fetchOne(database, sql: "SELECT 1 FROM house WHERE id = ?", arguments: [house.data]) != nil
            if exists {
                try Access.requireOwner(key, of: house, database)
            } else {
                let houseClass = try Self.use(permit, at: now, database)
                try database.execute(
                    sql: "INSERT INTO house(id, class, created, written) VALUES (?, ?, ?, ?)",
                    arguments: [house.data, houseClass.rawValue, now, now]
                )
            }
            try database.execute(sql: "DELETE FROM owner WHERE house = ?", arguments: [house.data])
            for owner in owners {
                try database.execute(
                    sql: "INSERT INTO owner(house, key) VALUES (?, ?)",
                    arguments: [house.data, owner.data]
                )
            }
            return !exists
        }
    }

    /// Uses a permit once.
    private static func use(
        _ permit: RegistrationPermit?,
        at now: Int64,
        _ database: Database
    ) throws -> HouseClass {
        switch permit {
        case nil: throw RelayStoreError.registrationRefused
        case .open(let houseClass): return houseClass
        case .token(let hash):
            let name = try String.fetchOne(
                database,
                sql: "UPDATE token SET uses = uses - 1 WHERE hash = ? AND uses > 0 AND expires > ? RETURNING class",
                arguments: [hash, now]
            )
            guard let houseClass = name.flatMap({ HouseClass(rawValue: $0) }) else {
                throw RelayStoreError.registrationRefused
            }
            return houseClass
        }
    }

    package func houseClass(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> HouseClass {
        try await read { database in
            try Access.requireOwner(key, of: house, database)
            return try Self.houseClass(of: house, database)
        }
    }

    /// Returns the class of a house. One that only a newer version knows counts as the smallest.
    static func houseClass(of house: HouseID, _ database: Database) throws -> HouseClass {
        let name = try String.fetchOne(
            database.cachedStatement(sql: "SELECT class FROM house WHERE id = ?"),
            arguments: [house.data]
        )
        guard let name else { throw RelayStoreError.notFound }
        return HouseClass(rawValue: name) ?? .home
    }

    /// Notes that a house is in use.
    static func noteWrite(_ house: HouseID, at now: Int64, _ database: Database) throws {
        try database.cachedStatement(sql: "UPDATE house SET written = ? WHERE id = ? AND written < ?").execute(
            arguments: [now, house.data, now - noteInterval]
        )
    }
}
