/// A multicast DNS responder and querier for all links, without sockets and clock. It takes packets and times and
/// returns effects.
///
/// Every method that takes a time also does what is due at that time. The owner must call ``advance(to:)`` at
/// ``deadline``.
struct Node {
    private struct Link {
        var description: LinkDescription
        var responder = Responder()
        var discovery: Discovery
        var zone = Zone([])
        var zoneVersion = 0
        var traffic = LinkTraffic()
        var unicast: UnicastReception

        init(_ description: LinkDescription) {
            self.description = description
            discovery = Discovery(link: description)
            unicast = UnicastReception(isPossible: description.receivesUnicast)
        }
    }

    private var links: [Link]
    private var registry: Registry
    private var echoes = EchoFilter()
    private var jitter: Jitter
    private var browses: [BrowseScope: Int] = [:]
    private var followed: [ServiceInstance: (name: DomainName, count: Int)] = [:]
    private var effects: [Effect] = []
    private var ownAddresses: Set<IPAddress>
    private var gone: Set<ServiceInstance> = []

    /// Creates a node without services and browses.
    ///
    /// - Parameters:
    ///   - hostLabel: The label of the host name for services without a host name.
    ///   - seed: The seed for random delays.
    init(links: [LinkDescription], hostLabel: String, seed: UInt64) {
        self.links = links.map { Link($0) }
        registry = Registry(links: links, defaultHostLabel: hostLabel)
        jitter = Jitter(seed: seed)
        ownAddresses = Set(links.flatMap(\.addresses))
    }

    /// The time at which ``advance(to:)`` has something to do; `nil` if it has nothing to do until a packet or a call
    /// arrives.
    var deadline: Instant? {
        links.reduce(registry.deadline) {
            $0.earlier($1.responder.deadline).earlier($1.discovery.deadline)
        }
    }

    /// The number of cached records of other hosts.
    var recordCount: Int {
        links.reduce(0) { $0 + $1.discovery.recordCount }
    }

    /// Returns the traffic of a link.
    func traffic(on link: UInt32) -> LinkTraffic? {
        links.first { $0.description.index == link }?.traffic
    }

    /// Returns whether unicast packets to this host are received on a link.
    func receivesUnicast(on link: UInt32) -> Bool {
        links.contains { $0.description.index == link && $0.unicast.isPossible }
    }

    /// Returns whether an address belongs to this host.
    func isOwn(_ address: IPAddress) -> Bool {
        ownAddresses.contains(address)
    }

    // MARK: - Own services

    /// Starts to claim the names of a service. ``Effect/established(_:name:)`` follows.
    mutating func advertise(_ service: ServiceAdvertisement, at now: Instant) throws(DNSSDError) -> RegistrationID {
        try registry.add(service, at: now, jitter: &jitter)
    }

    /// Replaces a service's TXT record.
    mutating func update(_ id: RegistrationID, txt: [UInt8], at now: Instant) -> [Effect] {
        registry.update(id, txt: txt, at: now)
        return advance(to: now)
    }

    /// Removes a service, sending a goodbye if it was announced.
    mutating func withdraw(_ id: RegistrationID, at now: Instant) -> [Effect] {
        remove(id, at: now)
        return advance(to: now)
    }

    /// Removes all services.
    mutating func withdrawAll(at now: Instant) -> [Effect] {
        for id in registry.services.keys.sorted() {
            remove(id, at: now)
        }
        return advance(to: now)
    }

    /// Whether goodbyes remain to be sent.
    var isSayingGoodbye: Bool {
        links.contains(where: \.responder.isSayingGoodbye)
    }

    private mutating func remove(_ id: RegistrationID, at now: Instant) {
        for link in links {
            sayGoodbye([link.description.index: registry.goodbyes(of: id, on: link.description)], at: now)
        }
        registry.remove(id)
    }

    private mutating func sayGoodbye(_ goodbyes: Registry.Goodbyes, at now: Instant) {
        for index in links.indices {
            let description = links[index].description
            let times = description.isLoopback ? 1 : ResponseTiming.goodbyeCount
            links[index].responder.sayGoodbye(goodbyes[description.index] ?? [], times: times, at: now)
        }
    }

