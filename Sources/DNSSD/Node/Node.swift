/// One multicast DNS responder and querier on all its links, without sockets and clock: packets and moments go in,
/// effects come out.
///
/// Every method that takes a moment also does what has become due by then. The owner calls ``advance(to:)`` at
/// ``deadline``.
struct Node {
    private struct Link {
        let description: LinkDescription
        var responder = Responder()
        var discovery: Discovery
        var zone = Zone([])
        var zoneVersion = 0
        var traffic = LinkTraffic()
    }

    private var links: [Link]
    private var registry: Registry
    private var echoes = EchoFilter()
    private var jitter: Jitter
    private var browses: [ServiceType: Int] = [:]
    private var effects: [Effect] = []
    private let ownAddresses: Set<IPAddress>

    /// Creates a node without services and interests.
    ///
    /// - Parameters:
    ///   - hostLabel: The label of the host name for services that ask for none.
    ///   - seed: The source of its random delays.
    init(links: [LinkDescription], hostLabel: String, seed: UInt64) {
        self.links = links.map { Link(description: $0, discovery: Discovery(link: $0)) }
        registry = Registry(defaultHostLabel: hostLabel)
        jitter = Jitter(seed: seed)
        ownAddresses = Set(links.flatMap(\.addresses))
    }

    /// When ``advance(to:)`` has something to do; `nil` if only a packet or a call can change anything.
    var deadline: Moment? {
        links.reduce(registry.deadline) {
            $0.earlier($1.responder.deadline).earlier($1.discovery.deadline)
        }
    }

    /// How many records of others are kept.
    var recordCount: Int {
        links.reduce(0) { $0 + $1.discovery.recordCount }
    }

    /// What went over a link, and how many records of others are kept for it; `nil` for a link that is not ours.
    func statistics(of link: UInt32) -> (traffic: LinkTraffic, cachedRecords: Int)? {
        links.first { $0.description.index == link }.map { ($0.traffic, $0.discovery.recordCount) }
    }

    /// Whether an address is one of this host's.
    func isOwn(_ address: IPAddress) -> Bool {
        ownAddresses.contains(address)
    }

    // MARK: - Services of ours

    /// Starts to claim the names of a service; ``Effect/established(_:name:)`` follows.
    mutating func advertise(_ service: ServiceAdvertisement, at now: Moment) throws(DNSSDError) -> RegistrationID {
        try registry.add(service, at: now, jitter: &jitter)
    }

    /// Replaces a service's description.
    mutating func update(_ id: RegistrationID, txt: [UInt8], at now: Moment) -> [Effect] {
        registry.update(id, txt: txt, at: now)
        return advance(to: now)
    }

    /// Ends a service, saying goodbye if it was announced.
    mutating func withdraw(_ id: RegistrationID, at now: Moment) -> [Effect] {
        for index in links.indices {
            let farewell = registry.farewell(of: id, on: links[index].description)
            if !farewell.isEmpty {
                send(Outgoing(message: .response(farewell)), on: links[index].description, at: now)
            }
        }
        registry.remove(id)
        return advance(to: now)
    }

    /// Ends all services.
    mutating func withdrawAll(at now: Moment) -> [Effect] {
        registry.services.keys.sorted().flatMap { withdraw($0, at: now) }
    }

    // MARK: - Services of others

    /// Wants to know the services of a type. Calls are counted.
    mutating func browse(_ type: ServiceType, at now: Moment) -> [Effect] {
        browses[type, default: 0] += 1
        if browses[type] == 1 {
            for index in links.indices {
                links[index].discovery.browse(type, at: now, jitter: &jitter)
            }
        }
        return advance(to: now)
    }

    /// Takes back one ``browse(_:at:)``.
    mutating func endBrowse(_ type: ServiceType, at now: Moment) -> [Effect] {
        guard let count = browses[type] else { return [] }
        browses[type] = count > 1 ? count - 1 : nil
        if count == 1 {
            for index in links.indices {
                links[index].discovery.endBrowse(type)
            }
        }
        return advance(to: now)
    }

    /// Wants to know one service. Calls are counted.
    mutating func pin(_ instance: ServiceInstance, at now: Moment) throws(DNSSDError) -> [Effect] {
        let name = try instance.domainName()
        for index in links.indices {
            links[index].discovery.pin(instance, named: name, at: now, jitter: &jitter)
        }
        return advance(to: now)
    }

    /// Takes back one ``pin(_:at:)``.
    mutating func unpin(_ instance: ServiceInstance, at now: Moment) -> [Effect] {
        guard let name = try? instance.domainName() else { return [] }
        for index in links.indices {
            links[index].discovery.unpin(name)
        }
        return advance(to: now)
    }

    /// The services of a type that are present and resolved.
    func services(of type: ServiceType) -> [Service] {
        Set(links.flatMap { $0.discovery.resolvedInstances(of: type) }).compactMap { service($0) }
            .sorted { $0.instance.name < $1.instance.name }
    }

    /// What is known of a service on all links together; `nil` until it is enough. Where links disagree about host or
    /// description, the first one is believed.
    func service(_ instance: ServiceInstance) -> Service? {
        guard let name = try? instance.domainName() else { return nil }
        let known = links.compactMap { link in
            link.discovery.resolved(name).map { (link: link.description, service: $0) }
        }
        guard let first = known.first?.service else { return nil }
        let addresses = known.filter { $0.service.host == first.host && $0.service.port == first.port }
            .flatMap { link, service in
                service.addresses.map {
                    ServiceAddress(address: $0, interfaceName: link.name, interfaceIndex: link.index)
                }
            }
            .sorted { ($0.address, $0.interfaceIndex) < ($1.address, $1.interfaceIndex) }
        return Service(
            instance: instance,
            hostName: first.host.description,
            port: first.port,
            addresses: addresses,
            txt: TXTRecord(wire: first.txt)
        )
    }

