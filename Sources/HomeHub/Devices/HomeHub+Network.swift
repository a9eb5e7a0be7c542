package import Foundation
package import HomeIdentity
import HomeModel
import HomeStore
package import HubAPI

/// For the listener on the network, whose clients prove their identity by a key.
extension HomeHub {
    /// What the listener needs of the hub to let devices in and to let new ones join.
    package var door: any NetworkDoor { joinDesk }

    /// Whether anybody may want to connect over the network: the current answer, and each later one. Until then no port
    /// needs to be open. Without a listener that follows this, nobody can be invited over the network.
    package var doorIsNeeded: AsyncStream<Bool> { deviceTable.needs }

    /// Calls a closure with the keys that may no longer connect, in the step in which that becomes true, so that the
    /// listener closes their connections, also those that have no session yet.
    package func onRemovedKeys(_ observer: @escaping @Sendable (Set<PublicKey>) -> Void) {
        deviceTable.onRemoval(observer)
    }

    /// The keys that may no longer connect, as ``onRemovedKeys(_:)`` reports them.
    package var removedKeys: AsyncStream<PublicKey> {
        let (stream, continuation) = AsyncStream.makeStream(of: PublicKey.self)
        onRemovedKeys { keys in
            for key in keys { continuation.yield(key) }
        }
        return stream
    }

    /// Returns the port at which the hub last listened for devices; `nil` if it never did.
    package func networkPort() async -> Int? {
        guard let text = try? await store.metadata(.networkPort) else { return nil }
        return Int(text)
    }

    /// Stores the port at which the hub listens for devices, so that it is the same after a restart.
    package func setNetworkPort(_ port: Int) async throws(HubError) {
        do {
            try await store.setMetadata(String(port), for: .networkPort)
        } catch {
            throw HubError(.storeFailure, "The port could not be stored: \(error)")
        }
    }

    /// Returns the authority of a device that has proved that it has a key.
    ///
    /// - Parameter isAtDoor: Whether the device comes through the door of its invitation. If not, it needs that no longer.
    /// - Throws: ``HubAPI/HubError/Code/deviceRemoved``, ``HubAPI/HubError/Code/noLeader`` if only the other hub may know it, or ``HubAPI/HubError/Code/joinPending`` if somebody must confirm
    ///   it first.
    package func authority(
        of key: PublicKey,
        way: Way = .near,
        isAtDoor: Bool = false
    ) throws(HubError) -> SessionAuthority {
        guard let known = deviceTable.device(with: key) else {
            if deviceTable.isPending(key) { throw JoinDesk.pending }
            if deviceTable.isDeclined(key) { throw JoinDesk.declined }
            // The other hub may have let the device in, and this one doesn't know it yet.
            guard !hubTable.isPaired || deviceTable.standing(of: key) == .removed else { throw JoinDesk.notKnownYet }
            throw JoinDesk.removed
        }
        guard !known.device.isSuspended else { throw JoinDesk.suspended }
        guard way != .away || feed.mayBeAway(known.user) else { throw HubSession.notFromAway }
        Task { [devices] in await devices.recordUse(of: known.device.id, way: way) }
        if !isAtDoor { Task { [invitations] in await invitations.closeDoors(for: key) } }
        return SessionAuthority(user: known.user, device: known.device.id, client: .device, way: way)
    }

    /// The doors of invited devices that are open at the hub's relay: their keys, and how many seconds are left.
    package var doors: [(key: PublicKey, seconds: Int)] { doorTable.open }

    /// A stream that yields each time that ``doors`` open or close.
    package var doorChanges: AsyncStream<Void> { doorTable.changes }

    /// Returns the invitation that a device may use which comes through a door; `nil` if it may not come through it.
    package func invitation(ofDoor door: PublicKey, for device: PublicKey) -> InvitationID? {
        doorTable.invitation(ofDoor: door, for: device).map { InvitationID($0) }
    }

    /// Returns whether a key is that of a user's device.
    package func isDevice(_ key: PublicKey, of user: UUID) -> Bool { deviceTable.device(with: key)?.user == user }

    /// Returns whether a user may use a home from away.
    package func mayBeAway(_ user: UUID) -> Bool { feed.mayBeAway(user) }

    /// Returns whether a user is a guest everywhere, whose devices have lower limits.
    package func isGuestEverywhere(_ user: UUID) -> Bool { user != owner.user && feed.isGuestEverywhere(user) }

    /// Sets the addresses at which the hub listens for devices, the best first; empty once it no longer does. They are in
    /// links.
    package func setNetworkAddresses(_ addresses: [HubAddress]) async {
        hubTable.ownAddresses = addresses
        await invitations.setNetworkAddresses(addresses)
    }
}
