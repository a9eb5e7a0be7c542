import Automations
package import Foundation
package import HAP
package import HAPClient
import HAPCatalog
import HomeModel
import HubAPI

/// Support for accessories that already hold a home's pairing, as in tests.
extension HomeHub {
    /// The longest time to wait for an accessory to be discovered.
    private static let discoveryTimeout = Duration.seconds(5)

    /// Returns the controller identity that a home presents to its accessories, and creates it if there is none.
    package func controllerIdentity(of home: UUID) async throws -> ControllerIdentity {
        try await vault.controllerIdentity(of: home)
    }

    /// Adds an accessory that already holds the home's pairing: does everything that follows pair setup.
    ///
    /// - Parameters:
    ///   - pairing: A pairing with the home's ``controllerIdentity(of:)``.
    ///   - address: Its address, or `nil` to discover it.
    ///   - home: The home that the accessory joins.
    ///   - name: The accessory's name in the home, or `nil` for the name that it reports.
    ///   - room: The accessory's room, or `nil` for the default room.
    /// - Returns: The IDs of the accessories, a bridge first. The hub receives their events by then.
    /// - Throws: ``HubAPI/HubError``, with `notDiscovered` if the accessory isn't on the network.
    package func admit(
        _ pairing: AccessoryPairing,
        at address: AccessoryAddress? = nil,
        to home: UUID,
        name: String? = nil,
        room: UUID? = nil
    ) async throws -> [UUID] {
        let addresses: [AccessoryAddress]
        if let address {
            addresses = [address]
        } else {
            let server = await connections.discovery.server(pairing.deviceID, within: Self.discoveryTimeout)
            guard let server else {
                let reason = "The accessory wasn't found on the network. Check that it is powered on."
                throw HubError(.notDiscovered, reason)
            }
            addresses = server.addresses
        }
        try await vault.store(pairing, in: home)
        let caller = Caller(user: owner.user, device: owner.device, app: "hearth.hub", client: owner.device)
        let parameters = AddAccessory(home: home, deviceID: "\(pairing.deviceID)", name: name, room: room)
        let admitted = try await addition.admit(
            pairing,
            at: addresses,
            parameters,
            by: caller,
            cause: .hub
        )
        _ = await hasAnswered(pairing.deviceID)
        return admitted.result.ids
    }

    /// Waits until an accessory has answered all earlier requests. The hub receives all events that it sends after
    /// that.
    ///
    /// - Returns: Whether it answered and clients see it as reachable, or `nil` if it is in no home.
    package func hasAnswered(_ deviceID: DeviceID) async -> Bool? {
        await connections.hasAnswered(deviceID)
    }

    /// Waits until the hub has handled everything that an accessory sent before the call.
    package func catchUp(with deviceID: DeviceID) async {
        _ = await connections.hasAnswered(deviceID)
        await connections.catchUp(with: deviceID)
    }

    /// Advances a manual clock, and waits until what was due, and everything else that has happened, has had its effects:
    /// the accessories have answered what automations wrote.
    ///
    /// - Parameter milliseconds: 0 or more.
    package func advanceClock(by milliseconds: Int64) async { await automations.advance(by: milliseconds) }

    /// When the next automation is due; `nil` if none depends on the time.
    package var nextAutomation: Date? {
        get async { await automations.engine.nextWake }
    }
}

extension AccessoryConnections {
    fileprivate func hasAnswered(_ deviceID: DeviceID) async -> Bool? {
        guard let link = links[deviceID], case .member = link.phase else { return nil }
        // Members are published as reachable right after their subscription was submitted. An answer to a request from
        // before that says nothing about events.
        let wasReachable = isPublishedAsReachable(link)
        for accessory in link.attributes ?? [] {
            for characteristic in accessory.services.flatMap(\.characteristics)
            where characteristic.permissions.contains(.read) {
                let id = CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
                // Requests are answered in the order of their submission.
                let isAnswered = await link.session.submitRead([id]).value.first?.result.isSuccess ?? false
                return isAnswered && wasReachable && isPublishedAsReachable(link)
            }
        }
        return false
    }

    private func isPublishedAsReachable(_ link: Link) -> Bool {
        let accessories = link.values.accessories.values
        return !accessories.isEmpty && accessories.allSatisfy { live.error(forUnreachable: $0) == nil }
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
