import Synchronization

/// Multicast DNS and DNS service discovery on some of this host's interfaces (RFC 6762 and 6763).
///
/// One instance serves any number of advertisements and browses. It shares UDP port 5353 with other programs such as
/// Avahi, and treats interfaces separately: a query is answered on the interface on which it was received.
///
/// ```swift
/// let discovery = try await MulticastDNS(interfaces: ["127.0.0.1"])
/// let lamp = try await discovery.advertise(
///     ServiceAdvertisement(instanceName: "Lamp", type: .hap, port: 8080, txt: ["id": "11:22:33:44:55:66"]))
/// for await event in discovery.browse(.hap) { print(event) }
/// await discovery.shutdown()
/// ```
///
/// Interfaces can appear, disappear and change their addresses; advertisements and browses follow. After the host has
/// slept, everything is announced and queried again.
///
/// Results are only hints: any host on the link can claim that a service is gone or has another address. Don't close a
/// working connection because of a discovery event.
///
/// All methods can be called from any task. The protocol logic is in value types; the actor owns the sockets, the clock
/// and the pending calls.
public actor MulticastDNS {
    private struct Resolver {
        let instance: ServiceInstance
        let deadline: Instant
        let continuation: CheckedContinuation<Result<Service, DNSSDError>, Never>
    }

    /// The maximum number of packets that wait to be processed; further ones are dropped, as the system would do.
    private static let packetBacklog = 1024
    /// The time to wait for related changes of the interfaces.
    private static let updateDelay: Duration = .milliseconds(100)
    /// The time after which an interface that refused a socket is tried again.
    private static let retryInterval: Duration = .seconds(10)

    private let selectors: [InterfaceSelector]
    private let packets: AsyncStream<ReceivedPacket>.Continuation
    private let start: ContinuousClock.Instant
    private let wakefulStart: SuspendingClock.Instant
    private let usedInterfaces: Mutex<[NetworkInterface]>
    private let unicastSockets: [UnicastSocket]
    private var selected: [NetworkInterface]
    private var sockets: LinkSockets
    private var node: Node
    private var sleepDetector = SleepDetector()
    private var monitor: InterfaceMonitor?
    private var heartbeat: Task<Void, Never>?
    private var pendingUpdate: Task<Void, Never>?
    private var retry: Task<Void, Never>?
    private var isUpdating = false
    private var timer: Task<Void, Never>?
    private var armed: Instant?
    private var buffers: [ObjectIdentifier: BrowseEventBuffer] = [:]
    private var advertisements: [RegistrationID: Advertisement] = [:]
    private var claimants: [RegistrationID: CheckedContinuation<Result<Void, DNSSDError>, Never>] = [:]
    private var resolvers: [UInt64: Resolver] = [:]
    private var lastResolver: UInt64 = 0
    private var unsent: [UInt32: Int] = [:]
    private var messageHistory = MessageCountHistory()
    private var isClosed = false

    /// Opens the sockets.
    ///
    /// - Parameter selectors: The interfaces to use; by default, all interfaces that are up, support multicast and are
    ///   neither loopback nor point-to-point. Selected interfaces may disappear and return later.
    /// - Throws: ``DNSSDError`` with the code `unknownInterface` (the reason lists the existing ones),
    ///   `noUsableInterface`, `portRefused` or `socketRefused`.
    public init(interfaces selectors: [InterfaceSelector] = []) async throws(DNSSDError) {
        self.selectors = selectors
        selected = try InterfaceSelection.choose(selectors, from: NetworkInterface.all())
        let (arriving, packets) = AsyncStream.makeStream(
            of: ReceivedPacket.self,
            bufferingPolicy: .bufferingOldest(Self.packetBacklog)
        )
        self.packets = packets
        // Checked before this instance binds the port.
        let isAlone = !selected.allSatisfy(\.isLoopback) && UnicastSocket.isPortFree
        sockets = await LinkSockets(serving: selected, packets: packets)
        if sockets.isEmpty, let refusal = sockets.refusals.first?.value {
            throw refusal
        }
        var unicastSockets: [UnicastSocket] = []
        for isIPv4 in isAlone ? [true, false] : [] {
            if let socket = await UnicastSocket(isIPv4: isIPv4, packets: packets) {
                unicastSockets.append(socket)
            }
        }
        self.unicastSockets = unicastSockets
        start = .now
        wakefulStart = .now
        let used = sockets.used(of: selected)
        usedInterfaces = Mutex(used)
        var random = SystemRandomNumberGenerator()
        node = Node(
            links: used.map { LinkDescription($0, receivesUnicast: !unicastSockets.isEmpty) },
            hostLabel: HostLabel.derived(using: &random),
            seed: random.next()
        )
        Task { [weak self] in
            for await packet in arriving {
                await self?.receive(packet)
            }
        }
        monitor = InterfaceMonitor { [weak self] in
            Task { [weak self] in await self?.interfacesChanged() }
        }
        heartbeat = Task { [weak self] in
            while (try? await Task.sleep(for: SleepDetector.interval, clock: .suspending)) != nil {
                guard let self else { return }
                await self.checkForSleep()
            }
        }
        // Picks up changes from before the monitor was started.
        interfacesChanged()
    }

    deinit {
        timer?.cancel()
        heartbeat?.cancel()
        pendingUpdate?.cancel()
        retry?.cancel()
        monitor?.abandon()
        packets.finish()
        sockets.abandon()
        for socket in unicastSockets {
            socket.abandon()
        }
    }

    /// The interfaces currently in use, with the addresses in use.
    public nonisolated var interfaces: [NetworkInterface] {
        usedInterfaces.withLock { $0 }
    }

    // MARK: - Advertising

    /// Advertises a service. Returns when its name is established and the service has been announced, which takes about
    /// a second. If another host has the name, a free one is chosen.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidName`, `invalidTXT`, `closed`, or `cancelled` if the task is
    ///   canceled before the name is established. In that case, nothing remains advertised.
    public func advertise(_ service: ServiceAdvertisement) async throws(DNSSDError) -> Advertisement {
        try checkOpen()
        let id = try node.advertise(service, at: now)
        let advertisement = Advertisement(id: id, name: service.instanceName, type: service.type, owner: self)
        advertisements[id] = advertisement
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                claimants[id] = continuation
                rearm()
            }
        } onCancel: {
            Task { await abandon(id) }
        }
        try result.get()
        return advertisement
    }

    func update(_ id: RegistrationID, txt: TXTRecord) throws(DNSSDError) {
        let wire = try txt.wire()
        guard advertisements[id] != nil else {
            throw DNSSDError(.closed, reason: "the advertisement was withdrawn")
        }
        perform(node.update(id, txt: wire, at: now))
    }

    func withdraw(_ id: RegistrationID) {
        guard let advertisement = advertisements.removeValue(forKey: id) else { return }
        perform(node.withdraw(id, at: now))
        advertisement.finish()
    }

    private func abandon(_ id: RegistrationID) {
        guard let claimant = claimants.removeValue(forKey: id) else { return }
        withdraw(id)
        claimant.resume(returning: .failure(.cancelled))
    }

    // MARK: - Browsing

    /// Returns the services of a type as a sequence of changes.
    public nonisolated func browse(_ type: ServiceType) -> ServiceBrowser {
        ServiceBrowser(interest: .scope(BrowseScope(type)), owner: self)
    }

    /// Returns the services of a type that have a subtype such as `_printer`, as a sequence of changes.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidName`.
    public nonisolated func browse(_ type: ServiceType, subtype: String) throws(DNSSDError) -> ServiceBrowser {
        ServiceBrowser(interest: .scope(try BrowseScope(type, subtype: subtype)), owner: self)
    }

    /// Returns a service with a known name as a sequence of changes. It need not be listed under its type.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidName`.
    public nonisolated func resolve(_ instance: ServiceInstance) throws(DNSSDError) -> ServiceBrowser {
        _ = try instance.domainName()
        return ServiceBrowser(interest: .instance(instance), owner: self)
    }

    /// Resolves the host, port, TXT record and addresses of a service with a known name. Returns immediately if the
    /// service is being browsed and was found.
    ///
    /// - Parameters:
    ///   - instance: The service's name and type.
    ///   - limit: The time to wait for a response.
    /// - Throws: ``DNSSDError`` with the code `timedOut` if the service didn't respond in time, `invalidName`,
    ///   `closed`, or `cancelled`.
    public func resolve(
        _ instance: ServiceInstance,
        within limit: Duration
    ) async throws(DNSSDError) -> Service {
        try checkOpen()
        if let service = node.service(instance) { return service }
        perform(try node.follow(instance, at: now))
        lastResolver += 1
        let id = lastResolver
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                resolvers[id] = Resolver(
                    instance: instance,
                    deadline: now.advanced(by: limit),
                    continuation: continuation
                )
                rearm()
            }
        } onCancel: {
            Task { await finishResolver(id, with: .failure(.cancelled)) }
        }
        return try result.get()
    }

    private func finishResolver(_ id: UInt64, with result: Result<Service, DNSSDError>) {
        guard let resolver = resolvers.removeValue(forKey: id) else { return }
        resolver.continuation.resume(returning: result)
        perform(node.unfollow(resolver.instance, at: now))
    }

    /// Verifies the records of a service that could not be reached. Unless it responds within ten seconds, it is
    /// reported as gone (RFC 6762 section 10.4). Has no effect on services that aren't being browsed or resolved.
    public func reconfirm(_ instance: ServiceInstance) {
        guard !isClosed else { return }
        perform(node.reconfirm(instance, at: now))
    }

    /// Returns the services of a type that are listed but lack records that are needed to connect to them. A
    /// browse of the type must be active.
    ///
    /// The services are queried again, because caches keep the entries of services that left without a goodbye for a
    /// long time.
    ///
    /// - Parameter time: The time to wait for responses. If the task is canceled in the meantime, the result is empty.
    package func unresolvedServices(of type: ServiceType, within time: Duration) async -> [UnresolvedService] {
        guard !isClosed else { return [] }
        let scope = BrowseScope(type)
        perform(node.reconfirmUnresolved(in: scope, at: now))
        guard (try? await Task.sleep(for: time)) != nil, !isClosed else { return [] }
        return node.unresolvedServices(in: scope)
    }

    nonisolated func subscribe(to interest: BrowseInterest) -> BrowseSubscription {
        let buffer = BrowseEventBuffer(interest)
        Task { await register(buffer) }
        return BrowseSubscription(buffer, owner: self)
    }

    func unsubscribe(_ buffer: BrowseEventBuffer) {
        guard buffers.removeValue(forKey: ObjectIdentifier(buffer)) != nil else { return }
        switch buffer.interest {
        case .scope(let scope): perform(node.endBrowse(scope, at: now))
        case .instance(let instance): perform(node.unfollow(instance, at: now))
        }
    }

    private func register(_ buffer: BrowseEventBuffer) {
        guard !isClosed else {
            buffer.finish()
            return
        }
        // If the subscription has already ended, nothing would remove the buffer again.
        guard !buffer.isFinished else { return }
        buffers[ObjectIdentifier(buffer)] = buffer
        switch buffer.interest {
        case .scope(let scope):
            for service in node.services(in: scope) {
                buffer.update(service.instance, to: service)
            }
            perform(node.browse(scope, at: now))
        case .instance(let instance):
            if let service = node.service(instance) {
                buffer.update(instance, to: service)
            }
            perform((try? node.follow(instance, at: now)) ?? [])
        }
    }

    // MARK: - Diagnostics

    /// The number of messages on each interface, by its name, since this instance was created. Includes interfaces that
    /// are gone and earlier periods of interfaces that returned. Counts never decrease, except for the 257th and
    /// further interfaces that disappear.
    public var messages: [String: InterfaceMessages] {
        messageHistory.total(with: messages(on: interfaces))
    }

    private func messages(on interfaces: [NetworkInterface]) -> [String: InterfaceMessages] {
        let counts = interfaces.compactMap { interface in
            node.traffic(on: interface.index).map {
                (interface.name, InterfaceMessages(received: $0.received, sent: $0.sent))
            }
        }
        return Dictionary(counts) { $0 + $1 }
    }

    /// The statistics of each selected interface. Reading them causes no traffic.
    public var statistics: [InterfaceStatistics] {
        let now = now
        return selected.map { interface in
            let link = interface.index
            let traffic = node.traffic(on: link) ?? LinkTraffic()
            return InterfaceStatistics(
                interface: interface,
                refusal: sockets.refusals[link],
                usesIPv4: sockets.uses(link, isIPv4: true),
                usesIPv6: sockets.uses(link, isIPv4: false),
                received: traffic.received,
                sent: traffic.sent,
                unsentPackets: unsent[link] ?? 0,
                ownPacketsReceived: traffic.echoes,
                receivesUnicast: node.receivesUnicast(on: link),
                malformedPackets: traffic.malformed,
                rejectedPackets: traffic.rejected,
                sources: traffic.sources.sorted { $0.value.lastReceived > $1.value.lastReceived }
                    .map { address, source in
                        PacketSource(
                            address: address,
                            isThisHost: node.isOwn(address),
                            received: source.counts,
                            timeSinceLastPacket: source.lastReceived.duration(to: now)
                        )
                    }
            )
        }
    }

    // MARK: - Shutdown

    /// Sends goodbyes for all advertisements, ends all browses and closes the sockets. Does nothing if it was called
    /// before.
    ///
    /// Where packets can be lost, goodbyes are sent twice, somewhat more than a second apart. This method returns after
    /// the second one, or when the calling task is canceled.
    public func shutdown() async {
        guard !isClosed else { return }
        isClosed = true
        perform(node.withdrawAll(at: now))
        timer?.cancel()
        heartbeat?.cancel()
        pendingUpdate?.cancel()
        retry?.cancel()
        monitor?.abandon()
        packets.finish()
        let closed = DNSSDError(.closed, reason: "multicast DNS has been shut down")
        for claimant in claimants.values {
            claimant.resume(returning: .failure(closed))
        }
        claimants = [:]
        for id in resolvers.keys {
            finishResolver(id, with: .failure(closed))
        }
        for buffer in buffers.values {
            buffer.finish()
        }
        buffers = [:]
        for advertisement in advertisements.values {
            advertisement.finish()
        }
        advertisements = [:]
        if node.isSayingGoodbye, (try? await Task.sleep(for: ResponseTiming.goodbyeInterval)) != nil {
            perform(node.advance(to: now))
        }
        for socket in unicastSockets {
            socket.abandon()
        }
        await sockets.close()
    }

    private func checkOpen() throws(DNSSDError) {
        guard !isClosed else { throw DNSSDError(.closed, reason: "multicast DNS has been shut down") }
    }

    // MARK: - Packets and time

    /// The number of cached records of other hosts.
    var recordCount: Int { node.recordCount }

    private var now: Instant {
        Instant(sinceStart: start.duration(to: .now))
    }

    private func receive(_ packet: ReceivedPacket) {
        guard !isClosed else { return }
        checkForSleep()
        perform(
            node.receive(
                packet.bytes,
                from: packet.source,
                on: link(of: packet),
                isUnicast: packet.destination != nil,
                at: now
            )
        )
    }

    /// Returns the interface that a packet belongs to. A packet between two programs on this host doesn't arrive on the
    /// interface whose address it was sent to.
    private func link(of packet: ReceivedPacket) -> UInt32 {
        guard let destination = packet.destination, !interfaces.contains(where: { $0.index == packet.link }),
            let interface = interfaces.first(where: { $0.addresses.contains(destination) })
        else { return packet.link }
        return interface.index
    }

    private func checkForSleep() {
        let wakeful = wakefulStart.duration(to: .now)
        guard sleepDetector.observe(continuous: now.sinceStart, suspending: wakeful), !isClosed else { return }
        perform(node.wake(at: now))
        interfacesChanged()
    }

    private func timePassed() {
        armed = nil
        guard !isClosed else { return }
        checkForSleep()
        let now = now
        for (id, resolver) in resolvers where resolver.deadline <= now {
            let reason = "\(resolver.instance) did not respond in time"
            finishResolver(id, with: .failure(DNSSDError(.timedOut, reason: reason)))
        }
        perform(node.advance(to: now))
    }

    private func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .send(let packet, let link, let destination):
                send(packet, on: link, to: destination)
            case .established(let id, let name):
                established(id, name)
            case .service(let instance, let service, let isListed):
                report(instance, service, isListed: isListed)
            }
        }
        rearm()
    }

    private func send(_ packet: [UInt8], on link: UInt32, to destination: Outgoing.Destination) {
        let lost = sockets.send(packet, on: link, to: destination)
        if lost > 0 {
            unsent[link, default: 0] += lost
        }
    }

    private func established(_ id: RegistrationID, _ name: String) {
        if let claimant = claimants.removeValue(forKey: id) {
            advertisements[id]?.setName(name)
            claimant.resume(returning: .success(()))
        } else {
            advertisements[id]?.rename(to: name)
        }
    }

    private func report(_ instance: ServiceInstance, _ service: Service?, isListed: Bool) {
        for buffer in buffers.values {
            switch buffer.interest {
            case .scope(let scope) where scope.type == instance.type:
                buffer.update(instance, to: isListed && node.isListed(instance, in: scope) ? service : nil)
            case .instance(instance):
                buffer.update(instance, to: service)
            case .scope, .instance:
                break
            }
        }
        guard let service else { return }
        for (id, resolver) in resolvers where resolver.instance == instance {
            finishResolver(id, with: .success(service))
        }
    }

    /// Sets the timer to the next deadline.
    private func rearm() {
        guard !isClosed else { return }
        let deadline = resolvers.values.lazy.map(\.deadline).min().earlier(node.deadline)
        guard deadline != armed else { return }
        armed = deadline
        timer?.cancel()
        timer = deadline.map { deadline in
            let instant = start.advanced(by: deadline.sinceStart)
            return Task { [weak self] in
                guard (try? await ContinuousClock().sleep(until: instant)) != nil else { return }
                await self?.timePassed()
            }
        }
    }

    // MARK: - Interfaces

    /// Updates the interfaces after related changes have had time to complete.
    private func interfacesChanged() {
        guard pendingUpdate == nil, !isClosed else { return }
        pendingUpdate = Task { [weak self] in
            guard (try? await Task.sleep(for: Self.updateDelay)) != nil else { return }
            await self?.updateInterfaces()
        }
    }

    private func updateInterfaces() async {
        pendingUpdate = nil
        guard !isClosed else { return }
        // Opening the sockets suspends, and something else may change in the meantime.
        guard !isUpdating else {
            interfacesChanged()
            return
        }
        isUpdating = true
        defer { isUpdating = false }
        selected = InterfaceSelection.present(selectors, from: NetworkInterface.all())
        let previous = sockets
        let current = await LinkSockets(serving: selected, keeping: previous, packets: packets)
        guard !isClosed else {
            current.abandon(except: previous)
            return
        }
        sockets = current
        previous.abandon(except: current)
        let used = current.used(of: selected)
        let indices = Set(used.map(\.index))
        let removed = interfaces.filter { !indices.contains($0.index) }
        for (name, messages) in messages(on: removed) { messageHistory.add(messages, on: name) }
        usedInterfaces.withLock { $0 = used }
        let links = used.map { LinkDescription($0, receivesUnicast: !unicastSockets.isEmpty) }
        perform(node.setLinks(links, at: now))
        retry?.cancel()
        retry =
            current.refusals.isEmpty
            ? nil
            : Task { [weak self] in
                guard (try? await Task.sleep(for: Self.retryInterval)) != nil else { return }
                await self?.interfacesChanged()
            }
    }
}

extension DNSSDError {
    fileprivate static let cancelled = DNSSDError(.cancelled, reason: "the task was canceled")
}