    // MARK: - Links

    /// Sets the current links. Services on links that disappeared are gone. On new links, all names are claimed and all
    /// browses start.
    mutating func setLinks(_ new: [LinkDescription], at now: Instant) -> [Effect] {
        let previous = links
        links = new.map { description in
            guard var link = previous.first(where: { $0.description.index == description.index }) else {
                return Link(description)
            }
            let isOnDifferentNetwork = description.isOnDifferentNetwork(from: link.description)
            link.description = description
            link.discovery.update(description)
            if isOnDifferentNetwork {
                link.discovery.reconfirmAll(at: now, jitter: &jitter)
            }
            return link
        }
        for link in previous where !links.contains(where: { $0.description.index == link.description.index }) {
            gone.formUnion(link.discovery.resolvedInstances)
        }
        let previousIndices = Set(previous.map(\.description.index))
        for index in links.indices where !previousIndices.contains(links[index].description.index) {
            for scope in browses.keys {
                links[index].discovery.browse(scope, at: now, jitter: &jitter)
            }
            for (instance, follow) in followed {
                links[index].discovery.follow(instance, named: follow.name, at: now, jitter: &jitter)
            }
        }
        ownAddresses = Set(links.flatMap(\.description.addresses))
        sayGoodbye(registry.setLinks(new, at: now, jitter: &jitter), at: now)
        return advance(to: now)
    }

    /// Claims all names and verifies all records again, because the host slept or time passed unnoticed: hosts may have
    /// come, left or taken the names (RFC 6762 section 8).
    mutating func wake(at now: Instant) -> [Effect] {
        registry.probeAgain(at: now, jitter: &jitter)
        for index in links.indices {
            links[index].discovery.reconfirmAll(at: now, jitter: &jitter)
        }
        return advance(to: now)
    }

    // MARK: - Services of other hosts

    /// Starts to browse for the services of a type. Calls are counted.
    mutating func browse(_ type: ServiceType, at now: Instant) -> [Effect] {
        browse(BrowseScope(type), at: now)
    }

    /// Starts to browse for the services of a scope. Calls are counted.
    mutating func browse(_ scope: BrowseScope, at now: Instant) -> [Effect] {
        browses[scope, default: 0] += 1
        if browses[scope] == 1 {
            for index in links.indices {
                links[index].discovery.browse(scope, at: now, jitter: &jitter)
            }
        }
        return advance(to: now)
    }

    /// Ends one ``browse(_:at:)-(ServiceType,_)``.
    mutating func endBrowse(_ type: ServiceType, at now: Instant) -> [Effect] {
        endBrowse(BrowseScope(type), at: now)
    }

    /// Ends one ``browse(_:at:)-(BrowseScope,_)``.
    mutating func endBrowse(_ scope: BrowseScope, at now: Instant) -> [Effect] {
        guard let count = browses[scope] else { return [] }
        browses[scope] = count > 1 ? count - 1 : nil
        if count == 1 {
            for index in links.indices {
                links[index].discovery.endBrowse(scope)
            }
        }
        return advance(to: now)
    }

    /// Follows one service. Calls are counted.
    mutating func follow(_ instance: ServiceInstance, at now: Instant) throws(DNSSDError) -> [Effect] {
        let name = try instance.domainName()
        followed[instance, default: (name, 0)].count += 1
        for index in links.indices {
            links[index].discovery.follow(instance, named: name, at: now, jitter: &jitter)
        }
        return advance(to: now)
    }

    /// Ends one ``follow(_:at:)``.
    mutating func unfollow(_ instance: ServiceInstance, at now: Instant) -> [Effect] {
        guard let (name, count) = followed[instance] else { return [] }
        followed[instance] = count > 1 ? (name, count - 1) : nil
        if count == 1 {
            for index in links.indices {
                links[index].discovery.unfollow(name)
            }
        }
        return advance(to: now)
    }

    /// Verifies the records of a service that could not be reached. Unless it responds soon, they are removed.
    mutating func reconfirm(_ instance: ServiceInstance, at now: Instant) -> [Effect] {
        guard let name = try? instance.domainName() else { return [] }
        for index in links.indices {
            links[index].discovery.reconfirm(name, at: now, jitter: &jitter)
        }
        return advance(to: now)
    }

