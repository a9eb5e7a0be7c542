import Foundation
import HAP
import HAPClient
import HomeModel
import HomeStore
import HubAPI
import Logging

/// An attempt to pair an accessory with a home, from before the accessory receives the home's key until the outcome is
/// known. Adding and importing an accessory both use it, with different ``PairingMethod``s.
///
/// The home can be removed at any moment. One of these always holds, even if the hub is killed:
///
/// - The accessory has no pairing.
/// - A note records that the accessory may have a pairing.
/// - The home has the pairing.
/// - The removal of the pairing is scheduled.
struct PairingAttempt: Sendable {
    /// The home was removed. If the accessory has the home's pairing, the removal of the pairing is scheduled.
    private struct HomeRemoved: Error {}

    private let home: UUID
    private let method: PairingMethod
    private let connections: AccessoryConnections
    private let vault: PairingVault
    /// The controller identity that the home presents to the accessory.
    private let controller: ControllerIdentity
    /// The note that the accessory may have the pairing, written before it receives the key.
    private var note: PendingPairing
    /// Whether the home already stores this pairing.
    private var isStored = false
    /// Whether the accessory may hold a pairing with the home that only the note records.
    private var isUncertain = false

    /// Pairs an accessory with a home, and stores the pairing.
    ///
    /// If the connection is lost when the accessory may have received the key, a second attempt follows. If that isn't
    /// possible now, ``PairingRecovery`` withdraws the pairing later.
    ///
    /// - Parameters:
    ///   - deviceID: The accessory's ID, or `nil` if only its address is known.
    ///   - addresses: The addresses to try.
    ///   - home: The home to pair with.
    ///   - method: How the accessory receives the home's key.
    ///   - connections: The hub's connections, with its pairing vault.
    /// - Returns: The stored pairing.
    /// - Throws: ``HubAPI/HubError`` if pairing fails; with `accessoryBusy` if the accessory is already being paired.
    static func pair(
        _ deviceID: DeviceID?,
        at addresses: [AccessoryAddress],
        with home: UUID,
        by method: PairingMethod,
        _ connections: AccessoryConnections
    ) async throws(HubError) -> AccessoryPairing {
        let note = PendingPairing(deviceID: deviceID, addresses: addresses)
        var attempt = try await PairingAttempt(note, in: home, by: method, connections)
        do {
            try await attempt.readVault()
            let pairing = try await attempt.exchangeKeysTwiceIfNeeded()
            await connections.recovery.release(note, in: home)
            return pairing
        } catch {
            await attempt.end(after: error)
            throw attempt.refusal(for: error)
        }
    }

    /// Creates an attempt and reserves the accessory for it. ``end(after:)`` or ``PairingRecovery/release(_:in:)`` must
    /// follow.
    private init(
        _ note: PendingPairing,
        in home: UUID,
        by method: PairingMethod,
        _ connections: AccessoryConnections
    ) async throws(HubError) {
        self.home = home
        self.method = method
        self.connections = connections
        self.note = note
        vault = connections.vault
        do {
            controller = try await vault.controllerIdentity(of: home)
        } catch {
            throw Self.hubError(for: error, method)
        }
        guard await connections.recovery.reserve(note, in: home) else {
            throw HubError(.accessoryBusy, "The accessory is already being added. Wait until that is done.")
        }
    }

    // MARK: Steps

    /// Reads which pairing the home stores, and whether an earlier attempt was interrupted.
    private mutating func readVault() async throws {
        let stored = try await vault.pairings(of: home).first { $0.deviceID == note.deviceID }
        isStored = method.renews(stored)
        if !isStored { note.replaces = stored?.accessoryPublicKey }
        isUncertain = try await vault.isUnfinished(note, in: home)
        // An earlier attempt may have left the home's pairing on the accessory, which then accepts no setup code.
        if isUncertain, case .setupCode = method { isUncertain = !(await withdraw()) }
    }

    private mutating func exchangeKeysTwiceIfNeeded() async throws -> AccessoryPairing {
        do {
            return try await exchangeKeys()
        } catch PairerError.outcomeUnknown(let reason) {
            isUncertain = true
            switch method {
            case .setupCode:
                guard await withdraw() else { throw PairerError.outcomeUnknown(reason) }
                isUncertain = false
                return try await exchangeKeys()
            case .otherController:
                do {
                    return try await exchangeKeys()
                } catch PairerError.unreachable {
                    throw PairerError.outcomeUnknown(reason)
                }
            }
        }
    }

