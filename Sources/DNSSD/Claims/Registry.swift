/// The services and host names that this host has, or claims, on its links.
///
/// A name is the same on all links. It is claimed on each link, and the addresses differ by link.
struct Registry {
    /// The work that is due, by link.
    struct Due {
        /// Names to probe.
        var probes: [UInt32: [RegistrationID]] = [:]
        /// Names whose records to announce.
        var announcements: [UInt32: [RegistrationID]] = [:]
        /// Services whose names have just become claimed on every link, for the first time or again.
        var established: [RegistrationID] = []
    }

    /// The records to say goodbye for, by link.
    typealias Goodbyes = [UInt32: [ResourceRecord]]

    private struct ActiveClaim: Hashable, Comparable {
        let id: RegistrationID
        let link: UInt32

        static func < (left: ActiveClaim, right: ActiveClaim) -> Bool {
            (left.id, left.link) < (right.id, right.link)
        }
    }

    private(set) var services: [RegistrationID: ServiceRegistration] = [:]
    /// A number that changes whenever the result of ``claimedRecords(on:)`` changes.
    private(set) var version = 0
    /// The time at which ``advance(to:)`` may have something to do; `nil` if it has nothing to do.
    private(set) var deadline: Instant?

    private var links: [UInt32: LinkDescription]
    private var hosts: [RegistrationID: HostRegistration] = [:]
    private var hostIDs: [HostRegistration.Key: RegistrationID] = [:]
    private var owners: [DomainName: RegistrationID] = [:]
    /// The claims with a deadline. Hosts precede the services that refer to them.
    private var active: Set<ActiveClaim> = []
    private var previousRecords = PreviousRecords()
    /// Services that haven't been reported as established since their names were last uncertain.
    private var unreported: Set<RegistrationID> = []
    private var lastID: UInt64 = 0
    private var nextStart: Instant?
    private let defaultHostLabel: String

