/// Everything that this host has, or is about to have, on its links: services, and the host names they refer to.
///
/// A name is claimed on all links at once and is the same on all of them; only the addresses differ by link.
struct Registry {
    /// What is due.
    struct Due {
        /// Names to be probed.
        var probes: [RegistrationID] = []
        /// Names whose records are to be announced.
        var announcements: [RegistrationID] = []
        /// Services whose name has just become, or become again, ours.
        var established: [RegistrationID] = []
    }

    private(set) var services: [RegistrationID: ServiceRegistration] = [:]
    /// Counts the changes in what ``claimedRecords(on:)`` returns.
    private(set) var version = 0

    private var hosts: [RegistrationID: HostRegistration] = [:]
    private var hostIDs: [HostRegistration.Key: RegistrationID] = [:]
    private var owners: [DomainName: RegistrationID] = [:]
    /// Those whose claim has a deadline; a host precedes the services that refer to it.
    private var active: Set<RegistrationID> = []
    private var lastID: UInt64 = 0
    private var nextStart: Moment?
    private let defaultHostLabel: String

    /// Creates an empty registry.
    ///
    /// - Parameter defaultHostLabel: The label of the host for services that name none.
    init(defaultHostLabel: String) {
        self.defaultHostLabel = defaultHostLabel
    }

    /// When ``advance(to:)`` has something to do.
    var deadline: Moment? {
        active.lazy.compactMap { self.claim(of: $0)?.deadline }.min()
    }

    // MARK: - What the application wants

    /// Starts to claim the names of a service.
    mutating func add(
        _ service: ServiceAdvertisement,
        at now: Moment,
        jitter: inout Jitter
    ) throws(DNSSDError) -> RegistrationID {
        let start = startOfProbing(at: now, jitter: &jitter)
        var registration = try ServiceRegistration(service, start: start)
        try addHost(registration.host, start: start)
        let id = nextID()
        while owners[registration.name] != nil {
            try registration.takeNextName()
        }
        owners[registration.name] = id
        services[id] = registration
        active.insert(id)
        return id
    }

    /// Replaces a service's description; unknown services are ignored.
    mutating func update(_ id: RegistrationID, txt: [UInt8], at now: Moment) {
        guard var service = services[id], service.txt != txt else { return }
        service.txt = txt
        service.claim.announceAgain(at: now)
        services[id] = service
        active.insert(id)
        version += 1
    }

    /// Forgets a service, and its host if no other service refers to it.
    mutating func remove(_ id: RegistrationID) {
        guard let service = services.removeValue(forKey: id) else { return }
        owners[service.name] = nil
        active.remove(id)
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
        active.remove(hostID)
    }

    // MARK: - Time

    /// Moves every claim forward to a moment.
    mutating func advance(to now: Moment) -> Due {
        var due = Due()
        guard let deadline, deadline <= now else { return due }
        for id in active.sorted() {
            if let service = services[id], let host = host(of: service), !host.claim.isClaimed,
                !service.claim.isNextAProbe
            {
                withClaim(of: id) { $0.postpone(until: host.claim.deadline ?? now) }
                continue
            }
            let wasClaimed = claim(of: id)?.isClaimed == true
            switch withClaim(of: id, { $0.advance(to: now) }) {
            case .probe:
                due.probes.append(id)
            case .announce:
                due.announcements.append(id)
                if !wasClaimed {
                    nowClaimed(id, at: now, &due)
                }
            case nil:
                break
            }
        }
        active = active.filter { claim(of: $0)?.deadline != nil }
        return due
    }

    private mutating func nowClaimed(_ id: RegistrationID, at now: Moment, _ due: inout Due) {
        version += 1
        guard services[id] == nil else {
            due.established.append(id)
            return
        }
        // The services of a host that changed its name point to it anew.
        for (serviceID, service) in services where hostIDs[service.host] == id && service.claim.isClaimed {
            withClaim(of: serviceID) { $0.announceAgain(at: now) }
            active.insert(serviceID)
        }
    }

    // MARK: - What others say

    /// Another host probes for names. Where it and we claim the same one at the same time, one of us waits.
    mutating func receiveProbe(_ message: DNSMessage, on link: LinkDescription, at now: Moment) {
        let claimed = Dictionary(grouping: message.authorities, by: \.name)
        for (name, theirs) in claimed {
            guard let id = owners[name], claim(of: id)?.isClaimed == false,
                SimultaneousProbe.compare(ours: uniqueRecords(of: id, on: link), theirs: theirs) == .lost
            else { continue }
            withClaim(of: id) { $0.yield(at: now) }
        }
    }

