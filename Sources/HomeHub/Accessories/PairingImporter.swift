import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI
import Logging

/// Imports accessories that another controller has paired. That controller's pairing adds the home's; then the accessory is
/// added like one that was paired with its setup code.
///
/// If this is interrupted, the promise of ``AccessoryAddition`` holds. The other controller's pairing is not stored, and the
/// accessory keeps it unless the client wants it removed.
actor PairingImporter {
    /// The maximum number of the other controller's addresses to try.
    private static let maximumHosts = 8

    private let database: HomeDatabase
    private let connections: AccessoryConnections
    private let addition: AccessoryAddition
    private var inProgress: Set<DeviceID> = []

    /// Creates the importer.
    ///
    /// - Parameter addition: Adds an accessory that has the home's pairing.
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
        let foreign = try Self.pairing(parameters)
        guard try await identity(of: parameters.home)?.pairingID != foreign.controllerIdentity.pairingID else {
            throw HubError(HomeError(.invalidParameter, "The pairing is the home's own, and no other controller's."))
        }
        guard inProgress.insert(foreign.deviceID).inserted else {
            throw HubError(.notAllowedNow, "The accessory is being imported already. Try again in a moment.")
        }
        defer { inProgress.remove(foreign.deviceID) }
        let members = try await database.home(parameters.home, for: caller.user)
            .accessories(onServer: foreign.deviceID.description).map(\.id)
        var imported: ImportedAccessory
        if members.isEmpty {
            imported = try await add(foreign, parameters, by: caller, cause: cause)
        } else {
            imported = try await renew(foreign, members, parameters)
        }
        if parameters.removesOtherController, !parameters.isDryRun {
            imported.removalFailure = await removePairing(of: foreign)
        }
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
        let addresses = await addresses(parameters, deviceID)
        guard !addresses.isEmpty else {
            throw HubError(.notDiscovered, "The accessory is not to be seen on the network. Is it switched on?")
        }
        guard !parameters.isDryRun else {
            _ = try await listPairings(as: foreign, at: addresses)
            return ImportedAccessory(outcome: .possible, ids: [])
        }
        let pairing = try await pair(by: foreign, at: addresses, in: parameters.home, isMember: false)
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
            let known = try await listPairings(as: foreign, at: addresses)
            // Neither side lacks anything, and it was only not reached yet.
            if let controller, isKept, known.contains(Pairing(controller)) { return present }
            guard !parameters.isDryRun else { return ImportedAccessory(outcome: .possible, ids: []) }
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
        if let server = await connections.discovery.server(deviceID, within: AccessoryAddition.discoveryTimeout) {
            return server.addresses
        }
        guard let port = parameters.port, (1...Int(UInt16.max)).contains(port) else { return [] }
        return parameters.hosts.prefix(Self.maximumHosts).map { AccessoryAddress(host: $0, port: port) }
    }

    /// Has the accessory know the home, and stores the pairing.
    private func pair(
        by foreign: AccessoryPairing,
        at addresses: [AccessoryAddress],
        in home: UUID,
        isMember: Bool
    ) async throws(HubError) -> AccessoryPairing {
        try await PairingAttempt.pair(
            foreign.deviceID,
            at: addresses,
            with: home,
            by: .otherController(foreign, isMember: isMember),
            connections
        )
    }

    /// Returns the controllers that the accessory knows. The other controller must be an admin.
    private func listPairings(
        as foreign: AccessoryPairing,
        at addresses: [AccessoryAddress]
    ) async throws(HubError) -> [Pairing] {
        do throws(PairerError) {
            return try await connections.pairer.listPairings(as: foreign, at: addresses)
        } catch {
            throw HubError(importing: error)
        }
    }

    /// Whether the home has a pairing with the accessory that the other controller knows.
    private func keeps(_ foreign: AccessoryPairing, in home: UUID) async throws(HubError) -> Bool {
        do {
            return try await connections.vault.pairings(of: home).contains {
                $0.deviceID == foreign.deviceID && $0.accessoryPublicKey == foreign.accessoryPublicKey
            }
        } catch {
            throw HubError(.storeFailure, "The home's keys cannot be read: \(error)")
        }
    }

    /// The home's identity if it has one: a rehearsal makes none.
    private func identity(of home: UUID) async throws(HubError) -> ControllerIdentity? {
        do {
            return try await connections.vault.existingIdentity(of: home)
        } catch {
            throw HubError(.storeFailure, "The home's keys cannot be read: \(error)")
        }
    }

    /// Removes the other controller's pairing by the home's own.
    ///
    /// - Returns: The reason why it could not be removed, or `nil` if it was.
    private func removePairing(of foreign: AccessoryPairing) async -> String? {
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
