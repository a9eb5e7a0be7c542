import DNSSD
import HAPClient
import HAPServer

/// The network of one test home: nobody else hears what is announced on it, nor is heard.
struct TestNetwork: Sendable {
    /// What is on it.
    let board = MemoryServiceDiscovery()
    private let memory: MemoryNetwork?

    init(_ link: TestLink) {
        memory = link == .memory ? MemoryNetwork() : nil
    }

    /// The address on which accessories listen. Of those in memory it is one of an IPv4 network that exists in documents
    /// only (RFC 5737): whoever dialled it would reach nobody.
    var address: String { memory == nil ? "127.0.0.1" : "192.0.2.1" }

    /// Where accessories take connections; `nil` on TCP ports.
    var entrance: ServerListener.Open? { memory?.open }

    /// How the hub reaches accessories.
    var connector: AccessoryConnector { memory?.connector ?? .tcp }
}