    /// Creates an empty registry.
    ///
    /// - Parameter defaultHostLabel: The label of the host for services without a host name.
    init(links: [LinkDescription], defaultHostLabel: String) {
        self.links = Dictionary(links.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
        self.defaultHostLabel = defaultHostLabel
    }

    // MARK: - Requests of the application

    /// Starts to claim the names of a service. Without any links, they are claimed immediately.
    mutating func add(
        _ service: ServiceAdvertisement,
        at now: Instant,
        jitter: inout Jitter
    ) throws(DNSSDError) -> RegistrationID {
        let start = startOfProbing(at: now, jitter: &jitter)
        let claims = LinkClaims(links: links.keys, start: start)
        var registration = try ServiceRegistration(service, claims: claims)
        try addHost(registration.host, claims: claims)
        let id = nextID()
        while owners[registration.name] != nil {
            try registration.useNextName()
        }
        owners[registration.name] = id
        services[id] = registration
        unreported.insert(id)
        activate(id, on: claims.links)
        wake(at: links.isEmpty ? now : start)
        return id
    }

    /// Replaces a service's TXT record. Unknown services are ignored.
    mutating func update(_ id: RegistrationID, txt: [UInt8], at now: Instant) {
        guard let service = services[id], service.txt != txt else { return }
        previousRecords.insert([service.description], at: now)
        services[id]?.txt = txt
        announceAgain(id, at: now)
        version += 1
    }

    /// Removes a service, and its host if no other service refers to it.
    mutating func remove(_ id: RegistrationID) {
        guard let service = services.removeValue(forKey: id) else { return }
        owners[service.name] = nil
        unreported.remove(id)
        deactivate(id)
        version += 1
        guard let hostID = hostIDs[service.host], var host = hosts[hostID] else { return }
        host.users -= 1
        guard host.users == 0 else {
            hosts[hostID] = host
            return
        }
        hosts[hostID] = nil
        hostIDs[service.host] = nil
        owners[host.name] = nil
        deactivate(hostID)
    }

    // MARK: - Links

    /// Sets the current links. On new links, all names are probed and announced. On links with changed addresses, the
    /// new addresses are announced, or everything is probed again if the link is on a different network.
    ///
    /// - Returns: The records that were announced on the links before and are no longer valid.
    mutating func setLinks(_ new: [LinkDescription], at now: Instant, jitter: inout Jitter) -> Goodbyes {
        var goodbyes: Goodbyes = [:]
        let previousLinks = links
        links = Dictionary(new.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
        guard links != previousLinks else { return [:] }
        version += 1
        for (index, link) in previousLinks where links[index] == nil {
            remember(link, at: now)
            for id in allIDs {
                withClaims(of: id) { $0[index] = nil }
                active.remove(ActiveClaim(id: id, link: index))
            }
        }
        let start = startOfProbing(at: now, jitter: &jitter)
        for (index, link) in links {
            guard let before = previousLinks[index] else {
                for id in allIDs {
                    withClaims(of: id) { $0[index] = NameClaim(start: start) }
                    activate(id, on: [index])
                }
                continue
            }
            guard before != link else { continue }
            if link.isOnDifferentNetwork(from: before) {
                remember(before, at: now)
                probeAgain(on: index, from: start)
            } else {
                goodbyes[index] = exchangeAddresses(on: link, previously: before, at: now)
            }
        }
        wake(at: now)
        return goodbyes
    }

    /// Probes and announces all names again, because the host slept or was otherwise disconnected.
    mutating func probeAgain(at now: Instant, jitter: inout Jitter) {
        let start = startOfProbing(at: now, jitter: &jitter)
        for index in links.keys {
            probeAgain(on: index, from: start)
        }
    }

    private mutating func probeAgain(on link: UInt32, from start: Instant) {
        version += 1
        for id in allIDs {
            withClaims(of: id) { $0[link]?.probeAgain(at: start) }
            activate(id, on: [link])
        }
        unreported.formUnion(services.keys)
        wake(at: start)
    }

    private mutating func remember(_ link: LinkDescription, at now: Instant) {
        previousRecords.insert(hosts.values.flatMap { $0.records(on: link) }, at: now)
    }

    private mutating func exchangeAddresses(
        on link: LinkDescription,
        previously before: LinkDescription,
        at now: Instant
    ) -> [ResourceRecord] {
        var goodbyes: [ResourceRecord] = []
        for (id, host) in hosts where host.claims.isClaimed(on: link.index) {
            let (old, new) = (host.records(on: before), host.records(on: link))
            guard old != new else { continue }
            let ended = old.filter { !new.contains($0) }
            previousRecords.insert(ended, at: now)
            goodbyes += ended
            withClaims(of: id) { $0[link.index]?.announceAgain(at: now) }
            activate(id, on: [link.index])
        }
        return goodbyes.map(\.goodbye)
    }

    // MARK: - Time

    /// Advances all claims to a time.
    mutating func advance(to now: Instant) -> Due {
        var due = Due()
        guard let deadline, deadline <= now else { return due }
        for entry in active.sorted() {
            let (id, link) = (entry.id, entry.link)
            if let service = services[id], let host = host(of: service), let hostClaim = host.claims[link],
                !hostClaim.isClaimed, service.claims[link]?.isNextAProbe == false
            {
                withClaims(of: id) { $0[link]?.postpone(until: hostClaim.deadline ?? now) }
                continue
            }
            let wasClaimed = claims(of: id)?.isClaimed(on: link) == true
            var action: NameClaim.Action?
            withClaims(of: id) { action = $0[link]?.advance(to: now) }
            switch action {
            case .probe:
                due.probes[link, default: []].append(id)
            case .announce:
                due.announcements[link, default: []].append(id)
                if !wasClaimed {
                    nowClaimed(id, on: link, at: now)
                }
            case nil:
                break
            }
        }
        due.established = unreported.filter { services[$0]?.claims.isClaimedEverywhere == true }.sorted()
        unreported.subtract(due.established)
        active = active.filter { claims(of: $0.id)?[$0.link]?.deadline != nil }
        self.deadline = active.compactMap { claims(of: $0.id)?[$0.link]?.deadline }.min()
        return due
    }

    private mutating func nowClaimed(_ id: RegistrationID, on link: UInt32, at now: Instant) {
        version += 1
        guard services[id] == nil else { return }
        // The services of a renamed host must refer to its new name.
        for (serviceID, service) in services
        where hostIDs[service.host] == id && service.claims.isClaimed(on: link) {
            withClaims(of: serviceID) { $0[link]?.announceAgain(at: now) }
            activate(serviceID, on: [link])
        }
    }

    // MARK: - Messages of other hosts

    /// Handles another host's probe. If both hosts claim a name at the same time, one of them waits. A service that
    /// already has a substitute name changes to the next one instead, so that many services with the same name don't
    /// wait for each other one by one.
    mutating func receiveProbe(
        _ message: DNSMessage,
        on link: LinkDescription,
        at now: Instant,
        jitter: inout Jitter
    ) {
        let claimed = Dictionary(grouping: message.authorities, by: \.name)
        for (name, theirs) in claimed {
            guard let id = owners[name], let claims = claims(of: id), claims[link.index]?.isClaimed == false else {
                continue
            }
            let outcome = SimultaneousProbe.compare(ours: uniqueRecords(of: id, on: link), theirs: theirs)
            let isFree = services[id]?.isSubstitute == true && !claims.wasAnnounced
            switch outcome {
            case .won where isFree && claims.isUnannounced, .lost where isFree && claims.isUnannounced:
                rename(id, avoiding: Set(claimed.keys))
            case .lost where isFree:
                rename(id, avoiding: Set(claimed.keys))
                let delay = jitter.delay(in: .zero...ClaimTiming.initialDelay)
                restart(id, on: claims.links, at: now, after: delay, isRenamed: true)
            case .lost:
                withClaims(of: id) { $0[link.index]?.yield(at: now) }
            case .won, .equal:
                break
            }
        }
    }

    /// Handles another host's response on a link. A name that is being probed there is given up. A name that is claimed
    /// is probed again.
    ///
    /// - Returns: The records that were announced on other links under names that are given up.
    mutating func receiveAnswers(
        _ records: [ResourceRecord],
        on link: UInt32,
        at now: Instant,
        jitter: inout Jitter
    ) -> Goodbyes {
        var contested: Set<RegistrationID> = []
        for record in records where record.ttl != RecordTTL.goodbye && record.type != .nsec {
            guard let id = owners[record.name], !contested.contains(id), let claim = claims(of: id)?[link]
            else { continue }
            // A record of this host on another link isn't a conflict, because the two links may be bridged.
            let ours = links.values.flatMap { uniqueRecords(of: id, on: $0) }
            guard !ours.contains(where: { $0.hasSameContent(as: record) }), !previousRecords.contains(record, at: now)
            else { continue }
            if claim.isContestable || (claim.isClaimed && ours.contains { $0.type == record.type }) {
                contested.insert(id)
            }
        }
        var goodbyes: Goodbyes = [:]
        for id in contested.sorted() {
            let isRenamed = claims(of: id)?.isClaimed(on: link) == false
            if isRenamed {
                for other in links.values where other.index != link {
                    goodbyes[other.index, default: []] += self.goodbyes(of: id, on: other)
                }
                rename(id)
            }
            let delay = jitter.delay(in: .zero...ClaimTiming.initialDelay)
            restart(id, on: isRenamed ? Array(links.keys) : [link], at: now, after: delay, isRenamed: isRenamed)
        }
        return goodbyes
    }

    private mutating func restart(
        _ id: RegistrationID,
        on links: some Sequence<UInt32>,
        at now: Instant,
        after delay: Duration,
        isRenamed: Bool
    ) {
        for index in links {
            withClaims(of: id) { $0[index]?.restart(at: now, after: delay, isRenamed: isRenamed) }
        }
        if services[id] != nil {
            unreported.insert(id)
        }
        activate(id, on: links)
        version += 1
    }

    /// Changes to the next name that this host doesn't use.
    ///
    /// - Parameter others: Names that other hosts claim.
    private mutating func rename(_ id: RegistrationID, avoiding others: Set<DomainName> = []) {
        if var service = services[id] {
            owners[service.name] = nil
            repeat {
                guard (try? service.useNextName()) != nil else { break }
            } while owners[service.name] != nil || others.contains(service.name)
            owners[service.name] = id
            services[id] = service
        } else if var host = hosts[id] {
            owners[host.name] = nil
            repeat {
                guard (try? host.useNextName()) != nil else { break }
            } while owners[host.name] != nil || others.contains(host.name)
            owners[host.name] = id
            hosts[id] = host
        }
    }

    // MARK: - Records

    /// Returns the name of a service instance or of a host.
    func name(of id: RegistrationID) -> DomainName? {
        services[id]?.name ?? hosts[id]?.name
    }

    /// Returns the records that a claim covers.
    func uniqueRecords(of id: RegistrationID, on link: LinkDescription) -> [ResourceRecord] {
        if let service = services[id], let host = host(of: service) {
            return service.uniqueRecords(host: host.name)
        }
        return hosts[id]?.records(on: link) ?? []
    }

    /// Returns the records to announce for a name.
    func announcement(of id: RegistrationID, on link: LinkDescription) -> [ResourceRecord] {
        guard let service = services[id] else { return uniqueRecords(of: id, on: link) }
        return service.pointers + [service.typePointer] + uniqueRecords(of: id, on: link)
    }

    /// Returns the goodbyes for a name on a link: for a service's own records, and for its host's if it is the host's
    /// last service. The PTR record of the type isn't included, because other hosts may have services of that type.
    func goodbyes(of id: RegistrationID, on link: LinkDescription) -> [ResourceRecord] {
        guard claims(of: id)?[link.index]?.wasAnnounced == true else { return [] }
        var records = uniqueRecords(of: id, on: link)
        if let service = services[id], let host = host(of: service) {
            records = service.pointers + records + (host.users == 1 ? host.records(on: link) : [])
        }
        return records.map(\.goodbye)
    }

    /// Returns the records that answer questions on a link.
    func claimedRecords(on link: LinkDescription) -> [ResourceRecord] {
        let hostRecords = hosts.values.filter { $0.claims.isClaimed(on: link.index) }.flatMap { $0.records(on: link) }
        return services.sorted { $0.key < $1.key }.reduce(into: hostRecords) { records, entry in
            let service = entry.value
            guard service.claims.isClaimed(on: link.index), let host = host(of: service),
                host.claims.isClaimed(on: link.index)
            else { return }
            records += service.pointers + [service.typePointer] + service.uniqueRecords(host: host.name)
        }
    }

    // MARK: - Helpers

    private mutating func addHost(_ key: HostRegistration.Key, claims: LinkClaims) throws(DNSSDError) {
        if let id = hostIDs[key] {
            hosts[id]?.users += 1
            return
        }
        let label = NumberedName(key.label ?? defaultHostLabel, style: .host)
        var host = HostRegistration(
            addresses: key.addresses,
            label: label,
            name: try .label(label.text, under: WellKnownName.local, called: "host name"),
            claims: claims
        )
        while owners[host.name] != nil {
            try host.useNextName()
        }
        let id = nextID()
        owners[host.name] = id
        hosts[id] = host
        hostIDs[key] = id
        activate(id, on: claims.links)
    }

    /// Returns the time of the first probe of a new claim. Claims that haven't started share it, so that they share
    /// packets.
    private mutating func startOfProbing(at now: Instant, jitter: inout Jitter) -> Instant {
        if let nextStart, nextStart > now { return nextStart }
        let start = now.advanced(by: jitter.delay(in: .zero...ClaimTiming.initialDelay))
        nextStart = start
        return start
    }

    private mutating func nextID() -> RegistrationID {
        lastID += 1
        return RegistrationID(rawValue: lastID)
    }

    private func host(of service: ServiceRegistration) -> HostRegistration? {
        hostIDs[service.host].flatMap { hosts[$0] }
    }

    private var allIDs: [RegistrationID] { Array(hosts.keys) + services.keys }

    private func claims(of id: RegistrationID) -> LinkClaims? {
        services[id]?.claims ?? hosts[id]?.claims
    }

    private mutating func withClaims(of id: RegistrationID, _ body: (inout LinkClaims) -> Void) {
        if services[id] != nil {
            services[id].mutate { body(&$0.claims) }
        } else {
            hosts[id].mutate { body(&$0.claims) }
        }
    }

    private mutating func announceAgain(_ id: RegistrationID, at now: Instant) {
        for link in links.keys {
            withClaims(of: id) { $0[link]?.announceAgain(at: now) }
        }
        activate(id, on: links.keys)
    }

    private mutating func activate(_ id: RegistrationID, on links: some Sequence<UInt32>) {
        for link in links {
            active.insert(ActiveClaim(id: id, link: link))
            wake(at: claims(of: id)?[link]?.deadline)
        }
    }

    private mutating func deactivate(_ id: RegistrationID) {
        for link in links.keys {
            active.remove(ActiveClaim(id: id, link: link))
        }
        if active.isEmpty, unreported.isEmpty {
            deadline = nil
        }
    }

    private mutating func wake(at instant: Instant?) {
        deadline = deadline.earlier(instant)
    }
}

extension Optional {
    /// Modifies the value in place, if there is one.
    fileprivate mutating func mutate(_ body: (inout Wrapped) -> Void) {
        guard var value = self.take() else { return }
        body(&value)
        self = value
    }
}