    /// Sends the home's key to the accessory, and stores the pairing.
    private func exchangeKeys() async throws -> AccessoryPairing {
        let pairing: AccessoryPairing
        switch method {
        case .setupCode(let code):
            pairing = try await connections.pairer.pair(
                at: note.addresses,
                code: code,
                controller: controller,
                expecting: note.deviceID
            ) {
                try await writeNote()
            }
            // Only now is the accessory's ID certain. If it belongs to another home, the pairing is withdrawn.
            if await connections.otherHome(of: pairing.deviceID, than: home) != nil {
                throw HubError.inAnotherHome(nil)
            }
            try await connections.prepareToJoin(pairing.deviceID)
        case .otherController(let other, _):
            try await removeLeftover(by: other)
            let wasLeaving = await connections.isLeaving(other.deviceID)
            pairing = try await connections.pairer.addPairing(controller, by: other, at: note.addresses) {
                try await writeNote()
            }
            try await connections.prepareToJoin(pairing.deviceID)
            // The removal of the old pairing may have reached the accessory after the new one was added.
            if wasLeaving { throw PairerError.outcomeUnknown("the accessory was being removed") }
        }
        try await store(pairing)
        log.info("An accessory was paired.", metadata: metadata(of: pairing.deviceID))
        return pairing
    }

    /// Removes the pairing of another home of this hub from the accessory. The hub forgets that pairing as the
    /// accessory joins this home.
    private func removeLeftover(by other: AccessoryPairing) async throws(PairerError) {
        guard let leftover = await connections.leftover(at: other.deviceID, notIn: home)?.controllerIdentity.pairingID,
            leftover != other.controllerIdentity.pairingID
        else { return }
        try await connections.pairer.removePairing(leftover, by: other, at: note.addresses)
    }

    /// Writes the note that the accessory is about to receive the home's key. If this throws, don't send the key.
    private func writeNote() async throws {
        guard await connections.database.home(home) != nil else { throw HomeRemoved() }
        try await vault.storeNote(of: note, in: home, as: controller)
    }

    /// Stores the pairing that the accessory accepted.
    private func store(_ pairing: AccessoryPairing) async throws {
        // The accessory may not advertise itself. If the hub stops before a session finds it, this is its only address.
        if let address = note.addresses.first { try await vault.remember(address, of: pairing.deviceID) }
        do {
            try await vault.store(pairing, in: home, deletingNoteOf: note)
        } catch let error as StoreError where error.code == .noSuchLog {
            try await connections.release(pairing, of: home, deletingNoteOf: note)
            throw HomeRemoved()
        }
    }

    /// Withdraws the pairing that the accessory may hold, and returns whether that succeeded.
    private func withdraw() async -> Bool {
        await connections.recovery.recover(note, in: home, as: controller)
    }

    // MARK: Failure

    /// Ends a failed attempt. If the accessory may hold a pairing, recovery withdraws it later.
    private mutating func end(after error: any Error) async {
        switch error {
        case PairerError.outcomeUnknown: isUncertain = true
        case is PairerError, is HomeRemoved: break
        default: isUncertain = true
        }
        if isUncertain, !isStored {
            await connections.recovery.resume(note, in: home, as: controller)
        } else {
            try? await vault.deleteNote(of: note, in: home)
            await connections.recovery.release(note, in: home)
        }
    }

    /// Returns the error for a client, and logs it.
    private func refusal(for error: any Error) -> HubError {
        if case PairerError.outcomeUnknown = error, isStored {
            let reason = "The connection was lost while the accessory was being paired with this home."
            return HubError(.connectionLost, "\(reason) If it doesn't come back on its own, import it again.")
        }
        let refusal = Self.hubError(for: error, method)
        var metadata = metadata(of: note.deviceID)
        metadata[LogKey.code] = "\(refusal.code.rawValue)"
        if refusal.code == .storeFailure { metadata[LogKey.error] = "\(error)" }
        let level: Logger.Level = refusal.code == .storeFailure ? .error : .info
        log.log(level: level, "An accessory was not paired.", metadata: metadata)
        return refusal
    }

    private static func hubError(for error: any Error, _ method: PairingMethod) -> HubError {
        switch error {
        case PairerError.notPrepared(let cause): hubError(for: cause, method)
        case let error as PairerError: method.hubError(error)
        case let error as HubError: error
        case is HomeRemoved: homeRemoved
        case let error as StoreError where error.code == .noSuchLog: homeRemoved
        default: HubError(.storeFailure, "The accessory was not added: \(error)")
        }
    }

    private static let homeRemoved = HubError(HomeError(.notFound, "The home was removed in the meantime."))

    private var log: Logger { connections.log }

    private func metadata(of server: DeviceID?) -> Logger.Metadata {
        [LogKey.accessory: server.map { "\($0)" } ?? "", LogKey.home: "\(home)"]
    }
}
