import DNSSD
import Synchronization

/// An in-memory replacement for multicast DNS. Every browser sees announced services immediately.
final class MemoryServiceDiscovery: ServiceDiscovery {
    // This is a class because announcers and browsers share it.

    fileprivate struct State {
        var services: [ServiceInstance: Service] = [:]
        var browsers: [UInt64: (type: ServiceType, events: AsyncStream<BrowseEvent>.Continuation)] = [:]
        var last: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    private static let closed = DNSSDError(.closed, reason: "the test home has ended")

    func announce(_ advertisement: ServiceAdvertisement) async throws(DNSSDError) -> any ServiceAnnouncement {
        let instance = state.withLock { state -> ServiceInstance? in
            guard !state.isClosed else { return nil }
            let instance = Self.free(advertisement, among: state.services)
            let addresses = (advertisement.addresses ?? []).map {
                ServiceAddress(address: $0, interfaceName: "test", interfaceIndex: 1)
            }
            let service = Service(
                instance: instance,
                hostName: "test.local",
                port: advertisement.port,
                addresses: addresses,
                txt: advertisement.txt
            )
            state.services[instance] = service
            state.send(instance.type, .found(service))
            return instance
        }
        guard let instance else { throw Self.closed }
        return Announcement(instance: instance, board: self)
    }

    func services(of type: ServiceType) -> any AsyncSequence<BrowseEvent, Never> & Sendable {
        let (stream, events) = AsyncStream.makeStream(of: BrowseEvent.self)
        let id = state.withLock { state -> UInt64? in
            guard !state.isClosed else { return nil }
            for service in state.services.values where service.instance.type == type { events.yield(.found(service)) }
            state.last += 1
            state.browsers[state.last] = (type, events)
            return state.last
        }
        guard let id else {
            events.finish()
            return stream
        }
        events.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.browsers.removeValue(forKey: id) }
        }
        return stream
    }

    /// Returns an empty list, because every service is announced with all of its records.
    func unresolvedServices(of type: ServiceType, within time: Duration) async -> [UnresolvedService] { [] }

    /// Does nothing, because goodbyes are never lost in memory.
    func reconfirm(_ instance: ServiceInstance) async {}

    /// A view for a client that ends earlier: shutting the view down doesn't affect the services.
    var sharedView: any ServiceDiscovery { View(board: self) }

    func shutdown() async {
        let browsers = state.withLock { state in
            defer { state.browsers = [:] }
            state.isClosed = true
            return state.browsers.values.map(\.events)
        }
        for events in browsers { events.finish() }
    }

    /// Returns the name for an advertisement, with a number if the name is already in use.
    private static func free(
        _ advertisement: ServiceAdvertisement,
        among services: [ServiceInstance: Service]
    ) -> ServiceInstance {
        var instance = ServiceInstance(name: advertisement.instanceName, type: advertisement.type)
        var number = 1
        while services[instance] != nil {
            number += 1
            instance = ServiceInstance(name: "\(advertisement.instanceName) (\(number))", type: advertisement.type)
        }
        return instance
    }

    private struct View: ServiceDiscovery {
        let board: MemoryServiceDiscovery

        func announce(_ advertisement: ServiceAdvertisement) async throws(DNSSDError) -> any ServiceAnnouncement {
            try await board.announce(advertisement)
        }

        func services(of type: ServiceType) -> any AsyncSequence<BrowseEvent, Never> & Sendable {
            board.services(of: type)
        }

        func unresolvedServices(of type: ServiceType, within time: Duration) async -> [UnresolvedService] {
            await board.unresolvedServices(of: type, within: time)
        }

        func reconfirm(_ instance: ServiceInstance) async {
            await board.reconfirm(instance)
        }

        func shutdown() async {}
    }

    private struct Announcement: ServiceAnnouncement {
        let instance: ServiceInstance
        let board: MemoryServiceDiscovery

        func update(txt: TXTRecord) async throws(DNSSDError) {
            let exists = board.state.withLock { state in
                guard let previous = state.services[instance] else { return false }
                let service = Service(
                    instance: instance,
                    hostName: previous.hostName,
                    port: previous.port,
                    addresses: previous.addresses,
                    txt: txt
                )
                state.services[instance] = service
                state.send(instance.type, .changed(service))
                return true
            }
            guard exists else { throw MemoryServiceDiscovery.closed }
        }

        func withdraw() async {
            board.state.withLock { state in
                guard state.services.removeValue(forKey: instance) != nil else { return }
                state.send(instance.type, .gone(instance))
            }
        }
    }
}

extension MemoryServiceDiscovery.State {
    fileprivate func send(_ type: ServiceType, _ event: BrowseEvent) {
        for browser in browsers.values where browser.type == type { browser.events.yield(event) }
    }
}
