public import DNSSD

/// An object that advertises accessory servers on the network. Use one for all servers of a process.
public struct Advertiser: Sendable {
    let discovery: any ServiceDiscovery

    /// Creates an advertiser that uses a shared `MulticastDNS`, which its owner shuts down.
    public init(sharing discovery: MulticastDNS) {
        self.discovery = discovery
    }

    /// Creates an advertiser that uses a replacement for multicast DNS, which its owner shuts down.
    package init(by discovery: any ServiceDiscovery) {
        self.discovery = discovery
    }

    /// Creates an advertiser for network interfaces.
    ///
    /// - Parameter interfaces: The names or addresses of the interfaces (`eth0`, `127.0.0.1`). If empty, all interfaces
    ///   that are up and support multicast, except the loopback interface.
    /// - Throws: ``AccessoryServerError`` with the code `advertisingFailed`.
    public init(interfaces: [String]) async throws(AccessoryServerError) {
        do {
            discovery = try await MulticastDNS(interfaces: interfaces.map { InterfaceSelector($0) })
        } catch {
            throw AccessoryServerError(.advertisingFailed, reason: error.reason)
        }
    }

    /// Withdraws all advertisements and shuts down. Call it after the servers have stopped.
    public func shutdown() async {
        await discovery.shutdown()
    }
}
