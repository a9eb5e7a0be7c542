import Foundation
import HAP
import HAPClient
import HomeModel
import HomeStore

/// Keeps a home's controller identity and its pairings among the store's secrets.
///
/// The identity belongs to the home, not to the hub, so that a home can move to another hub with its pairings. A pairing
/// whose removal is owed to an accessory outlives its home.
struct PairingVault: Sendable {
    private struct StoredIdentity: Codable {
        var pairingID: PairingID
        var seed: [UInt8]
    }

    let store: HomeStore

    // MARK: Identity

    /// The home's controller identity; made and stored when there is none.
    func controllerIdentity(of home: UUID) async throws -> ControllerIdentity {
        if let identity = try await existingIdentity(of: home) { return identity }
        guard let pairingID = PairingID(UUID().uuidString) else { throw VaultError(what: "controller identity") }
        let drawn = StoredIdentity(pairingID: pairingID, seed: LongTermKeyPair.random().seed)
        let key = SecretKey(kind: .controllerIdentity, log: .home(home))
        // Several accessories may be added at once: all are to know the same identity.
        return try Self.identity(try await store.keepSecret(Array(try JSONEncoder().encode(drawn)), for: key), of: home)
    }

    /// The home's controller identity; nil when there is none, as the home has never had an accessory.
    func existingIdentity(of home: UUID) async throws -> ControllerIdentity? {
        let key = SecretKey(kind: .controllerIdentity, log: .home(home))
        guard let bytes = try await store.secret(key) else { return nil }
        return try Self.identity(bytes, of: home)
    }

    private static func identity(_ bytes: [UInt8], of home: UUID) throws(VaultError) -> ControllerIdentity {
        guard let stored = try? JSONDecoder().decode(StoredIdentity.self, from: Data(bytes)),
            let keyPair = LongTermKeyPair(seed: stored.seed)
        else { throw VaultError(what: "controller identity of home \(home)") }
        return ControllerIdentity(pairingID: stored.pairingID, keyPair: keyPair)
    }

    // MARK: Pairings

    /// Notes that keys are about to be exchanged: whether the accessory has ours is unknown until the end is noted.
    func begin(_ pending: PendingPairing, in home: UUID) async throws {
        try await store.setSecret(Array(try JSONEncoder().encode(pending)), for: Self.key(pending, in: home))
    }

    /// Notes that the accessory does not hold the home's pairing, or that the pairing is kept.
    func finish(_ pending: PendingPairing, in home: UUID) async throws {
        try await store.removeSecret(Self.key(pending, in: home))
    }

    /// Keeps a pairing; durable on return.
    func keep(_ pairing: AccessoryPairing, in home: UUID) async throws {
        let key = SecretKey(kind: .pairing, log: .home(home), name: "\(pairing.deviceID)")
        try await store.setSecret(Array(try JSONEncoder().encode(pairing)), for: key)
    }

    /// Notes that an accessory's pairing is to be removed from it, even when its home is gone by then.
    func owe(_ pairing: AccessoryPairing) async throws {
        let key = SecretKey(kind: .owedRemoval, log: nil, name: "\(pairing.deviceID)")
        try await store.setSecret(Array(try JSONEncoder().encode(pairing)), for: key)
    }

    /// Takes back what ``owe(_:)`` noted.
    func keepAfterAll(_ deviceID: DeviceID) async throws {
        try await store.removeSecret(SecretKey(kind: .owedRemoval, log: nil, name: "\(deviceID)"))
    }

    /// Forgets the pairing of a home that the accessory has no more, and nothing else that is known of the accessory.
    func removePairing(_ deviceID: DeviceID, in home: UUID) async throws {
        try await store.removeSecret(SecretKey(kind: .pairing, log: .home(home), name: "\(deviceID)"))
    }

    /// Forgets a pairing that the accessory has no more.
    func forget(_ deviceID: DeviceID, in home: UUID) async throws {
        try await removePairing(deviceID, in: home)
        try await keepAfterAll(deviceID)
        try await store.removeSecret(SecretKey(kind: .lastAddress, log: nil, name: "\(deviceID)"))
    }

    /// Notes where an accessory proved who it is: at the next start it need not be heard of first.
    func remember(_ address: AccessoryAddress, of deviceID: DeviceID) async throws {
        let key = SecretKey(kind: .lastAddress, log: nil, name: "\(deviceID)")
        try await store.setSecret(Array(try JSONEncoder().encode(address)), for: key)
    }

    /// Where an accessory last proved who it is, nil if that is not known.
    func address(of deviceID: DeviceID) async throws -> AccessoryAddress? {
        let bytes = try await store.secret(SecretKey(kind: .lastAddress, log: nil, name: "\(deviceID)"))
        return bytes.flatMap { try? JSONDecoder().decode(AccessoryAddress.self, from: Data($0)) }
    }

    /// The pairings of a home.
    func pairings(of home: UUID) async throws -> [AccessoryPairing] {
        try await pairings(.pairing, of: .home(home))
    }

    /// The pairings whose removal is owed.
    func owedRemovals() async throws -> [AccessoryPairing] {
        try await pairings(.owedRemoval, of: nil)
    }

    /// The pairings of a home whose key exchange was begun and whose end is unknown.
    func unfinished(in home: UUID) async throws -> [PendingPairing] {
        var unfinished: [PendingPairing] = []
        for key in try await store.secrets(.pendingPairing, of: .home(home)) {
            guard let bytes = try await store.secret(key) else { continue }
            let noted = try? JSONDecoder().decode(PendingPairing.self, from: Data(bytes))
            unfinished.append(noted ?? PendingPairing(deviceID: DeviceID(key.name), addresses: []))
        }
        return unfinished
    }

    private static func key(_ pending: PendingPairing, in home: UUID) -> SecretKey {
        SecretKey(kind: .pendingPairing, log: .home(home), name: pending.name)
    }

    private func pairings(_ kind: SecretKey.Kind, of log: LogID?) async throws -> [AccessoryPairing] {
        var pairings: [AccessoryPairing] = []
        for key in try await store.secrets(kind, of: log) {
            guard let bytes = try await store.secret(key) else { continue }
            guard let pairing = try? JSONDecoder().decode(AccessoryPairing.self, from: Data(bytes)) else {
                throw VaultError(what: "pairing with \(key.name)")
            }
            pairings.append(pairing)
        }
        return pairings
    }
}

/// Stored keys that cannot be read. The hub does not start with them, for going on would lose pairings.
struct VaultError: Error, CustomStringConvertible {
    let what: String

    var description: String {
        "The \(what) in the database cannot be read. Restore the database from a backup."
    }
}

extension SecretKey.Kind {
    /// Where an accessory server last proved who it is. No secret, but it belongs to a pairing and goes with it.
    fileprivate static let lastAddress = Self(rawValue: "lastAddress")
}
