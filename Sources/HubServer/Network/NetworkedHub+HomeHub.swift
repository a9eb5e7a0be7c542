package import HomeHub
import HubAPI
import HubNetwork

extension NetworkedHub {
    /// What a hub gives to the network.
    ///
    /// - Parameter links: What keeps the connection to the other hub of the homes; `nil` for none.
    package init(_ hub: HomeHub, links: HubLinkService? = nil) {
        self.init(
            key: hub.identity,
            door: hub.door,
            needs: hub.doorIsNeeded,
            removals: hub.removedKeys,
            peer: { key, _ throws(HubError) in
                let authority = try hub.authority(of: key)
                return LinkPeer(HubAcceptor(hub, as: authority), isGuest: hub.isGuestEverywhere(authority.user))
            },
            hub: { links?.link(to: $0) },
            port: { await hub.networkPort() },
            setPort: { try await hub.setNetworkPort($0) },
            setAddresses: { await hub.setNetworkAddresses($0) },
            announce: { try await hub.announce($0) }
        )
    }
}
