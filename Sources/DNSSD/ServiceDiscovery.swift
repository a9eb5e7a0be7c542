/// What makes services known and finds them: ``MulticastDNS``, or what stands in for it among programs that are on no
/// network.
package protocol ServiceDiscovery: Sendable {
    /// Makes a service known, until it is withdrawn. Returns once its name is established.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidName`, `invalidTXT`, `closed` or `cancelled`.
    func announce(_ service: ServiceAdvertisement) async throws(DNSSDError) -> any ServiceAnnouncement

    /// The services of a type, as they come, change and go.
    func services(of type: ServiceType) -> any AsyncSequence<BrowseEvent, Never> & Sendable

    /// The services of a type that are listed, but of which not enough is told to connect to them, after they had a time to
    /// list themselves anew.
    func unresolvedServices(of type: ServiceType, within time: Duration) async -> [UnresolvedService]

    /// Asks whether a service that could not be reached is still there. If no answer comes, its sequence reports it as gone.
    func reconfirm(_ instance: ServiceInstance) async

    /// Ends every announcement and every sequence of services.
    func shutdown() async
}

/// A service that was made known.
package protocol ServiceAnnouncement: Sendable {
    /// Replaces the service's description of itself.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidTXT`, or `closed` if the service was withdrawn.
    func update(txt: TXTRecord) async throws(DNSSDError)

    /// Takes leave. Does nothing the second time.
    func withdraw() async
}

extension MulticastDNS: ServiceDiscovery {
    package func announce(_ service: ServiceAdvertisement) async throws(DNSSDError) -> any ServiceAnnouncement {
        try await advertise(service)
    }

    package nonisolated func services(of type: ServiceType) -> any AsyncSequence<BrowseEvent, Never> & Sendable {
        browse(type)
    }
}

extension Advertisement: ServiceAnnouncement {}
