import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI
import Logging

/// Imports accessories that another controller has paired.
///
/// The hub uses that controller's pairing to add the home's pairing. Then it adds the accessory like one that was
/// paired with its setup code.
///
/// An interrupted import leaves the same states as ``AccessoryAddition``. The other controller's pairing is not stored.
/// The accessory keeps it unless the client asks to remove it.
actor PairingImporter {
    /// The maximum number of the other controller's addresses to try.
    private static let maximumHosts = 8

    private let database: HomeDatabase
    private let connections: AccessoryConnections
    private let addition: AccessoryAddition
    private var inProgress: Set<DeviceID> = []

    /// Creates the importer.
    ///
    /// - Parameter addition: The addition of an accessory that has the home's pairing.
    init(addition: AccessoryAddition) {
        database = addition.database
        connections = addition.connections
        self.addition = addition
    }

    /// Imports an accessory server.
    func run(
        _ parameters: ImportAccessory,
        by caller: Caller,
        cause: Cause
    ) async throws(HubError) -> ImportedAccessory {
        try await database.checkMayEdit(parameters.home, caller.user)
        let otherPairing = try Self.pairing(parameters)
        guard try await identity(of: parameters.home)?.pairingID != otherPairing.controllerIdentity.pairingID else {
            let reason = "The pairing is the home's own. Import a pairing of another controller."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        guard inProgress.insert(otherPairing.deviceID).inserted else {
            throw HubError(.notAllowedNow, "The accessory is already being imported. Try again in a moment.")
        }
        defer { inProgress.remove(otherPairing.deviceID) }
        let members = try await database.home(parameters.home, for: caller.user)
            .accessories(onServer: otherPairing.deviceID.description).map(\.id)
        var imported: ImportedAccessory
        if members.isEmpty {
            imported = try await add(otherPairing, parameters, by: caller, cause: cause)
        } else {
            imported = try await renew(otherPairing, members, parameters)
        }
        if parameters.removesOtherController, !parameters.isDryRun {
            imported.removalFailure = await removePairing(of: otherPairing)
        }
        return imported
    }

    private static func pairing(_ parameters: ImportAccessory) throws(HubError) -> AccessoryPairing {
        guard let deviceID = DeviceID(parameters.deviceID),
            let accessoryKey = LongTermPublicKey(parameters.accessoryKey),
            let controllerID = PairingID(parameters.controllerID),
            let keyPair = LongTermKeyPair(seed: parameters.controllerSecret)
        else { throw HubError(.malformedMessage, "The pairing's device ID, key or controller ID is invalid.") }
        return AccessoryPairing(
            deviceID: deviceID,
            accessoryPublicKey: accessoryKey,
            controllerIdentity: ControllerIdentity(pairingID: controllerID, keyPair: keyPair)
        )
    }

    private func add(
        _ otherPairing: AccessoryPairing,
        _ parameters: ImportAccessory,
        by caller: Caller,
        cause: Cause
    ) async throws(HubError) -> ImportedAccessory {
        let deviceID = otherPairing.deviceID
        let request = AddAccessory(home: parameters.home, deviceID: deviceID.description, room: parameters.room)
        try await addition.check(request, deviceID, name: deviceID.description, by: caller)
        let addresses = await addresses(parameters, deviceID)
        guard !addresses.isEmpty else {
            throw HubError(.notDiscovered, "The accessory wasn't found on the network. Check that it is powered on.")
        }
        guard !parameters.isDryRun else {
            _ = try await listPairings(as: otherPairing, at: addresses)
            return ImportedAccessory(outcome: .possible, ids: [])
        }
        let pairing = try await pair(by: otherPairing, at: addresses, in: parameters.home, isMember: false)
        let added = try await addition.admit(pairing, at: addresses, request, by: caller, cause: cause)
        return ImportedAccessory(outcome: .added, ids: added.result.ids)
    }

    /// Adds the home's pairing again to an accessory of the home that is unreachable because the pairing was lost.
    private func renew(
        _ otherPairing: AccessoryPairing,
        _ members: [UUID],
        _ parameters: ImportAccessory
    ) async throws(HubError) -> ImportedAccessory {
        let present = ImportedAccessory(outcome: .present, ids: members)
        guard await connections.isOutOfReach(otherPairing.deviceID, memberOf: parameters.home) else { return present }
        let controller = try await identity(of: parameters.home)
        let isKept = try await keeps(otherPairing, in: parameters.home)
        let addresses = await addresses(parameters, otherPairing.deviceID)
        do throws(HubError) {
            let known = try await listPairings(as: otherPairing, at: addresses)
            // Both sides hold the pairing; the hub just hasn't reached the accessory yet.
            if let controller, isKept, known.contains(Pairing(controller)) { return present }
            guard !parameters.isDryRun else { return ImportedAccessory(outcome: .possible, ids: []) }
            let pairing = try await pair(by: otherPairing, at: addresses, in: parameters.home, isMember: true)
            try await connections.renew(pairing, in: parameters.home, at: addresses)
        } catch {
            // An unreachable accessory may only be switched off.
            guard error.code == .notReachable else { throw error }
            return present
        }
        return ImportedAccessory(outcome: .renewed, ids: members)
    }

    /// Returns the addresses to try: the advertised addresses, or else the addresses that the other controller used.
    private func addresses(_ parameters: ImportAccessory, _ deviceID: DeviceID) async -> [AccessoryAddress] {
        if let server = await connections.discovery.server(deviceID, within: AccessoryAddition.discoveryTimeout) {
            return server.addresses
        }
        guard let port = parameters.port, (1...Int(UInt16.max)).contains(port) else { return [] }
        return parameters.hosts.prefix(Self.maximumHosts).map { AccessoryAddress(host: $0, port: port) }
    }

    /// Adds the home's pairing to the accessory, and stores it.
    private func pair(
        by otherPairing: AccessoryPairing,
        at addresses: [AccessoryAddress],
        in home: UUID,
        isMember: Bool
    ) async throws(HubError) -> AccessoryPairing {
        try await PairingAttempt.pair(
            otherPairing.deviceID,
            at: addresses,
            with: home,
            by: .otherController(otherPairing, isMember: isMember),
            connections
        )
    }

    /// Returns the pairings of the accessory. The other controller must be an admin.
    private func listPairings(
        as otherPairing: AccessoryPairing,
        at addresses: [AccessoryAddress]
    ) async throws(HubError) -> [Pairing] {
        do throws(PairerError) {
            return try await connections.pairer.listPairings(as: otherPairing, at: addresses)
        } catch {
            throw HubError(importing: error)
        }
    }

    /// Returns whether the home stores a pairing with the same accessory key as the other controller's pairing.
    private func keeps(_ otherPairing: AccessoryPairing, in home: UUID) async throws(HubError) -> Bool {
        do {
            return try await connections.vault.pairings(of: home).contains {
                $0.deviceID == otherPairing.deviceID && $0.accessoryPublicKey == otherPairing.accessoryPublicKey
            }
        } catch {
            throw HubError(.storeFailure, "The home's keys can't be read: \(error)")
        }
    }

    /// Returns the home's identity if it has one. A dry run must not create one.
    private func identity(of home: UUID) async throws(HubError) -> ControllerIdentity? {
        do {
            return try await connections.vault.existingIdentity(of: home)
        } catch {
            throw HubError(.storeFailure, "The home's keys can't be read: \(error)")
        }
    }

    /// Removes the other controller's pairing, using the home's own.
    ///
    /// - Returns: The reason why it could not be removed, or `nil` if it was.
    private func removePairing(of otherPairing: AccessoryPairing) async -> String? {
        guard let session = await connections.session(to: otherPairing.deviceID) else {
            return "The home has no connection to the accessory."
        }
        do throws(AccessoryFailure) {
            try await session.removePairing(of: otherPairing.controllerIdentity.pairingID)
            return nil
        } catch {
            return HubError(error).reason
        }
    }
}

extension Pairing {
    /// Creates the pairing that an accessory stores for a home.
    fileprivate init(_ controller: ControllerIdentity) {
        self.init(
            controllerID: controller.pairingID,
            publicKey: controller.keyPair.publicKey,
            permissions: .admin
        )
    }
}
