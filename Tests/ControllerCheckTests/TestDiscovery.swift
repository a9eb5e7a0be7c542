import DNSSD
import Synchronization

/// A replacement for multicast DNS that passes on what one accessory advertises.
///
/// It is a class because the accessory and the test share it.
final class TestDiscovery: ServiceDiscovery {
    /// The TXT records, one after the other.
    let records: AsyncStream<TXTRecord>
    private let continuation: AsyncStream<TXTRecord>.Continuation

    init() {
        (records, continuation) = AsyncStream.makeStream()
    }

    func announce(_ service: ServiceAdvertisement) async throws(DNSSDError) -> any ServiceAnnouncement {
        continuation.yield(service.txt)
        return Announcement(continuation: continuation)
    }

    func services(of type: ServiceType) -> any AsyncSequence<BrowseEvent, Never> & Sendable {
        AsyncStream<BrowseEvent> { $0.finish() }
    }

    func unresolvedServices(of type: ServiceType, within time: Duration) async -> [UnresolvedService] { [] }
    func reconfirm(_ instance: ServiceInstance) async {}
    func shutdown() async { continuation.finish() }

    private struct Announcement: ServiceAnnouncement {
        let continuation: AsyncStream<TXTRecord>.Continuation

        func update(txt: TXTRecord) async throws(DNSSDError) { continuation.yield(txt) }
        func withdraw() async {}
    }
}
