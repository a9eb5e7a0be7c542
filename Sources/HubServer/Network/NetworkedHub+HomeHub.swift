package import HomeHub
import HubAPI
import HubNetwork

extension NetworkedHub {
    /// What a hub gives to the network.
    package init(_ hub: HomeHub) {
        self.init(
            key: hub.identity,
            door: hub.door,
            needs: hub.doorIsNeeded,
            removals: hub.removedKeys,
            peer: { key, _ throws(HubError) in
                let authority = try hub.authority(of: key)
                return LinkPeer(HubAcceptor(hub, as: authority), isGuest: hub.isGuestEverywhere(authority.user))
            },
            port: { await hub.networkPort() },
            setPort: { try await hub.setNetworkPort($0) },
            setAddresses: { await hub.setNetworkAddresses($0) },
            announce: { try await hub.announce($0) }
        )
    }
}
