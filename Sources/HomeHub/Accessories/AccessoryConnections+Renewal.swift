import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI

/// Pairing a member again after it was reset.
extension AccessoryConnections {
    /// Returns whether a server's accessories are in the home and unreachable, but not blocked. A server with which the
    /// home has no pairing is unreachable.
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

    /// Reconnects to a member with its new pairing, and updates the home from the accessories that it reports. A
    /// blocked member stays blocked.
    ///
    /// - Throws: ``HubAPI/HubError`` if the member can't be reached; it is still a member then. Also if its accessories
    ///   were removed in the meantime; the home's pairing is then removed from it.
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
        guard let link = links[deviceID], link.home == home, case .member = link.phase else { throw Self.joinCanceled }
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