    /// Verifies the PTR records of services that are listed in a scope but not resolved.
    mutating func reconfirmUnresolved(in scope: BrowseScope, at now: Instant) -> [Effect] {
        for index in links.indices {
            links[index].discovery.reconfirmUnresolved(in: scope, at: now, jitter: &jitter)
        }
        return advance(to: now)
    }

    /// Returns the services of a scope that are listed but not resolved on any link, sorted by name. If links disagree
    /// about the missing part, the first one counts.
    func unresolvedServices(in scope: BrowseScope) -> [UnresolvedService] {
        let listed = links.flatMap { $0.discovery.unresolvedServices(in: scope) }
        return Dictionary(listed.map { ($0.instance, $0) }) { first, _ in first }.values
            .filter { service($0.instance) == nil }
            .sorted { $0.instance.name < $1.instance.name }
    }

    /// Returns the present, resolved services of a type.
    func services(of type: ServiceType) -> [Service] {
        services(in: BrowseScope(type))
    }

    /// Returns the present, resolved services of a scope.
    func services(in scope: BrowseScope) -> [Service] {
        Set(links.flatMap { $0.discovery.resolvedInstances(in: scope) }).compactMap { service($0) }
            .sorted { $0.instance.name < $1.instance.name }
    }

    /// Returns whether a service is listed in a scope.
    func isListed(_ instance: ServiceInstance, in scope: BrowseScope) -> Bool {
        guard instance.type == scope.type, let name = try? instance.domainName() else { return false }
        return links.contains { $0.discovery.isListed(name, in: scope) }
    }

    /// Returns a service with the addresses of all links; `nil` until it can be connected to. If links disagree about
    /// the host or the TXT record, the first one counts.
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

    /// Handles a packet. Packets that aren't multicast DNS are ignored.
    ///
    /// - Parameter isUnicast: Whether it was sent to this host instead of the group.
    mutating func receive(
        _ packet: [UInt8],
        from source: Endpoint,
        on linkIndex: UInt32,
        isUnicast: Bool = false,
        at now: Instant
    ) -> [Effect] {
        guard let index = links.firstIndex(where: { $0.description.index == linkIndex }) else { return [] }
        guard let message = try? MessageDecoder.decode(packet) else {
            links[index].traffic.didReceiveMalformed()
            return []
        }
        let isEcho = echoes.isEcho(packet, at: now)
        // A packet to the group can't come from another link, but a unicast packet can come from anywhere (RFC 6762
        // section 11).
        let isLocal = !isUnicast || isOwn(source.address) || links[index].description.isOnLink(source.address)
        guard message.isMulticastDNS, isLocal, source.speaksMulticastDNS || !message.isResponse else {
            links[index].traffic.didReject()
            return []
        }
        if isEcho {
            links[index].traffic.didReceiveEcho()
        } else {
            links[index].traffic.didReceive(message, from: source, at: now)
            if isOwn(source.address), source.speaksMulticastDNS {
                links[index].unicast.didDetectOtherProgram()
            }
        }
        refreshZone(index)
        if message.isResponse {
            if isUnicast, !isEcho {
                links[index].unicast.didReceive()
            }
            receiveResponse(message, from: source, isEcho: isEcho, at: index, now)
        } else {
            var query = message
            if isUnicast {
                // A querier that sends its query by unicast wants a unicast response (RFC 6762 section 5.5).
                query.questions = query.questions.map(\.wantingUnicast)
            }
            receiveQuery(query, from: source, isEcho: isEcho, at: index, now)
        }
        return advance(to: now)
    }

