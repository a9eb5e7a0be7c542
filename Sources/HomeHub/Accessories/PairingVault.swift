import Foundation
import HAP
import HAPClient
import HomeModel
import HomeStore

/// Keeps a home's controller identity and its pairings among the store's secrets.
///
/// The identity belongs to the home, not to the hub, so that a home can move to another hub with its pairings. A pairing
/// whose removal is scheduled outlives its home, and so does the note of one that was begun. Nothing is stored for
/// a home that is gone: ``HomeStore/StoreError`` with `noSuchLog` says so.
struct PairingVault: Sendable {
    let store: HomeStore

    // MARK: Identity

    /// The home's controller identity; made and stored when there is none.
    func controllerIdentity(of home: UUID) async throws -> ControllerIdentity {
        if let identity = try await existingIdentity(of: home) { return identity }
        guard let pairingID = PairingID(UUID().uuidString) else { throw VaultError(what: "controller identity") }
        let drawn = StoredIdentity(ControllerIdentity(pairingID: pairingID, keyPair: .random()))
        let key = SecretKey(kind: .controllerIdentity, log: .home(home))
        // Several accessories may be added at once: all are to know the same identity.
        return try Self.identity(
            try await store.setSecretIfAbsent(Array(try JSONEncoder().encode(drawn)), for: key),
            of: home
        )
    }

    /// The home's controller identity; nil when there is none, as the home has never had an accessory.
    func existingIdentity(of home: UUID) async throws -> ControllerIdentity? {
        let key = SecretKey(kind: .controllerIdentity, log: .home(home))
        guard let bytes = try await store.secret(key) else { return nil }
        return try Self.identity(bytes, of: home)
    }

    private static func identity(_ bytes: [UInt8], of home: UUID) throws(VaultError) -> ControllerIdentity {
        guard let identity = try? JSONDecoder().decode(StoredIdentity.self, from: Data(bytes)).identity
        else { throw VaultError(what: "controller identity of home \(home)") }
        return identity
    }

    // MARK: Pairings

    /// Notes that keys are about to be exchanged: whether the accessory has ours is unknown until the end is noted. The note
    /// outlives the home.
    func begin(_ pending: PendingPairing, in home: UUID, as controller: ControllerIdentity) async throws {
        let note = UnfinishedPairing(home: home, controller: StoredIdentity(controller), pending: pending)
        try await store.setSecret(Array(try JSONEncoder().encode(note)), for: Self.key(pending, in: home))
    }

    /// Notes that the accessory does not hold the home's pairing, or that the pairing is kept.
    func finish(_ pending: PendingPairing, in home: UUID) async throws {
        try await store.removeSecret(Self.key(pending, in: home))
    }

    /// Keeps a pairing; durable on return.
    ///
    /// - Parameter pending: The note of its beginning, which is crossed out at the same moment.
    /// - Throws: ``HomeStore/StoreError`` with `noSuchLog` if the home is gone; the note stays then.
    func keep(_ pairing: AccessoryPairing, in home: UUID, finishing pending: PendingPairing? = nil) async throws {
        let key = SecretKey(kind: .pairing, log: .home(home), name: "\(pairing.deviceID)")
        let notes = pending.map { [Self.key($0, in: home)] } ?? []
        try await store.setSecret(Array(try JSONEncoder().encode(pairing)), for: key, removing: notes)
    }

    /// Stores that a pairing must be removed from its accessory. Its home is gone.
    ///
    /// - Parameter pending: The note that the pairing was begun, which is deleted in the same transaction.
    func scheduleRemoval(
        of pairing: AccessoryPairing,
        from home: UUID,
        finishing pending: PendingPairing
    ) async throws {
        let key = SecretKey(kind: .scheduledRemoval, log: nil, name: "\(pairing.deviceID)")
        let bytes = Array(try JSONEncoder().encode(pairing))
        try await store.setSecret(bytes, for: key, removing: [Self.key(pending, in: home)])
    }

    /// Cancels the scheduled removal of a pairing.
    func cancelRemoval(of deviceID: DeviceID) async throws {
        try await store.removeSecret(SecretKey(kind: .scheduledRemoval, log: nil, name: "\(deviceID)"))
    }

    /// Forgets the pairing of a home that the accessory has no more, and nothing else that is known of the accessory.
    func removePairing(_ deviceID: DeviceID, in home: UUID) async throws {
        try await store.removeSecret(SecretKey(kind: .pairing, log: .home(home), name: "\(deviceID)"))
    }

    /// Forgets a pairing that the accessory has no more.
    func forget(_ deviceID: DeviceID, in home: UUID) async throws {
        try await removePairing(deviceID, in: home)
        try await cancelRemoval(of: deviceID)
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

    /// Returns the pairings whose removal is scheduled.
    func scheduledRemovals() async throws -> [AccessoryPairing] {
        try await pairings(.scheduledRemoval, of: nil)
    }

    /// The pairings whose key exchange was begun and whose end is unknown, those of homes that are gone included.
    func unfinished() async throws -> [UnfinishedPairing] {
        var unfinished: [UnfinishedPairing] = []
        for key in try await store.secrets(.pendingPairing, of: nil) {
            guard let bytes = try await store.secret(key) else { continue }
            guard let note = try? JSONDecoder().decode(UnfinishedPairing.self, from: Data(bytes)),
                note.controller.identity != nil
            else { throw VaultError(what: "note of the pairing \(key.name)") }
            unfinished.append(note)
        }
        return unfinished
    }

    /// Whether a pairing was begun and its end is unknown.
    func isUnfinished(_ pending: PendingPairing, in home: UUID) async throws -> Bool {
        try await store.secret(Self.key(pending, in: home)) != nil
    }

    /// Has the notes that a home's own log holds outlive the home.
    func detachNotes(of home: UUID) async throws {
        for key in try await store.secrets(.pendingPairing, of: .home(home)) {
            guard let bytes = try await store.secret(key) else { continue }
            let noted = try? JSONDecoder().decode(PendingPairing.self, from: Data(bytes))
            let pending = noted ?? PendingPairing(deviceID: DeviceID(key.name), addresses: [])
            try await begin(pending, in: home, as: controllerIdentity(of: home))
            try await store.removeSecret(key)
        }
    }

    private static func key(_ pending: PendingPairing, in home: UUID) -> SecretKey {
        SecretKey(kind: .pendingPairing, log: nil, name: "\(home) \(pending.name)")
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
