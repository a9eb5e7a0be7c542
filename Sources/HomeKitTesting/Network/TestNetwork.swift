import DNSSD
import HAPClient
import HAPServer

/// The isolated network of one test home.
struct TestNetwork: Sendable {
    /// The service discovery of the network.
    let board = MemoryServiceDiscovery()
    private let memory: MemoryNetwork?

    init(_ link: TestLink) {
        memory = link == .memory ? MemoryNetwork() : nil
    }

    /// The address on which accessories listen. Accessories in memory use an address of a network reserved for
    /// documentation (RFC 5737), which isn't reachable.
    var address: String { memory == nil ? "127.0.0.1" : "192.0.2.1" }

    /// The function that opens accessories' listeners, or `nil` to use TCP ports.
    var entrance: ServerListener.Open? { memory?.open }

    /// The connector from the hub to accessories.
    var connector: AccessoryConnector { memory?.connector ?? .tcp }
}
