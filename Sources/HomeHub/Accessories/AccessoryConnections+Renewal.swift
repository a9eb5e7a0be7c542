import Foundation
import HAP
import HAPClient
import HubAPI

/// A member that was reset, and is paired anew.
extension AccessoryConnections {
    /// Whether a server's accessories are in the home and can't be reached, though nobody blocked them.
    func isOutOfReach(_ deviceID: DeviceID, memberOf home: UUID) -> Bool {
        guard let link = links[deviceID], link.home == home, case .member = link.phase else { return false }
        return link.attributes == nil && !link.isBlocked
    }

    /// Goes on with a member by its new pairing, and takes over what it says of itself.
    ///
    /// - Throws: Why it can't be reached; it is a member all the same.
    func renew(
        _ pairing: AccessoryPairing,
        in home: UUID,
        at addresses: [AccessoryAddress]
    ) async throws(HubError) {
        let attributes: [AccessoryAttributes]
        do {
            attributes = try await join(pairing, in: home, at: addresses)
        } catch {
            if case .joining = links[pairing.deviceID]?.phase { links[pairing.deviceID]?.phase = .member }
            throw error
        }
        await update(pairing.deviceID, to: attributes)
        await adopt(pairing.deviceID, knowing: attributes)
    }
}
