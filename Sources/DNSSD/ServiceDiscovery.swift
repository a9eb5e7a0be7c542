/// Advertises and finds services: ``MulticastDNS``, or a substitute for programs without a network.
package protocol ServiceDiscovery: Sendable {
    /// Advertises a service until it is withdrawn. Returns when its name is established.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidName`, `invalidTXT`, `closed` or `cancelled`.
    func announce(_ service: ServiceAdvertisement) async throws(DNSSDError) -> any ServiceAnnouncement

    /// Returns the services of a type as a sequence of changes.
    func services(of type: ServiceType) -> any AsyncSequence<BrowseEvent, Never> & Sendable

    /// Returns the services of a type that are listed but lack records that are needed to connect to them, after they
    /// had time to respond to a new query.
    func unresolvedServices(of type: ServiceType, within time: Duration) async -> [UnresolvedService]

    /// Verifies the records of a service that could not be reached. Unless it responds, it is reported as gone.
    func reconfirm(_ instance: ServiceInstance) async

    /// Ends all announcements and all sequences of services.
    func shutdown() async
}

/// An advertised service.
package protocol ServiceAnnouncement: Sendable {
    /// Replaces the service's TXT record.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidTXT`, or `closed` if the service was withdrawn.
    func update(txt: TXTRecord) async throws(DNSSDError)

    /// Withdraws the service. Does nothing if it was already withdrawn.
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