    /// Does what is due and returns the effects.
    mutating func advance(to now: Instant) -> [Effect] {
        let due = registry.advance(to: now)
        for id in due.established {
            if let label = registry.services[id]?.label.text {
                effects.append(.established(id, name: label))
            }
        }
        for index in links.indices {
            let description = links[index].description
            for probe in probes(for: due.probes[description.index] ?? [], on: links[index]) {
                send(Outgoing(message: probe), on: description, at: now)
            }
            refreshZone(index)
            for id in due.announcements[description.index] ?? [] {
                links[index].responder.announce(registry.announcement(of: id, on: description), at: now)
            }
            let zone = links[index].zone
            for outgoing in links[index].responder.advance(to: now, zone: zone, jitter: &jitter) {
                send(outgoing, on: description, at: now)
            }
            let wantsUnicast = links[index].unicast.isWelcome
            for query in links[index].discovery.advance(to: now, wantsUnicast: wantsUnicast, jitter: &jitter) {
                if query.questions.contains(where: \.wantsUnicast) {
                    links[index].unicast.didRequest()
                }
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
        _ now: Instant
    ) {
        let description = links[index].description
        if !isEcho, source.speaksMulticastDNS {
            registry.receiveProbe(query, on: description, at: now, jitter: &jitter)
            links[index].discovery.receive(query, from: source.address, at: now)
        }
        let isOwnProbe = isEcho && !query.authorities.isEmpty
        guard !isOwnProbe else { return }
        let zone = links[index].zone
        let replies = links[index].responder.receive(
            query,
            from: source,
            isUnicastPossible: isReachable(source, on: description),
            zone: zone,
            at: now,
            jitter: &jitter
        )
        for reply in replies {
            send(reply, on: description, at: now)
        }
    }

    private mutating func receiveResponse(
        _ response: DNSMessage,
        from source: Endpoint,
        isEcho: Bool,
        at index: Int,
        _ now: Instant
    ) {
        let records = response.answers + response.additionals
        if !isEcho {
            let link = links[index].description.index
            sayGoodbye(registry.receiveAnswers(records, on: link, at: now, jitter: &jitter), at: now)
            links[index].responder.receive(records, zone: links[index].zone, at: now)
        }
        links[index].discovery.receive(records, from: source.address, at: now, jitter: &jitter)
    }

    /// Returns whether a unicast response reaches a querier. On this host's shared port it would reach an arbitrary
    /// program, and responses aren't sent to other networks.
    private func isReachable(_ querier: Endpoint, on link: LinkDescription) -> Bool {
        if isOwn(querier.address) { return !querier.speaksMulticastDNS }
        return link.isOnLink(querier.address)
    }

    // MARK: - Helpers

    /// Returns the probes for names, combined into as few messages as fit into one packet each.
    private func probes(for ids: [RegistrationID], on link: Link) -> [DNSMessage] {
        var messages: [DNSMessage] = []
        var size = Int.max
        for id in ids {
            guard let name = registry.name(of: id) else { continue }
            let records = registry.uniqueRecords(of: id, on: link.description)
            let added = records.reduce(name.wire.count + DNSFormat.minimumQuestionSize) {
                $0 + $1.name.wire.count + DNSFormat.minimumRecordSize + $1.data.canonicalBytes.count
            }
            if size > DNSFormat.preferredMessageSize - DNSFormat.headerSize - added {
                messages.append(DNSMessage(flags: []))
                size = 0
            }
            size += added
            // A lost objection would leave the name taken twice, so unicast is requested only if it is known to arrive.
            let question = DNSQuestion(name: name, type: .any, wantsUnicast: link.unicast.isReliable)
            messages[messages.count - 1].questions.append(question)
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

    private mutating func send(_ outgoing: Outgoing, on link: LinkDescription, at now: Instant) {
        let packets = outgoing.message.packets(isLegacy: outgoing.isLegacy)
        if let index = links.firstIndex(where: { $0.description.index == link.index }) {
            links[index].traffic.didSend(outgoing, packets: packets.count)
        }
        for packet in packets {
            if outgoing.destination == .group {
                echoes.record(packet, at: now)
            }
            effects.append(.send(packet, link: link.index, to: outgoing.destination))
        }
    }

    private mutating func reportServices() {
        var changed = gone
        gone = []
        for index in links.indices {
            changed.formUnion(links[index].discovery.drainChanges())
        }
        for instance in changed.sorted(by: { $0.name < $1.name }) {
            let isListed = (try? instance.domainName()).map { name in links.contains { $0.discovery.isListed(name) } }
            effects.append(.service(instance, service(instance), isListed: isListed ?? false))
        }
    }
}
