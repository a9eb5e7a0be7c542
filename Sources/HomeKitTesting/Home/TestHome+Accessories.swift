import AccessorySimulator
import Foundation
import HAP
import HAPClient
import HAPServer
import HomeHub
import HomeModel
import HubAPI

extension TestHome {
    /// Adds an accessory, or a bridge with all behind it, that is paired already: without a pair-setup, by keys that both
    /// sides are given. From then on all is as it is in a home. Returns once it can be reached.
    ///
    /// - Parameter room: Its room; made if there is none. The default room unless given.
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

    /// Adds what an accessory file describes; see ``add(_:to:)``.
    @discardableResult
    public func add(file path: String, to room: String? = nil) async throws -> TestAccessory {
        try await add(try AccessoryDescription(file: path), to: room)
    }

    /// Puts an accessory on the network that is paired with nobody and in no home: browsers find it, and adding it takes
    /// a pair-setup.
    @discardableResult
    public func place(_ description: AccessoryDescription) async throws -> TestAccessory {
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
        keep(host)
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

    /// The identity of a room; it is made if there is none of that name.
    private func room(_ name: String) async throws -> UUID {
        if let room = keeper.state.homes[id]?.rooms.first(where: { $0.name == name }) { return room.id }
        return try await keeper.call(HubMethods.addRoom, AddNamed(home: id, name: name)).id
    }
}
