import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI
import Logging

/// Takes over accessories that another controller has paired. By that controller's pairing the accessory is told the
/// home's key; then it is added like one that was paired with its set-up code.
///
/// Whatever interrupts it, what ``AccessoryAddition`` promises holds: the accessory is in the home and paired, or a
/// pairing that it may hold is noted and will be withdrawn. The other controller's pairing is not kept, and stays at the
/// accessory unless it is to go.
actor PairingImporter {
    /// How many of the places are tried at which the other controller reached an accessory.
    private static let maximumHosts = 8

    private let addition: AccessoryAddition
    private var underWay: Set<DeviceID> = []

    private var connections: AccessoryConnections { addition.connections }
    private var vault: PairingVault { addition.vault }

    /// Makes the part of the hub.
    ///
    /// - Parameter addition: Adds what has the home's pairing.
    init(addition: AccessoryAddition) {
        self.addition = addition
    }

    /// Takes an accessory server over.
    func run(
        _ parameters: ImportAccessory,
        by caller: Caller,
        cause: Cause
    ) async throws(HubError) -> ImportedAccessory {
        try await addition.database.checkMayEdit(parameters.home, caller.user)
        let foreign = try Self.pairing(parameters)
        guard try await identity(of: parameters.home)?.pairingID != foreign.controllerIdentity.pairingID else {
            throw HubError(HomeError(.invalidParameter, "The pairing is the home's own, and no other controller's."))
        }
        guard underWay.insert(foreign.deviceID).inserted else {
            throw HubError(.notAllowedNow, "The accessory is being imported already. Try again in a moment.")
        }
        defer { underWay.remove(foreign.deviceID) }
        let members = try await addition.database.home(parameters.home, for: caller.user)
            .accessories(onServer: foreign.deviceID.description).map(\.id)
        var imported: ImportedAccessory
        if members.isEmpty {
            imported = try await add(foreign, parameters, by: caller, cause: cause)
        } else {
            imported = try await renew(foreign, members, parameters)
        }
        if parameters.takesOver, !parameters.isRehearsal { imported.remains = await dismiss(foreign) }
        return imported
    }

    private static func pairing(_ parameters: ImportAccessory) throws(HubError) -> AccessoryPairing {
        guard let deviceID = DeviceID(parameters.deviceID),
            let accessoryKey = LongTermPublicKey(parameters.accessoryKey),
            let controllerID = PairingID(parameters.controllerID),
            let keyPair = LongTermKeyPair(seed: parameters.controllerSecret)
        else { throw HubError(.malformedMessage, "The pairing has a device id, a key or an identifier that is none.") }
        return AccessoryPairing(
            deviceID: deviceID,
            accessoryPublicKey: accessoryKey,
            controllerIdentity: ControllerIdentity(pairingID: controllerID, keyPair: keyPair)
        )
    }

    private func add(
        _ foreign: AccessoryPairing,
        _ parameters: ImportAccessory,
        by caller: Caller,
        cause: Cause
    ) async throws(HubError) -> ImportedAccessory {
        let deviceID = foreign.deviceID
        let request = AddAccessory(home: parameters.home, deviceID: deviceID.description, room: parameters.room)
        try await addition.check(request, deviceID, name: deviceID.description, by: caller)
        try await addition.checkBelongsNowhereElse(deviceID, home: parameters.home)
        let addresses = await addresses(parameters, deviceID)
        guard !addresses.isEmpty else {
            throw HubError(.notDiscovered, "The accessory is not to be seen on the network. Is it switched on?")
        }
        guard !parameters.isRehearsal else {
            _ = try await pairings(toldTo: foreign, at: addresses)
            return ImportedAccessory(outcome: .possible, ids: [])
        }
        let pairing = try await pair(by: foreign, at: addresses, in: parameters.home)
        let added = try await addition.admit(pairing, at: addresses, request, by: caller, cause: cause)
        return ImportedAccessory(outcome: .added, ids: added.result.ids)
    }

    /// Gives an accessory of the home the home's pairing again if it can't be reached for want of it.
    private func renew(
        _ foreign: AccessoryPairing,
        _ members: [UUID],
        _ parameters: ImportAccessory
    ) async throws(HubError) -> ImportedAccessory {
        let present = ImportedAccessory(outcome: .present, ids: members)
        guard await connections.isOutOfReach(foreign.deviceID, memberOf: parameters.home) else { return present }
        let controller = try await identity(of: parameters.home)
        let isKept = try await keeps(foreign, in: parameters.home)
        let addresses = await addresses(parameters, foreign.deviceID)
        do throws(HubError) {
            let known = try await pairings(toldTo: foreign, at: addresses)
            // Neither side lacks anything, and it was only not reached yet.
            if let controller, isKept, known.contains(Pairing(controller)) { return present }
            guard !parameters.isRehearsal else { return ImportedAccessory(outcome: .possible, ids: []) }
            let pairing = try await pair(by: foreign, at: addresses, in: parameters.home, isMember: true)
            try await connections.renew(pairing, in: parameters.home, at: addresses)
        } catch {
            // One that is switched off lacks nothing but power.
            guard error.code == .notReachable else { throw error }
            return present
        }
        return ImportedAccessory(outcome: .renewed, ids: members)
    }

    /// Where the accessory may be: where it is seen, else where the other controller reached it.
    private func addresses(_ parameters: ImportAccessory, _ deviceID: DeviceID) async -> [AccessoryAddress] {
        if let server = await addition.discovery.server(deviceID, within: AccessoryAddition.discoveryTimeout) {
            return server.addresses
        }
        guard let port = parameters.port, (1...Int(UInt16.max)).contains(port) else { return [] }
        return parameters.hosts.prefix(Self.maximumHosts).map { AccessoryAddress(host: $0, port: port) }
    }

    /// Whom the accessory knows, as it tells the other controller if that is an admin.
    private func pairings(
        toldTo foreign: AccessoryPairing,
        at addresses: [AccessoryAddress]
    ) async throws(HubError) -> [Pairing] {
        do throws(PairerError) {
            return try await addition.pairer.pairings(toldTo: foreign, at: addresses)
        } catch {
            throw HubError(importing: error)
        }
    }

    /// Whether the home has a pairing with the accessory that the other controller knows.
    private func keeps(_ foreign: AccessoryPairing, in home: UUID) async throws(HubError) -> Bool {
        do {
            return try await vault.pairings(of: home).contains {
                $0.deviceID == foreign.deviceID && $0.accessoryPublicKey == foreign.accessoryPublicKey
            }
        } catch {
            throw HubError(.storeFailure, "The home's keys cannot be read: \(error)")
        }
    }

    /// The home's identity if it has one: a rehearsal makes none.
    private func identity(of home: UUID) async throws(HubError) -> ControllerIdentity? {
        do {
            return try await vault.existingIdentity(of: home)
        } catch {
            throw HubError(.storeFailure, "The home's keys cannot be read: \(error)")
        }
    }

    // MARK: The home's own pairing

    /// Has the accessory know the home, and keeps the pairing. If it is lost when it may have been told, it is told once
    /// more; if that can't be done now, the pairing is withdrawn later.
    ///
    /// - Parameter isMember: Whether the accessory is in the home.
    private func pair(
        by foreign: AccessoryPairing,
        at addresses: [AccessoryAddress],
        in home: UUID,
        isMember: Bool = false
    ) async throws(HubError) -> AccessoryPairing {
        var pending = PendingPairing(deviceID: foreign.deviceID, addresses: addresses)
        let attempt = try await PairingAttempt(pending, in: home, connections)
        // Whether the home has the very pairing already, though the accessory may have lost it: nothing is to be withdrawn.
        var isKept = false
        // Whether the accessory may hold a pairing of the home that nothing but the note tells of.
        var isUnsettled = false
        do {
            let kept = try await vault.pairings(of: home).first { $0.deviceID == foreign.deviceID }
            isKept = isMember && kept?.accessoryPublicKey == foreign.accessoryPublicKey
            if !isKept { pending.replaces = kept?.accessoryPublicKey }
            isUnsettled = try await vault.isUnfinished(pending, in: home)
            let pairing: AccessoryPairing
            do {
                pairing = try await pair(by: foreign, pending, attempt)
            } catch PairerError.outcomeUnknown(let reason) {
                isUnsettled = true
                do {
                    pairing = try await pair(by: foreign, pending, attempt)
                } catch PairerError.unreachable {
                    throw PairerError.outcomeUnknown(reason)
                }
            }
            await attempt.end()
            return pairing
        } catch {
            if case PairerError.outcomeUnknown = error { isUnsettled = true }
            if !(error is PairerError || error is PairingAttempt.HomeRemoved) { isUnsettled = true }
            await attempt.end(pending, isUnsettled: isUnsettled && !isKept)
            if case PairerError.outcomeUnknown = error, isKept {
                let reason = "The accessory was lost while it was told of this home."
                throw HubError(.connectionLost, "\(reason) If it does not come back by itself, import it again.")
            }
            let refusal = PairingAttempt.hubError(for: error) { HubError(importing: $0) }
            if refusal.code == .storeFailure {
                addition.log.error("A pairing could not be stored.", metadata: [LogKey.error: "\(error)"])
            }
            throw refusal
        }
    }

    private func pair(
        by foreign: AccessoryPairing,
        _ pending: PendingPairing,
        _ attempt: PairingAttempt
    ) async throws -> AccessoryPairing {
        // What the hub has of another home's pairing is forgotten with the join, so the accessory has to forget it before.
        if let leftover = await connections.leftover(at: foreign.deviceID, ofOtherThan: attempt.home)?
            .controllerIdentity
            .pairingID,
            leftover != foreign.controllerIdentity.pairingID
        {
            try await addition.pairer.dismiss(leftover, by: foreign, at: pending.addresses)
        }
        let wasLeaving = await connections.isLeaving(foreign.deviceID)
        let pairing = try await addition.pairer.introduce(attempt.controller, by: foreign, at: pending.addresses) {
            try await attempt.noteKeyExchange(pending)
        }
        try await connections.prepareToJoin(foreign.deviceID)
        // The removal that was owed may have reached the accessory after the pairing: then it has to be told again.
        if wasLeaving { throw PairerError.outcomeUnknown("the accessory was being let go of") }
        try await attempt.keep(pairing, pending)
        return pairing
    }

    /// Removes the other controller's pairing by the home's own.
    ///
    /// - Returns: Why it is still there, nil if it is gone.
    private func dismiss(_ foreign: AccessoryPairing) async -> String? {
        guard let session = await connections.session(to: foreign.deviceID) else {
            return "The home has no connection to the accessory."
        }
        do throws(AccessoryFailure) {
            try await session.removePairing(of: foreign.controllerIdentity.pairingID)
            return nil
        } catch {
            return HubError(error).reason
        }
    }
}

extension Pairing {
    /// A home as its accessories know it.
    fileprivate init(_ controller: ControllerIdentity) {
        self.init(
            controllerID: controller.pairingID,
            publicKey: controller.keyPair.publicKey,
            permissions: .admin
        )
    }
}
