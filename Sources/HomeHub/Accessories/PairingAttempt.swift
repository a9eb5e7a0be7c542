import Foundation
import HAP
import HAPClient
import HomeModel
import HomeStore
import HubAPI

/// An attempt to pair an accessory with a home, by a setup code or by another controller's pairing: from before the
/// accessory receives the home's key until the outcome is known.
///
/// At every moment one of these holds, also for a hub that is killed: the accessory has no pairing, a note says that it may
/// have one, the home has the pairing, or its removal is owed. The home may be removed at any moment.
struct PairingAttempt: Sendable {
    /// The home was removed. What the accessory holds is owed its removal.
    struct HomeRemoved: Error {}

    let home: UUID
    /// The home's identity, which the accessory is to know.
    let controller: ControllerIdentity
    private let reserved: PendingPairing
    private let connections: AccessoryConnections
    private let settlement: PairingRecovery
    private let vault: PairingVault

    /// Begins an attempt. ``end(_:isUnsettled:)`` has to follow.
    ///
    /// - Throws: ``HubAPI/HubError`` with `accessoryBusy` if the same accessory is being paired with the home already.
    init(_ pending: PendingPairing, in home: UUID, _ connections: AccessoryConnections) async throws(HubError) {
        do {
            controller = try await connections.vault.controllerIdentity(of: home)
        } catch {
            throw Self.hubError(for: error) { HubError($0) }
        }
        guard await connections.settlement.reserve(pending, in: home) else {
            throw HubError(.accessoryBusy, "The accessory is being added already. Wait until that is done.")
        }
        self.home = home
        self.connections = connections
        reserved = pending
        settlement = connections.settlement
        vault = connections.vault
    }

    /// Notes that the accessory is about to receive the home's key.
    ///
    /// - Throws: ``HomeRemoved``, or what the store refuses; then the accessory must not receive the key.
    func noteKeyExchange(_ pending: PendingPairing) async throws {
        guard await connections.database.home(home) != nil else { throw HomeRemoved() }
        try await vault.begin(pending, in: home, as: controller)
    }

    /// Stores the pairing that the accessory accepted.
    ///
    /// - Throws: ``HomeRemoved``, and the accessory is unpaired as soon as it can be reached; or what the store refuses, and
    ///   the note of the attempt stays.
    func keep(_ pairing: AccessoryPairing, _ pending: PendingPairing) async throws {
        // It may not announce itself: this is where it is if the hub ends before a session has found it.
        if let address = pending.addresses.first { try await vault.remember(address, of: pairing.deviceID) }
        do {
            try await vault.keep(pairing, in: home, finishing: pending)
        } catch let error as StoreError where error.code == .noSuchLog {
            try await connections.release(pairing, of: home, finishing: pending)
            throw HomeRemoved()
        }
    }

    /// Tries once to withdraw a pairing that the accessory may hold, and returns whether that was settled.
    func settle(_ pending: PendingPairing) async -> Bool {
        await settlement.settle(pending, in: home, as: controller)
    }

    /// Ends the attempt.
    ///
    /// - Parameter isUnsettled: Whether the accessory may hold a pairing of which only the note tells; it is withdrawn later.
    func end(_ pending: PendingPairing, isUnsettled: Bool) async {
        if isUnsettled {
            await settlement.resume(pending, in: home, as: controller)
        } else {
            try? await vault.finish(pending, in: home)
            await settlement.release(reserved, in: home)
        }
    }

    /// Ends an attempt that brought a pairing, which is kept.
    func end() async {
        await settlement.release(reserved, in: home)
    }

    /// The error for a client.
    ///
    /// - Parameter failure: What the accessory's refusals are called.
    static func hubError(for error: any Error, _ failure: (PairerError) -> HubError) -> HubError {
        switch error {
        case PairerError.notPrepared(let cause): hubError(for: cause, failure)
        case let error as PairerError: failure(error)
        case let error as HubError: error
        case is HomeRemoved: homeRemoved
        case let error as StoreError where error.code == .noSuchLog: homeRemoved
        default: HubError(.storeFailure, "The accessory was not added: \(error)")
        }
    }

    private static let homeRemoved = HubError(HomeError(.notFound, "The home was removed meanwhile."))
}
