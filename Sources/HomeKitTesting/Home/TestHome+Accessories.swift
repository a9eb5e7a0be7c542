import AccessorySimulator
import Foundation
import HAP
import HAPClient
import HAPServer
import HomeHub
import HomeModel
import HubAPI

extension TestHome {
    /// Adds a paired accessory, or a bridge with its bridged accessories. Pair setup is skipped: both sides get their
    /// keys directly. Everything else works as in a real home. Returns once the accessory is reachable.
    ///
    /// - Parameters:
    ///   - description: The accessory.
    ///   - room: The name of its room, which is created if it doesn't exist (default: the default room).
    @discardableResult
    public func add(_ description: AccessoryDescription, to room: String? = nil) async throws -> TestAccessory {
        let hub = try hub()
        let controller = try await hub.controllerIdentity(of: id)
        let pairing = Pairing(
            controllerID: controller.pairingID,
            publicKey: controller.keyPair.publicKey,
            permissions: .admin
        )
        let (host, identity) = try host(description, pairings: [pairing])
        let roomID = if let room { try await self.room(room) } else { UUID?.none }
        try await host.start()
        _ = try await hub.admit(
            AccessoryPairing(
                deviceID: identity.deviceID,
                accessoryPublicKey: identity.keyPair.publicKey,
                controllerIdentity: controller
            ),
            to: id,
            room: roomID
        )
        return try accessory(of: description, on: host)
    }

    /// Adds an accessory from an accessory file; see ``add(_:to:)``.
    @discardableResult
    public func add(file path: String, to room: String? = nil) async throws -> TestAccessory {
        try await add(try AccessoryDescription(file: path), to: room)
    }

    /// Puts an unpaired accessory on the network without adding it to the home. Browsers find it, and adding it
    /// performs pair setup.
    @discardableResult
    public func addUnpaired(_ description: AccessoryDescription) async throws -> TestAccessory {
        let (host, _) = try host(description, pairings: [])
        try await host.start()
        return try accessory(of: description, on: host)
    }

    private func host(
        _ description: AccessoryDescription,
        pairings: [Pairing]
    ) throws -> (AccessoryHost, AccessoryIdentity) {
        let identity = AccessoryIdentity(deviceID: description.deviceID ?? .random(), keyPair: .random())
        let setupCode = description.setupCode ?? .random()
        let storage = try MemoryStorage(
            identity: identity,
            setupCode: setupCode,
            setupID: description.setupID ?? .random(),
            pairings: pairings
        )
        let host = AccessoryHost(
            description,
            deviceID: identity.deviceID,
            setupCode: setupCode,
            storage: storage,
            in: self
        )
        register(host)
        return (host, identity)
    }

    private func accessory(
        of description: AccessoryDescription,
        on host: AccessoryHost
    ) throws(TestHomeError) -> TestAccessory {
        guard let first = description.accessories.first else {
            throw TestHomeError("\(description.source) describes no accessory.")
        }
        return TestAccessory(host: host, key: first.key, name: first.information.name)
    }

    /// Returns the identity of the room with a name, and creates the room if necessary.
    private func room(_ name: String) async throws -> UUID {
        if let room = client.state.homes[id]?.rooms.first(where: { $0.name == name }) { return room.id }
        return try await client.call(HubMethods.addRoom, InHome(id, AddRoom(name: name))).id
    }
}
