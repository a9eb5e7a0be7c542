/// Multicast DNS and DNS service discovery on some of this host's interfaces (RFC 6762 and 6763).
///
/// One instance serves any number of advertisements and browses. It shares UDP port 5353 with other programs such as
/// Avahi, and keeps the interfaces apart: what is heard on one is answered on that one.
///
/// ```swift
/// let discovery = try await MulticastDNS(interfaces: ["127.0.0.1"])
/// let lamp = try await discovery.advertise(
///     ServiceAdvertisement(instanceName: "Lamp", type: .hap, port: 8080, txt: ["id": "11:22:33:44:55:66"]))
/// for await event in discovery.browse(.hap) { print(event) }
/// await discovery.shutdown()
/// ```
///
/// All protocol logic is in values; the actor owns the sockets, the clock and those who wait.
public actor MulticastDNS {
    private struct Resolver {
        let instance: ServiceInstance
        let deadline: Moment
        let continuation: CheckedContinuation<Result<Service, DNSSDError>, Never>
    }

    /// How many packets may wait to be looked at; more are dropped, as the system would do.
    private static let packetBacklog = 1024

    /// The interfaces in use, each with the addresses in use.
    public nonisolated let interfaces: [NetworkInterface]

    private let sockets: [UInt32: [MulticastSocket]]
    private let packets: AsyncStream<MulticastSocket.Packet>.Continuation
    private let start: ContinuousClock.Instant
    private var node: Node
    private var timer: Task<Void, Never>?
    private var armed: Moment?
    private var mailboxes: [ObjectIdentifier: BrowseMailbox] = [:]
    private var advertisements: [RegistrationID: Advertisement] = [:]
    private var claimants: [RegistrationID: CheckedContinuation<Result<Void, DNSSDError>, Never>] = [:]
    private var resolvers: [UInt64: Resolver] = [:]
    private var lastResolver: UInt64 = 0
    private var unsent: [UInt32: Int] = [:]
    private var isClosed = false

    /// Opens the sockets.
    ///
    /// - Parameter selectors: The interfaces to use; none means every interface that is up, carries multicast and is
    ///   not the loopback interface.
    /// - Throws: ``DNSSDError`` with the code `unknownInterface` (the reason lists those that exist),
    ///   `noUsableInterface`, `portRefused` or `socketRefused`.
    public init(interfaces selectors: [InterfaceSelector] = []) async throws(DNSSDError) {
        let interfaces = try InterfaceSelection.choose(selectors, from: NetworkInterface.all())
        let (arriving, packets) = AsyncStream.makeStream(
            of: MulticastSocket.Packet.self,
            bufferingPolicy: .bufferingOldest(Self.packetBacklog)
        )
        self.packets = packets
        sockets = try await Self.openSockets(interfaces, packets: packets)
        self.interfaces = interfaces.filter { [sockets] in sockets[$0.index] != nil }
        start = .now
        let links = self.interfaces.map {
            LinkDescription(index: $0.index, name: $0.name, addresses: $0.addresses, isLoopback: $0.isLoopback)
        }
        var random = SystemRandomNumberGenerator()
        node = Node(links: links, hostLabel: HostLabel.derived(using: &random), seed: random.next())
        Task { [weak self] in
            for await packet in arriving {
                await self?.receive(packet)
            }
        }
    }

    deinit {
        timer?.cancel()
        packets.finish()
        for socket in sockets.values.joined() {
            socket.abandon()
        }
    }

    // MARK: - Advertising

    /// Advertises a service. Returns once its name is established: nobody objected to it within about a second, or a
    /// free one was found, and the service has been announced.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidName`, `invalidTXT`, `closed`, or `cancelled` if the task is
    ///   cancelled while the name is being established; then nothing stays advertised.
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

    // MARK: - Finding

    /// The services of a type, as they come, change and go.
    public nonisolated func browse(_ type: ServiceType) -> ServiceBrowser {
        ServiceBrowser(type: type, owner: self)
    }

    /// Finds the host, port, description and addresses of a service whose name is known, at once if it is being browsed
    /// and was found.
    ///
    /// - Parameter limit: How long to wait for answers.
    /// - Throws: ``DNSSDError`` with the code `timedOut` if it did not answer in time, `invalidName`, `closed`, or
    ///   `cancelled`.
    public func resolve(
        _ instance: ServiceInstance,
        within limit: Duration = .seconds(5)
    ) async throws(DNSSDError) -> Service {
        try checkOpen()
        if let service = node.service(instance) { return service }
        perform(try node.pin(instance, at: now))
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
        perform(node.unpin(resolver.instance, at: now))
    }

    nonisolated func subscribe(to type: ServiceType) -> BrowseSubscription {
        let mailbox = BrowseMailbox(type: type)
        Task { await register(mailbox) }
        return BrowseSubscription(mailbox, owner: self)
    }

    func unsubscribe(_ mailbox: BrowseMailbox) {
        guard mailboxes.removeValue(forKey: ObjectIdentifier(mailbox)) != nil else { return }
        perform(node.endBrowse(mailbox.type, at: now))
    }

    private func register(_ mailbox: BrowseMailbox) {
        guard !isClosed else {
            mailbox.finish()
            return
        }
        // The subscription may have ended before this ran; then nobody would take the mailbox out again.
        guard !mailbox.isFinished else { return }
        mailboxes[ObjectIdentifier(mailbox)] = mailbox
        for service in node.services(of: mailbox.type) {
            mailbox.update(service.instance, to: service)
        }
        perform(node.browse(mailbox.type, at: now))
    }

    // MARK: - Diagnosis

    /// What was done and seen on each interface in use. Makes no traffic.
    public var statistics: [InterfaceStatistics] {
        let now = now
        return interfaces.compactMap { interface in
            guard let (traffic, cachedRecords) = node.statistics(of: interface.index) else { return nil }
            let sockets = sockets[interface.index] ?? []
            return InterfaceStatistics(
                interface: interface,
                usesIPv4: sockets.contains(where: \.isIPv4),
                usesIPv6: sockets.contains { !$0.isIPv4 },
                received: traffic.received,
                sent: traffic.sent,
                unsentPackets: unsent[interface.index] ?? 0,
                ownPacketsHeard: traffic.echoes,
                unicastPackets: traffic.unicast,
                malformedPackets: traffic.malformed,
                rejectedPackets: traffic.rejected,
                cachedRecords: cachedRecords,
                sources: traffic.sources.sorted { $0.value.lastHeard > $1.value.lastHeard }.map { address, source in
                    PacketSource(
                        address: address,
                        isThisHost: node.isOwn(address),
                        received: source.counts,
                        sinceLastHeard: source.lastHeard.duration(to: now)
                    )
                }
            )
        }
    }

    // MARK: - Ending

    /// Says goodbye for every advertisement, ends every browse and closes the sockets. Does nothing the second time.
    public func shutdown() async {
        guard !isClosed else { return }
        isClosed = true
        perform(node.withdrawAll(at: now))
        timer?.cancel()
        packets.finish()
        let closed = DNSSDError(.closed, reason: "multicast DNS has been shut down")
        for claimant in claimants.values {
            claimant.resume(returning: .failure(closed))
        }
        claimants = [:]
        for id in resolvers.keys {
            finishResolver(id, with: .failure(closed))
        }
        for mailbox in mailboxes.values {
            mailbox.finish()
        }
        mailboxes = [:]
        for advertisement in advertisements.values {
            advertisement.finish()
        }
        advertisements = [:]
        for socket in sockets.values.joined() {
            await socket.close()
        }
    }

    private func checkOpen() throws(DNSSDError) {
        guard !isClosed else { throw DNSSDError(.closed, reason: "multicast DNS has been shut down") }
    }

    // MARK: - Packets and time

    /// How many records of others are kept.
    var recordCount: Int { node.recordCount }

    private var now: Moment {
        Moment(sinceStart: start.duration(to: .now))
    }

    private func receive(_ packet: MulticastSocket.Packet) {
        guard !isClosed else { return }
        perform(node.receive(packet.bytes, from: packet.source, on: packet.link, at: now))
    }

    private func timePassed() {
        armed = nil
        guard !isClosed else { return }
        let now = now
        for (id, resolver) in resolvers where resolver.deadline <= now {
            let reason = "\(resolver.instance) did not answer in time"
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
        for socket in sockets[link] ?? [] {
            if case .unicast(let endpoint) = destination, endpoint.address.isIPv4 != socket.isIPv4 { continue }
            if !socket.send(packet, to: destination) {
                unsent[link, default: 0] += 1
            }
        }
    }

    private func established(_ id: RegistrationID, _ name: String) {
        if let claimant = claimants.removeValue(forKey: id) {
            advertisements[id]?.settle(on: name)
            claimant.resume(returning: .success(()))
        } else {
            advertisements[id]?.rename(to: name)
        }
    }

    private func report(_ instance: ServiceInstance, _ service: Service?, isListed: Bool) {
        for mailbox in mailboxes.values where mailbox.type == instance.type {
            mailbox.update(instance, to: isListed ? service : nil)
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

    /// Opens a socket for each IP version that an interface has an address of. An interface on which only one of them
    /// works is used with that one.
    private static func openSockets(
        _ interfaces: [NetworkInterface],
        packets: AsyncStream<MulticastSocket.Packet>.Continuation
    ) async throws(DNSSDError) -> [UInt32: [MulticastSocket]] {
        var sockets: [UInt32: [MulticastSocket]] = [:]
        for interface in interfaces {
            var refusal: DNSSDError?
            for isIPv4 in [true, false] where interface.addresses.contains(where: { $0.isIPv4 == isIPv4 }) {
                do throws(DNSSDError) {
                    sockets[interface.index, default: []].append(
                        try await MulticastSocket(interface, isIPv4: isIPv4, packets: packets)
                    )
                } catch {
                    refusal = refusal ?? error
                }
            }
            guard let refusal, sockets[interface.index] == nil else { continue }
            for socket in sockets.values.joined() {
                await socket.close()
            }
            throw refusal
        }
        return sockets
    }
}

extension DNSSDError {
    fileprivate static let cancelled = DNSSDError(.cancelled, reason: "the task was cancelled")
}
