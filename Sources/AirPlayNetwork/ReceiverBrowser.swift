package import AirPlay
package import DNSSD

/// A receiver that is advertised on the network.
package struct FoundReceiver: Hashable, Sendable {
    /// Its description.
    package var record: ReceiverRecord
    /// Its address.
    package var host: String
    /// Its port for control connections.
    package var port: Int
}

/// The receivers on the network, for as long as the browser exists.
package actor ReceiverBrowser {
    /// The time to wait for a receiver.
    private static let patience = Duration.seconds(10)

    private struct Waiter {
        let name: String
        let continuation: CheckedContinuation<FoundReceiver?, Never>
    }

    private var found: [ServiceInstance: FoundReceiver] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    private var task: Task<Void, Never>?
    private let change: @Sendable ([FoundReceiver]) -> Void

    /// Starts looking.
    ///
    /// - Parameters:
    ///   - discovery: The network.
    ///   - change: A closure that takes the receivers whenever they have changed.
    package init(_ discovery: MulticastDNS, change: @escaping @Sendable ([FoundReceiver]) -> Void = { _ in }) {
        self.change = change
        guard let type = try? ServiceType(ReceiverRecord.serviceType) else { return }
        let events = discovery.browse(type)
        Task { await follow(events) }
    }

    deinit {
        task?.cancel()
    }

    /// The receivers found so far, by name.
    package var receivers: [FoundReceiver] {
        found.values.sorted { ($0.record.name, $0.record.deviceID) < ($1.record.name, $1.record.deviceID) }
    }

    /// Returns a receiver by its name or ID, once it is found. Returns `nil` if it isn't found in time.
    package func receiver(named name: String) async -> FoundReceiver? {
        if let found = found.values.first(where: { Self.isNamed(name, $0) }) { return found }
        lastWaiter += 1
        let id = lastWaiter
        let timeout = Task { [weak self] in
            try? await Task.sleep(for: Self.patience)
            await self?.endWaiter(id)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { waiters[id] = Waiter(name: name, continuation: $0) }
    }

    private func endWaiter(_ id: Int) {
        waiters.removeValue(forKey: id)?.continuation.resume(returning: nil)
    }

    private static func isNamed(_ name: String, _ receiver: FoundReceiver) -> Bool {
        receiver.record.name == name || receiver.record.deviceID.lowercased() == name.lowercased()
    }

    private func follow(_ events: ServiceBrowser) {
        task = Task { [weak self] in
            for await event in events {
                guard let self else { return }
                await self.handle(event)
            }
        }
    }

    private func handle(_ event: BrowseEvent) {
        switch event {
        case .found(let service), .changed(let service):
            guard let record = ReceiverRecord(instanceName: service.instance.name, txt: { service.txt[$0] }),
                let address = service.addresses.first
            else { return }
            let receiver = FoundReceiver(record: record, host: address.description, port: Int(service.port))
            found[service.instance] = receiver
            for (id, waiter) in waiters where Self.isNamed(waiter.name, receiver) {
                waiters[id] = nil
                waiter.continuation.resume(returning: receiver)
            }
        case .gone(let instance): found[instance] = nil
        }
        change(receivers)
    }
}
