import Foundation
import HAP
import HAPClient
import HomeModel
import HomeStore

/// Stores a home's controller identity and its pairings among the store's secrets.
///
/// The identity belongs to the home, not to the hub, so that a home can move to another hub with its pairings.
/// Scheduled removals and the notes of interrupted pairings outlive their home. Nothing else is stored for a removed
/// home: the store throws ``HomeStore/StoreError`` with `noSuchLog`.
struct PairingVault: Sendable {
    let store: HomeStore
    /// Returns the identity that follows from the hub's key, by which the other hub knows it before it is stored; `nil` as
    /// long as the hub is alone.
    var derived: @Sendable (UUID) -> ControllerIdentity? = { _ in nil }

    // MARK: Identity

    /// Returns the home's controller identity, and creates and stores it if there is none.
    func controllerIdentity(of home: UUID) async throws -> ControllerIdentity {
        if let identity = try await existingIdentity(of: home) { return identity }
        guard let pairingID = PairingID(UUID().uuidString) else { throw VaultError(what: "controller identity") }
        let drawn = StoredIdentity(derived(home) ?? ControllerIdentity(pairingID: pairingID, keyPair: .random()))
        let key = SecretKey(kind: .controllerIdentity, log: .home(home))
        // Accessories may be added concurrently, and all of them must receive the same identity.
        return try Self.identity(
            try await store.setSecretIfAbsent(Array(try JSONEncoder().encode(drawn)), for: key),
            of: home
        )
    }

    /// Returns the home's controller identity, or `nil` if the home has never had an accessory.
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

    /// Stores a note that keys are about to be exchanged. Until it is deleted, it is unknown whether the accessory has
    /// the home's key. The note outlives the home.
    func storeNote(of pending: PendingPairing, in home: UUID, as controller: ControllerIdentity) async throws {
        let note = UnfinishedPairing(home: home, controller: StoredIdentity(controller), pending: pending)
        try await store.setSecret(Array(try JSONEncoder().encode(note)), for: Self.key(pending, in: home))
    }

    /// Deletes the note of a pairing that is stored, or that the accessory doesn't hold.
    func deleteNote(of pending: PendingPairing, in home: UUID) async throws {
        try await store.removeSecret(Self.key(pending, in: home))
    }

    /// Stores a pairing. It is durable on return.
    ///
    /// - Parameters:
    ///   - pairing: The pairing to store.
    ///   - home: The pairing's home.
    ///   - pending: The pairing's note, which is deleted in the same transaction.
    /// - Throws: ``HomeStore/StoreError`` with `noSuchLog` if the home was removed; the note stays then.
    func store(_ pairing: AccessoryPairing, in home: UUID, deletingNoteOf pending: PendingPairing? = nil) async throws {
        let key = SecretKey(kind: .pairing, log: .home(home), name: "\(pairing.deviceID)")
        let notes = pending.map { [Self.key($0, in: home)] } ?? []
        try await store.setSecret(Array(try JSONEncoder().encode(pairing)), for: key, removing: notes)
    }

    /// Schedules the removal of a pairing, whose home was removed, from its accessory.
    ///
    /// - Parameters:
    ///   - pairing: The pairing to remove.
    ///   - home: The home that was removed.
    ///   - pending: The pairing's note, which is deleted in the same transaction.
    func scheduleRemoval(
        of pairing: AccessoryPairing,
        from home: UUID,
        deletingNoteOf pending: PendingPairing
    ) async throws {
        let key = SecretKey(kind: .scheduledRemoval, log: nil, name: "\(pairing.deviceID)")
        let bytes = Array(try JSONEncoder().encode(pairing))
        try await store.setSecret(bytes, for: key, removing: [Self.key(pending, in: home)])
    }

    /// Cancels the scheduled removal of a pairing.
    func cancelRemoval(of deviceID: DeviceID) async throws {
        try await store.removeSecret(SecretKey(kind: .scheduledRemoval, log: nil, name: "\(deviceID)"))
    }

