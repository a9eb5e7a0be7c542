public import DNSSD

/// Makes accessory servers known on the network. One for all servers of a process.
public struct Advertiser: Sendable {
    let discovery: any ServiceDiscovery

    /// Advertises by a `MulticastDNS` that its owner shuts down.
    public init(sharing discovery: MulticastDNS) {
        self.discovery = discovery
    }

    /// Advertises by something that stands in for multicast DNS, and that its owner shuts down.
    package init(by discovery: any ServiceDiscovery) {
        self.discovery = discovery
    }

    /// Advertises on some interfaces.
    ///
    /// - Parameter interfaces: Their names or addresses (`eth0`, `127.0.0.1`); none means every interface that is up
    ///   and carries multicast, without the loopback interface.
    /// - Throws: ``AccessoryServerError`` with the code `advertisingFailed`.
    public init(interfaces: [String]) async throws(AccessoryServerError) {
        do {
            discovery = try await MulticastDNS(interfaces: interfaces.map { InterfaceSelector($0) })
        } catch {
            throw AccessoryServerError(.advertisingFailed, reason: error.reason)
        }
    }

    /// Says goodbye for every server and ends. Do it after the servers have stopped.
    public func shutdown() async {
        await discovery.shutdown()
    }
}
