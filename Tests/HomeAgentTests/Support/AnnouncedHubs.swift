import DNSSD
import HomeIdentity
import HubNetwork
import Testing

/// A replacement for multicast DNS that lists the hubs of a test.
///
/// It is a class because the agent and the test share it.
final class AnnouncedHubs: ServiceDiscovery {
    private let events: AsyncStream<BrowseEvent>
    private let continuation: AsyncStream<BrowseEvent>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Lists a hub that listens on the loopback interface.
    func list(_ name: String, _ key: PublicKey, port: Int) throws {
        let type = try ServiceType(HubAdvertisement.serviceType)
        let address = try #require(IPAddress("127.0.0.1"))
        let loopback = ServiceAddress(address: address, interfaceName: "lo", interfaceIndex: 1)
        let text = HubAdvertisement(hub: key, host: name, port: port).text
        continuation.yield(
            .found(
                Service(
                    instance: ServiceInstance(name: name, type: type),
                    hostName: "host.local",
                    port: UInt16(port),
                    addresses: [loopback],
                    txt: TXTRecord(entries: text.map { TXTRecord.Entry(key: $0.key, value: Array($0.value.utf8)) })
                )
            )
        )
    }

    func services(of type: ServiceType) -> any AsyncSequence<BrowseEvent, Never> & Sendable { events }
    func announce(_ service: ServiceAdvertisement) async throws(DNSSDError) -> any ServiceAnnouncement { Nothing() }
    func unresolvedServices(of type: ServiceType, within time: Duration) async -> [UnresolvedService] { [] }
    func reconfirm(_ instance: ServiceInstance) async {}
    func shutdown() async { continuation.finish() }

    private struct Nothing: ServiceAnnouncement {
        func update(txt: TXTRecord) async throws(DNSSDError) {}
        func withdraw() async {}
    }
}
