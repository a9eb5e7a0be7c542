package import DNSSD

extension HomeHub {
    /// Advertises a service of the hub on the interfaces on which it looks for accessories.
    package func announce(_ service: ServiceAdvertisement) async throws(DNSSDError) -> any ServiceAnnouncement {
        try await network.announce(service)
    }
}
