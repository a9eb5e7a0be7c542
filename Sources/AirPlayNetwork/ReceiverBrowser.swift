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
    /// Whether it plays addresses of films.
    package var playsVideo = false
}

/// The receivers on the network, for as long as the browser exists.
///
/// Most receivers advertise two services. The classic one describes what a sender of audio needs to know. Receivers that
/// only have the second one are found by it.
package actor ReceiverBrowser {
    /// The time to wait for a receiver.
    private static let patience = Duration.seconds(10)
    /// The time that the classic service has to arrive after the second one.
    private static let grace = Duration.seconds(1)
    /// The maximum number of services of each type. Any device in a network can advertise very many.
    private static let serviceLimit = 256

    private struct Waiter {
        let name: String
        let continuation: CheckedContinuation<FoundReceiver?, Never>
    }

    private var classic: [ServiceInstance: FoundReceiver] = [:]
    private var modern: [ServiceInstance: FoundReceiver] = [:]
    /// The second services that were there for a while, so that they may be a receiver's only ones.
    private var settled: Set<ServiceInstance> = []
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    private var tasks: [Task<Void, Never>] = []
    private let change: @Sendable ([FoundReceiver]) -> Void

    /// Starts looking.
    ///
    /// - Parameters:
    ///   - discovery: The network.
    ///   - change: A closure that takes the receivers of audio whenever they have changed.
    package init(
        _ discovery: any ServiceDiscovery,
        change: @escaping @Sendable ([FoundReceiver]) -> Void = { _ in }
    ) {
        self.change = change
        for name in [ReceiverRecord.serviceType, ReceiverRecord.airPlayServiceType] {
            guard let type = try? ServiceType(name) else { continue }
            let events = discovery.services(of: type)
            Task { await follow(events, isClassic: name == ReceiverRecord.serviceType) }
        }
    }

    deinit {
        for task in tasks { task.cancel() }
    }

    /// The receivers of audio found so far, by name.
    package var receivers: [FoundReceiver] {
        Self.sorted(classic.values.map(withVideo) + alone.map(\.value).filter { $0.record.features.contains(.audio) })
    }

    /// The receivers found so far that play only addresses of films, by name.
    package var videoReceivers: [FoundReceiver] {
        Self.sorted(alone.map(\.value).filter { !$0.record.features.contains(.audio) && $0.playsVideo })
    }

    /// Returns a receiver of audio by its name or ID, once it is found. Returns `nil` if it isn't found in time.
    package func receiver(named name: String) async -> FoundReceiver? {
        if let found = known(name) { return found }
        lastWaiter += 1
        let id = lastWaiter
        let timeout = Task { [weak self] in
            try? await Task.sleep(for: Self.patience)
            await self?.endWaiter(id)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { waiters[id] = Waiter(name: name, continuation: $0) }
    }

    /// The second services of receivers that don't have the classic one.
    private var alone: [ServiceInstance: FoundReceiver] {
        modern.filter { entry in !classic.values.contains { Self.isSame($0, entry.value) } }
    }

    private func known(_ name: String) -> FoundReceiver? {
        if let found = classic.values.first(where: { Self.isNamed(name, $0) }) { return withVideo(found) }
        return alone.first { instance, found in
            settled.contains(instance) && found.record.features.contains(.audio) && Self.isNamed(name, found)
        }?.value
    }

    private func withVideo(_ receiver: FoundReceiver) -> FoundReceiver {
        var receiver = receiver
        receiver.playsVideo = modern.values.contains { $0.playsVideo && Self.isSame($0, receiver) }
        return receiver
    }

    private func endWaiter(_ id: Int) {
        waiters.removeValue(forKey: id)?.continuation.resume(returning: nil)
    }

    private static func sorted(_ receivers: [FoundReceiver]) -> [FoundReceiver] {
        receivers.sorted { ($0.record.name, $0.record.deviceID) < ($1.record.name, $1.record.deviceID) }
    }

    private static func isNamed(_ name: String, _ receiver: FoundReceiver) -> Bool {
        receiver.record.name == name || receiver.record.deviceID.lowercased() == name.lowercased()
    }

    private static func isSame(_ one: FoundReceiver, _ other: FoundReceiver) -> Bool {
        one.record.deviceID.lowercased() == other.record.deviceID.lowercased() || one.record.name == other.record.name
    }

    private func follow(_ events: any AsyncSequence<BrowseEvent, Never> & Sendable, isClassic: Bool) {
        tasks.append(
            Task { [weak self] in
                for await event in events {
                    guard let self else { return }
                    await self.handle(event, isClassic: isClassic)
                }
            }
        )
    }

    private func handle(_ event: BrowseEvent, isClassic: Bool) {
        switch event {
        case .found(let service), .changed(let service):
            guard let receiver = Self.receiver(service, isClassic: isClassic) else { return }
            let services = isClassic ? classic : modern
            guard services[service.instance] != nil || services.count < Self.serviceLimit else { return }
            if isClassic {
                classic[service.instance] = receiver
            } else {
                modern[service.instance] = receiver
                settle(service.instance)
            }
            resumeWaiters()
        case .gone(let instance):
            classic[instance] = nil
            modern[instance] = nil
            settled.remove(instance)
        }
        change(receivers)
    }

    private func settle(_ instance: ServiceInstance) {
        guard !settled.contains(instance) else { return }
        Task { [weak self] in
            try? await Task.sleep(for: Self.grace)
            await self?.didSettle(instance)
        }
    }

    private func didSettle(_ instance: ServiceInstance) {
        guard modern[instance] != nil else { return }
        settled.insert(instance)
        resumeWaiters()
    }

    private func resumeWaiters() {
        for (id, waiter) in waiters {
            guard let receiver = known(waiter.name) else { continue }
            waiters[id] = nil
            waiter.continuation.resume(returning: receiver)
        }
    }

    private static func receiver(_ service: Service, isClassic: Bool) -> FoundReceiver? {
        let name = service.instance.name
        let record =
            isClassic
            ? ReceiverRecord(instanceName: name) { service.txt[$0] }
            : ReceiverRecord(airPlayName: name) { service.txt[$0] }
        guard let record, let address = service.addresses.first else { return nil }
        return FoundReceiver(
            record: record,
            host: address.description,
            port: Int(service.port),
            playsVideo: !isClassic && record.features.contains(.video)
        )
    }
}
