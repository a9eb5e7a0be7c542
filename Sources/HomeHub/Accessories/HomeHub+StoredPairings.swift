package import Foundation
package import HAP
package import HAPClient
import HAPCatalog
import HomeModel
import HubAPI

/// For homes whose accessories were paired before, as those of tests.
extension HomeHub {
    /// How long the accessory may take to be seen.
    private static let discoveryTimeout = Duration.seconds(5)

    /// As whom a home's accessories know it; made when there is none.
    package func controllerIdentity(of home: UUID) async throws -> ControllerIdentity {
        try await vault.controllerIdentity(of: home)
    }

    /// Adds an accessory that holds the home's pairing already: all that follows a pair-setup, without it.
    ///
    /// - Parameters:
    ///   - pairing: With the home's ``controllerIdentity(of:)``.
    ///   - name: Its name in the home; else its own.
    ///   - room: Its room; else the default room.
    /// - Returns: The accessories, a bridge first, once their events are heard.
    package func admit(
        _ pairing: AccessoryPairing,
        to home: UUID,
        name: String? = nil,
        room: UUID? = nil
    ) async throws -> [UUID] {
        guard let server = await connections.discovery.server(pairing.deviceID, within: Self.discoveryTimeout) else {
            throw HubError(.notDiscovered, "No such accessory is to be seen on the network.")
        }
        try await vault.keep(pairing, in: home)
        let caller = Caller(user: owner.user, device: owner.device, app: "hearth.hub", client: owner.device)
        let parameters = AddAccessory(home: home, deviceID: "\(pairing.deviceID)", name: name, room: room)
        let admitted = try await addition.admit(
            pairing,
            at: server.addresses,
            parameters,
            by: caller,
            cause: .hub
        )
        _ = await hasAnswered(pairing.deviceID)
        return admitted.result.ids
    }

    /// Waits until an accessory has answered all that it was asked before: events that it sends from then on are heard.
    ///
    /// - Returns: Whether it has, and clients are told that it can be reached. Nil if it is in no home.
    package func hasAnswered(_ deviceID: DeviceID) async -> Bool? {
        await connections.hasAnswered(deviceID)
    }
}

extension AccessoryConnections {
    fileprivate func hasAnswered(_ deviceID: DeviceID) async -> Bool? {
        guard let link = links[deviceID], case .member = link.phase else { return nil }
        for accessory in link.attributes ?? [] {
            for characteristic in accessory.services.flatMap(\.characteristics)
            where characteristic.permissions.contains(.read) {
                let id = CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
                // What was submitted before is answered before.
                let isAnswered = await link.session.submitRead([id]).value.first?.result.isSuccess ?? false
                return isAnswered && link.accessories.values.filter { live.error(forUnreachable: $0) != nil }.isEmpty
            }
        }
        return false
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
