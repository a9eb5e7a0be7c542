import Foundation
import HAP
import HAPClient

// How the hub stands with a member, for those who look into what is the matter with it.
extension AccessoryConnections {
    /// How the hub stands with a server whose accessories are in a home.
    struct ServerStatus: Sendable {
        let pairing: AccessoryPairing
        let session: AccessorySession
        /// What the server said of itself on the connection that stands; nil while none does.
        let attributes: [AccessoryAttributes]?
        /// Where it was, as far as is known without discovery: where it last proved who it is comes first.
        let knownAddresses: [AccessoryAddress]
        /// How long ago it last told of a change; nil if it has not done so since the hub began with it.
        let sinceLastEvent: Duration?
        let configuration: SessionConfiguration
    }

    /// How the hub stands with a member; nil when the home has no pairing with it.
    func standing(with deviceID: DeviceID, in home: UUID) async -> ServerStatus? {
        guard let link = links[deviceID], link.home == home, case .member = link.phase else { return nil }
        let proven = [await link.session.provenAddress, link.address].compactMap(\.self)
        var known: [AccessoryAddress] = []
        for address in proven + link.addresses where !known.contains(address) { known.append(address) }
        return ServerStatus(
            pairing: link.pairing,
            session: link.session,
            attributes: link.attributes,
            knownAddresses: known,
            sinceLastEvent: link.lastEvent.map { $0.duration(to: .now) },
            configuration: configuration
        )
    }
}
