import Foundation
import HAP
import HAPClient

// The status of a member, for diagnoses.
extension AccessoryConnections {
    /// The hub's status of a server whose accessories are in a home.
    struct ServerStatus: Sendable {
        let pairing: AccessoryPairing
        let session: AccessorySession
        /// The attribute database that the server sent on the open connection, or `nil` if no connection is open.
        let attributes: [AccessoryAttributes]?
        /// The addresses that are known without discovery, beginning with the address at which the server was last
        /// verified.
        let knownAddresses: [AccessoryAddress]
        /// The time since the server's last event, or `nil` if it has sent none since the hub opened the link.
        let sinceLastEvent: Duration?
        let configuration: SessionConfiguration
        /// Whether the server has no room for the pairing of another hub of the home.
        var lacksRoom = false
        /// Whether the server refused to prepare a write.
        var isUnprepared = false
    }

    /// Returns the status of a member, or `nil` if the home has no pairing with it.
    func status(of deviceID: DeviceID, in home: UUID) async -> ServerStatus? {
        guard let link = links[deviceID], link.home == home, case .member = link.phase else { return nil }
        let proven = [await link.session.provenAddress, link.address].compactMap(\.self)
        var known: [AccessoryAddress] = []
        for address in proven + link.addresses where !known.contains(address) { known.append(address) }
        return ServerStatus(
            pairing: link.pairing,
            session: link.session,
            attributes: link.attributes,
            knownAddresses: known,
            sinceLastEvent: link.values.lastEvent.map { $0.duration(to: .now) },
            configuration: configuration,
            lacksRoom: duties.full.contains(deviceID),
            isUnprepared: await link.session.cannotPrepare
        )
    }
}