    /// Deletes a home's pairing that the accessory no longer holds. Everything else about the accessory stays.
    func removePairing(_ deviceID: DeviceID, in home: UUID) async throws {
        try await store.removeSecret(SecretKey(kind: .pairing, log: .home(home), name: "\(deviceID)"))
    }

    /// Deletes a pairing that the accessory no longer holds, its scheduled removal and the accessory's address.
    func forget(_ deviceID: DeviceID, in home: UUID) async throws {
        try await removePairing(deviceID, in: home)
        try await cancelRemoval(of: deviceID)
        try await store.removeSecret(SecretKey(kind: .lastAddress, log: nil, name: "\(deviceID)"))
    }

    /// Stores the address at which an accessory was verified. After a restart the hub can connect there without waiting
    /// for an advertisement.
    func remember(_ address: AccessoryAddress, of deviceID: DeviceID) async throws {
        let key = SecretKey(kind: .lastAddress, log: nil, name: "\(deviceID)")
        try await store.setSecret(Array(try JSONEncoder().encode(address)), for: key)
    }

    /// Returns the address at which an accessory was last verified, or `nil` if there is none.
    func address(of deviceID: DeviceID) async throws -> AccessoryAddress? {
        let bytes = try await store.secret(SecretKey(kind: .lastAddress, log: nil, name: "\(deviceID)"))
        return bytes.flatMap { try? JSONDecoder().decode(AccessoryAddress.self, from: Data($0)) }
    }

    /// Stores what is owed to the other hubs of the homes.
    func store(_ duties: ControllerDuties) async throws {
        let key = SecretKey(kind: .hubControllers, log: nil)
        try await store.setSecret(Array(try JSONEncoder().encode(duties)), for: key)
    }

    /// Returns what is owed to the other hubs of the homes.
    func duties() async throws -> ControllerDuties {
        guard let bytes = try await store.secret(SecretKey(kind: .hubControllers, log: nil)) else {
            return ControllerDuties()
        }
        guard let duties = try? JSONDecoder().decode(ControllerDuties.self, from: Data(bytes)) else {
            throw VaultError(what: "list of the other hubs' pairings")
        }
        return duties
    }

    /// Returns the pairings of a home.
    func pairings(of home: UUID) async throws -> [AccessoryPairing] {
        try await pairings(.pairing, of: .home(home))
    }

    /// Returns the pairings whose removal is scheduled.
    func scheduledRemovals() async throws -> [AccessoryPairing] {
        try await pairings(.scheduledRemoval, of: nil)
    }

    /// Returns the pairings whose key exchange began and whose outcome is unknown, including the pairings of removed
    /// homes.
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

    /// Returns whether a pairing's key exchange began and its outcome is unknown.
    func isUnfinished(_ pending: PendingPairing, in home: UUID) async throws -> Bool {
        try await store.secret(Self.key(pending, in: home)) != nil
    }

    /// Moves notes out of a home's own log, so that they outlive the home.
    func detachNotes(of home: UUID) async throws {
        for key in try await store.secrets(.pendingPairing, of: .home(home)) {
            guard let bytes = try await store.secret(key) else { continue }
            let noted = try? JSONDecoder().decode(PendingPairing.self, from: Data(bytes))
            let pending = noted ?? PendingPairing(deviceID: DeviceID(key.name), addresses: [])
            try await storeNote(of: pending, in: home, as: controllerIdentity(of: home))
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

/// An error for stored keys that can't be read. The hub doesn't start then, because going on would lose pairings.
struct VaultError: Error, CustomStringConvertible {
    let what: String

    var description: String {
        "The \(what) in the database can't be read. Restore the database from a backup."
    }
}

extension SecretKey.Kind {
    /// The address at which an accessory server was last verified. It isn't secret, but it is deleted with the pairing.
    fileprivate static let lastAddress = Self(rawValue: "lastAddress")
    /// The pairings of the other hubs of the homes, and where they are owed. They aren't secret, but they belong to the
    /// pairings.
    fileprivate static let hubControllers = Self(rawValue: "hubControllers")
}