    // MARK: - Packets and time

    /// Takes a packet from a link. What is not multicast DNS is ignored.
    ///
    /// - Parameter isUnicast: Whether it was addressed to this host, not to the group.
    mutating func receive(
        _ packet: [UInt8],
        from source: Endpoint,
        on linkIndex: UInt32,
        isUnicast: Bool = false,
        at now: Moment
    ) -> [Effect] {
        guard let index = links.firstIndex(where: { $0.description.index == linkIndex }) else { return [] }
        guard let message = try? MessageDecoder.decode(packet) else {
            links[index].traffic.noteMalformed()
            return []
        }
        let isEcho = echoes.isEcho(packet, at: now)
        guard message.isMulticastDNS, source.speaksMulticastDNS || !message.isResponse else {
            links[index].traffic.noteRejected()
            return []
        }
        if isEcho {
            links[index].traffic.noteEcho()
        } else {
            links[index].traffic.note(message, from: source, isUnicast: isUnicast, at: now)
        }
        refreshZone(index)
        if message.isResponse {
            receiveResponse(message, isEcho: isEcho, at: index, now)
        } else {
            receiveQuery(message, from: source, isEcho: isEcho, at: index, now)
        }
        return advance(to: now)
    }

    /// Does what is due.
    mutating func advance(to now: Moment) -> [Effect] {
        let due = registry.advance(to: now)
        for id in due.established {
            if let label = registry.services[id]?.label.text {
                effects.append(.established(id, name: label))
            }
        }
        for index in links.indices {
            let description = links[index].description
            for probe in probes(for: due.probes, on: description) {
                send(Outgoing(message: probe), on: description, at: now)
            }
            refreshZone(index)
            for id in due.announcements {
                links[index].responder.announce(registry.announcement(of: id, on: description), at: now)
            }
            let zone = links[index].zone
            for outgoing in links[index].responder.advance(to: now, zone: zone, jitter: &jitter) {
                send(outgoing, on: description, at: now)
            }
            if let query = links[index].discovery.advance(to: now, jitter: &jitter) {
                send(Outgoing(message: query), on: description, at: now)
            }
        }
        reportServices()
        defer { effects = [] }
        return effects
    }

    private mutating func receiveQuery(
        _ query: DNSMessage,
        from source: Endpoint,
        isEcho: Bool,
        at index: Int,
        _ now: Moment
    ) {
        let description = links[index].description
        if !isEcho, source.speaksMulticastDNS {
            registry.receiveProbe(query, on: description, at: now)
            links[index].discovery.hear(query, at: now)
        }
        let isOwnProbe = isEcho && !query.authorities.isEmpty
        guard !isOwnProbe else { return }
        let zone = links[index].zone
        let replies = links[index].responder.receive(
            query,
            from: source,
            isOwnHost: ownAddresses.contains(source.address),
            zone: zone,
            at: now,
            jitter: &jitter
        )
        for reply in replies {
            send(reply, on: description, at: now)
        }
    }

    private mutating func receiveResponse(_ response: DNSMessage, isEcho: Bool, at index: Int, _ now: Moment) {
        let records = response.answers + response.additionals
        if !isEcho {
            registry.receiveAnswers(records, links: links.map(\.description), at: now, jitter: &jitter)
            links[index].responder.hear(records, zone: links[index].zone, at: now)
        }
        links[index].discovery.receive(records, at: now, jitter: &jitter)
    }

    // MARK: - Details

    /// The probes for names, as few messages as fit a packet each.
    private func probes(for ids: [RegistrationID], on link: LinkDescription) -> [DNSMessage] {
        var messages: [DNSMessage] = []
        var size = Int.max
        for id in ids {
            guard let name = registry.name(of: id) else { continue }
            let records = registry.uniqueRecords(of: id, on: link)
            let added = records.reduce(name.wire.count + DNSFormat.minimumQuestionSize) {
                $0 + $1.name.wire.count + DNSFormat.minimumRecordSize + $1.data.canonicalBytes.count
            }
            if size > DNSFormat.preferredMessageSize - DNSFormat.headerSize - added {
                messages.append(DNSMessage(flags: []))
                size = 0
            }
            size += added
            messages[messages.count - 1].questions.append(DNSQuestion(name: name, type: .any))
            messages[messages.count - 1].authorities += records
        }
        return messages
    }

    private mutating func refreshZone(_ index: Int) {
        guard links[index].zoneVersion != registry.version else { return }
        links[index].zoneVersion = registry.version
        links[index].zone = Zone(registry.claimedRecords(on: links[index].description))
        links[index].responder.forget(exceptIn: links[index].zone)
    }

    private mutating func send(_ outgoing: Outgoing, on link: LinkDescription, at now: Moment) {
        let packets = outgoing.message.packets(isLegacy: outgoing.isLegacy)
        if let index = links.firstIndex(where: { $0.description.index == link.index }) {
            links[index].traffic.noteSent(outgoing, packets: packets.count)
        }
        for packet in packets {
            if outgoing.destination == .group {
                echoes.note(packet, at: now)
            }
            effects.append(.send(packet, link: link.index, to: outgoing.destination))
        }
    }

    private mutating func reportServices() {
        var changed: Set<ServiceInstance> = []
        for index in links.indices {
            changed.formUnion(links[index].discovery.takeChanged())
        }
        for instance in changed.sorted(by: { $0.name < $1.name }) {
            let isListed = (try? instance.domainName()).map { name in links.contains { $0.discovery.isListed(name) } }
            effects.append(.service(instance, service(instance), isListed: isListed ?? false))
        }
    }
}