    /// Another host answers or announces. A name that we are probing is given up; a name that we have is probed again.
    mutating func receiveAnswers(
        _ records: [ResourceRecord],
        links: [LinkDescription],
        at now: Moment,
        jitter: inout Jitter
    ) {
        var contested: Set<RegistrationID> = []
        for record in records where record.ttl != RecordTTL.goodbye && record.type != .nsec {
            guard let id = owners[record.name], !contested.contains(id), let claim = claim(of: id) else { continue }
            let ours = links.flatMap { uniqueRecords(of: id, on: $0) }
            guard !ours.contains(where: { $0.saysTheSame(as: record) }) else { continue }
            if claim.isContestable || (claim.isClaimed && ours.contains { $0.type == record.type }) {
                contested.insert(id)
            }
        }
        for id in contested.sorted() {
            let isRenamed = claim(of: id)?.isClaimed == false
            if isRenamed {
                rename(id)
            }
            let delay = jitter.delay(in: .zero...ClaimTiming.initialDelay)
            withClaim(of: id) { $0.restart(at: now, after: delay, isRenamed: isRenamed) }
            active.insert(id)
            version += 1
        }
    }

    private mutating func rename(_ id: RegistrationID) {
        if var service = services[id] {
            owners[service.name] = nil
            repeat {
                guard (try? service.takeNextName()) != nil else { break }
            } while owners[service.name] != nil
            owners[service.name] = id
            services[id] = service
        } else if var host = hosts[id] {
            owners[host.name] = nil
            repeat {
                guard (try? host.takeNextName()) != nil else { break }
            } while owners[host.name] != nil
            owners[host.name] = id
            hosts[id] = host
        }
    }

    // MARK: - Records

    /// The name of a service's instance, or of a host.
    func name(of id: RegistrationID) -> DomainName? {
        services[id]?.name ?? hosts[id]?.name
    }

    /// The records that a claim is about.
    func uniqueRecords(of id: RegistrationID, on link: LinkDescription) -> [ResourceRecord] {
        if let service = services[id], let host = host(of: service) {
            return service.uniqueRecords(host: host.name)
        }
        return hosts[id]?.records(on: link) ?? []
    }

    /// Everything to be said when a name is announced.
    func announcement(of id: RegistrationID, on link: LinkDescription) -> [ResourceRecord] {
        guard let service = services[id] else { return uniqueRecords(of: id, on: link) }
        return service.pointers + [service.typePointer] + uniqueRecords(of: id, on: link)
    }

    /// Everything to be taken back when a service ends: its own records, and its host's if it is the last one there. The
    /// record of the type stays, for others may have services of that type.
    func farewell(of id: RegistrationID, on link: LinkDescription) -> [ResourceRecord] {
        guard let service = services[id], service.claim.wasAnnounced, let host = host(of: service) else { return [] }
        let hostRecords = host.users == 1 ? host.records(on: link) : []
        return (service.pointers + service.uniqueRecords(host: host.name) + hostRecords).map { record in
            var goodbye = record
            goodbye.ttl = RecordTTL.goodbye
            return goodbye
        }
    }

    /// The records with which questions on a link are answered.
    func claimedRecords(on link: LinkDescription) -> [ResourceRecord] {
        let hostRecords = hosts.values.filter(\.claim.isClaimed).flatMap { $0.records(on: link) }
        return services.sorted { $0.key < $1.key }.reduce(into: hostRecords) { records, entry in
            let service = entry.value
            guard service.claim.isClaimed, let host = host(of: service), host.claim.isClaimed else { return }
            records += service.pointers + [service.typePointer] + service.uniqueRecords(host: host.name)
        }
    }

    // MARK: - Details

    private mutating func addHost(_ key: HostRegistration.Key, start: Moment) throws(DNSSDError) {
        if let id = hostIDs[key] {
            hosts[id]?.users += 1
            return
        }
        let label = NumberedName(key.label ?? defaultHostLabel, style: .host)
        var host = HostRegistration(
            addresses: key.addresses,
            label: label,
            name: try .label(label.text, under: WellKnownName.local, called: "host name"),
            claim: NameClaim(start: start)
        )
        while owners[host.name] != nil {
            try host.takeNextName()
        }
        let id = nextID()
        owners[host.name] = id
        hosts[id] = host
        hostIDs[key] = id
        active.insert(id)
    }

    /// When a new claim sends its first probe: together with others that have not begun either, so that they share packets.
    private mutating func startOfProbing(at now: Moment, jitter: inout Jitter) -> Moment {
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

    private func claim(of id: RegistrationID) -> NameClaim? {
        services[id]?.claim ?? hosts[id]?.claim
    }

    @discardableResult
    private mutating func withClaim<Result>(of id: RegistrationID, _ body: (inout NameClaim) -> Result?) -> Result? {
        if services[id] != nil {
            services[id].flatMapInPlace { body(&$0.claim) }
        } else {
            hosts[id].flatMapInPlace { body(&$0.claim) }
        }
    }
}

extension Optional {
    /// Changes the value where it stands, if there is one.
    fileprivate mutating func flatMapInPlace<Result>(_ body: (inout Wrapped) -> Result?) -> Result? {
        guard var value = self else { return nil }
        defer { self = value }
        return body(&value)
    }
}
