import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI

/// A member that was reset, and is paired anew.
extension AccessoryConnections {
    /// Whether a server's accessories are in the home and can't be reached, though nobody blocked them. Those with which
    /// the home has no pairing can't.
    func isOutOfReach(_ deviceID: DeviceID, memberOf home: UUID) async -> Bool {
        guard let state = await database.home(home), !state.accessories(onServer: deviceID.description).isEmpty,
            !state.blocks(deviceID)
        else { return false }
        guard let link = links[deviceID], link.home == home else { return true }
        return switch link.phase {
        case .joining: false
        case .member: link.attributes == nil && !link.isBlocked
        case .leaving: true
        }
    }

    /// Goes on with a member by its new pairing, and takes over what it says of itself. A blocked one stays blocked.
    ///
    /// - Throws: Why it can't be reached; it is a member all the same. Or that its accessories were removed meanwhile; then
    ///   it is let go.
    func renew(
        _ pairing: AccessoryPairing,
        in home: UUID,
        at addresses: [AccessoryAddress]
    ) async throws(HubError) {
        let deviceID = pairing.deviceID
        if await database.home(home)?.blocks(deviceID) == true {
            if let stale = links.removeValue(forKey: deviceID) { await end(stale) }
            await open(pairing, in: home, at: addresses, phase: .member, isBlocked: true)
            await leave(deviceID, from: home)
            await followBlocking(of: deviceID)
        } else {
            try await rejoin(pairing, in: home, at: addresses)
        }
        guard let link = links[deviceID], link.home == home, case .member = link.phase else { throw Self.givenUp }
    }

    private func rejoin(
        _ pairing: AccessoryPairing,
        in home: UUID,
        at addresses: [AccessoryAddress]
    ) async throws(HubError) {
        let deviceID = pairing.deviceID
        let attributes: [AccessoryAttributes]
        do {
            attributes = try await join(pairing, in: home, at: addresses)
        } catch {
            if case .joining = links[deviceID]?.phase {
                links[deviceID]?.phase = .member
                await publishUnreachable(deviceID, because: error)
                await leave(deviceID, from: home)
            }
            throw error
        }
        await update(deviceID, to: attributes)
        await adopt(deviceID, knowing: attributes)
    }
}
