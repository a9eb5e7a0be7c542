/// Finds services on one link: which questions are to be asked, which records matter, and what follows from them.
///
/// A type leads by PTR records to instances, an instance by its SRV record to a host, a host to its addresses. Only
/// records on these paths are kept, so that what else is said on the link costs no memory.
struct Discovery {
    private struct Instance {
        let instance: ServiceInstance
        /// The browsed names whose PTR records name it.
        var listings: Set<DomainName> = []
        /// Whether somebody wants to know it whether or not it is listed.
        var isFollowed = false
        var host: DomainName?
        var resolved: ResolvedService?
    }

    private var link: LinkDescription
    private var cache = RecordCache()
    private var questions = QuestionScheduler()
    private var browsed: [DomainName: BrowseScope] = [:]
    private var instances: [DomainName: Instance] = [:]
    private var instancesByHost: [DomainName: Set<DomainName>] = [:]
    private var changed: Set<ServiceInstance> = []

    /// Starts without any interest.
    init(link: LinkDescription) {
        self.link = link
    }

    /// When ``advance(to:jitter:)`` has something to do.
    var deadline: Instant? {
        questions.deadline.earlier(cache.deadline)
    }

    /// How many records are kept.
    var recordCount: Int { cache.count }

    /// How many bytes the names and data of these records have.
    var byteCount: Int { cache.bytes }

    // MARK: - Interest

    /// Starts to look for services.
    mutating func browse(_ scope: BrowseScope, at now: Instant, jitter: inout Jitter) {
        browsed[scope.name] = scope
        questions.ask(DNSQuestion(name: scope.name, type: .ptr), at: now, jitter: &jitter)
    }

    /// Stops looking for services.
    mutating func endBrowse(_ scope: BrowseScope) {
        guard browsed.removeValue(forKey: scope.name) != nil else { return }
        questions.stop(DNSQuestion(name: scope.name, type: .ptr))
        cache.forget(scope.name)
        for name in instances.keys {
            unlist(name, from: scope.name)
        }
    }

    /// Wants to know one service, listed or not.
    mutating func follow(_ instance: ServiceInstance, named name: DomainName, at now: Instant, jitter: inout Jitter) {
        instances[name, default: Instance(instance: instance)].isFollowed = true
        evaluate(name, at: now, jitter: &jitter)
    }

    /// Takes back ``follow(_:named:at:jitter:)``.
    mutating func unfollow(_ name: DomainName) {
        instances[name]?.isFollowed = false
        dropIfUnwanted(name)
    }

    // MARK: - Doubt

    /// A service could not be reached: unless it answers soon, what is known of it is forgotten (RFC 6762 section 10.4).
    mutating func doubt(_ name: DomainName, at now: Instant, jitter: inout Jitter) {
        guard let instance = instances[name] else { return }
        for listing in instance.listings {
            cache.doubt(listing, .ptr(name), at: now)
            questions.askAnew(DNSQuestion(name: listing, type: .ptr), at: now, jitter: &jitter)
        }
        doubtRecords(of: name, at: now, jitter: &jitter)
    }

    /// The link may be another one, or time has passed unnoticed: everything is asked for again, and what is not heard soon is
    /// forgotten.
    mutating func doubtEverything(at now: Instant, jitter: inout Jitter) {
        for name in browsed.keys {
            cache.doubt(name, .ptr, at: now)
            questions.askAnew(DNSQuestion(name: name, type: .ptr), at: now, jitter: &jitter)
        }
        for name in instances.keys {
            doubtRecords(of: name, at: now, jitter: &jitter)
        }
    }

    /// What is listed without being resolved is to be listed anew: what nobody lists any longer has left without a goodbye.
    mutating func doubtUnresolved(in scope: BrowseScope, at now: Instant, jitter: inout Jitter) {
        let names = instances.filter { $0.value.listings.contains(scope.name) && $0.value.resolved == nil }.keys
        guard !names.isEmpty else { return }
        for name in names { cache.doubt(scope.name, .ptr(name), at: now) }
        questions.askAnew(DNSQuestion(name: scope.name, type: .ptr), at: now, jitter: &jitter)
    }

    private mutating func doubtRecords(of name: DomainName, at now: Instant, jitter: inout Jitter) {
        cache.doubt(name, .srv, at: now)
        cache.doubt(name, .txt, at: now)
        if let host = instances[name]?.host {
            cache.doubt(host, .a, at: now)
            cache.doubt(host, .aaaa, at: now)
        }
        evaluate(name, at: now, jitter: &jitter)
    }

    /// Takes a new description of the link. What is known stays known.
    mutating func take(_ link: LinkDescription) {
        self.link = link
    }

    // MARK: - Results

    /// What is known of a service; `nil` until it is enough.
    func resolved(_ name: DomainName) -> ResolvedService? {
        instances[name]?.resolved
    }

    /// The services that are listed somewhere and resolved.
    func resolvedInstances(in scope: BrowseScope) -> [ServiceInstance] {
        instances.values.filter { $0.listings.contains(scope.name) && $0.resolved != nil }.map(\.instance)
    }

    /// All services that are resolved.
    var resolvedInstances: [ServiceInstance] {
        instances.values.filter { $0.resolved != nil }.map(\.instance)
    }

    /// The services that are listed and not resolved, where what lists them is not in doubt.
    func unresolvedServices(in scope: BrowseScope) -> [UnresolvedService] {
        instances.compactMap { name, instance in
            guard instance.resolved == nil, cache.isSettled(scope.name, .ptr(name)) else { return nil }
            let gap: UnresolvedService.Gap
            if let host = instance.host {
                let isPlaced = [RecordType.a, .aaaa].contains { !cache.records(host, $0).isEmpty }
                gap = isPlaced ? .description : .address(ofHost: host.description)
            } else {
                gap = .host
            }
            var txt: TXTRecord?
            if case .txt(let wire) = cache.records(name, .txt).last?.data { txt = TXTRecord(wire: wire) }
            return UnresolvedService(instance: instance.instance, gap: gap, txt: txt)
        }
    }

    /// Whether a PTR record of a browsed name names the service.
    func isListed(_ name: DomainName, in scope: BrowseScope) -> Bool {
        instances[name]?.listings.contains(scope.name) == true
    }

    /// Whether any PTR record of a browsed name names the service.
    func isListed(_ name: DomainName) -> Bool {
        instances[name]?.listings.isEmpty == false
    }

    /// The services of which something else is known than when this was called last.
    mutating func takeChanged() -> Set<ServiceInstance> {
        defer { changed = [] }
        return changed
    }

    // MARK: - What others say

    /// Hears a response. The order of its records does not matter.
    mutating func receive(
        _ records: [ResourceRecord],
        from source: IPAddress? = nil,
        at now: Instant,
        jitter: inout Jitter
    ) {
        let candidates = records.filter { $0.recordClass == .internet }
        // What was heard together is asked for again together.
        let together = Jitter(seed: jitter.next())
        for stage in [[RecordType.ptr], [.srv, .txt], [.a, .aaaa, .nsec]] {
            var touched: Set<DomainName> = []
            for record in candidates where stage.contains(record.type) && isRelevant(record) {
                var spread = together
                let change = cache.insert(
                    record,
                    from: source,
                    isFollowed: isFollowed(record),
                    at: now,
                    jitter: &spread
                )
                guard change != .refused else { continue }
                if case .ptr(let target) = record.data {
                    guard record.ttl != RecordTTL.goodbye, list(target, in: record.name) else { continue }
                    touched.insert(target)
                } else {
                    touched.formUnion(instancesByHost[record.name] ?? [])
                    touched.insert(record.name)
                }
            }
            for name in touched {
                evaluate(name, at: now, jitter: &jitter)
            }
        }
    }

    /// Hears another host's query: what it asks we need not ask as well, unless it knows answers that we do not; and what is
    /// not answered, although it should be, is not there any more.
    mutating func hear(_ query: DNSMessage, from source: IPAddress, at now: Instant) {
        guard !query.flags.contains(.truncated), query.authorities.isEmpty else { return }
        for question in Set(query.questions) where !question.wantsUnicast {
            let known = query.answers.filter { question.asks(for: $0.name, $0.type) }
            if questions.isAsking(question), known.allSatisfy({ cache.knows($0, at: now) }) {
                questions.wasAskedByAnother(question, over: IPFamily(source), of: link.families, at: now)
            }
            cache.wasAskedByAnother(question, known: Set(known.map(\.identity)), over: IPFamily(source), at: now)
        }
    }

    // MARK: - Time

    /// Forgets what expired, and asks what is due.
    ///
    /// - Parameter wantsUnicast: Whether what is asked for the first time may be answered to this host alone.
    mutating func advance(to now: Instant, wantsUnicast: Bool = false, jitter: inout Jitter) -> [DNSMessage] {
        let (expired, refreshes) = cache.advance(to: now) { [browsed, instances, instancesByHost] name, type in
            switch type {
            case .ptr: browsed[name] != nil
            case .srv, .txt: instances[name] != nil
            case .a, .aaaa: instancesByHost[name] != nil
            default: false
            }
        }
        for record in expired {
            if case .ptr(let target) = record.data {
                unlist(target, from: record.name)
            } else {
                for name in [record.name] + (instancesByHost[record.name] ?? []) {
                    evaluate(name, at: now, jitter: &jitter)
                }
            }
        }
        let due = questions.advance(to: now)
        var asked = refreshes
        for entry in due where !refreshes.contains(entry.question) {
            var question = entry.question
            question.wantsUnicast = wantsUnicast && entry.isFirst
            asked.insert(question)
        }
        return queries(for: asked.sorted(), at: now)
    }

    /// The messages that ask questions. Only where known answers do not fit one packet do questions have packets of their
    /// own, so that the flag of truncation means what it says: more known answers of this question follow.
    private func queries(for questions: [DNSQuestion], at now: Instant) -> [DNSMessage] {
        guard !questions.isEmpty else { return [] }
        let known = questions.map { cache.knownAnswers(to: $0, at: now) }
        let whole = DNSMessage(flags: [], questions: questions, answers: known.flatMap(\.self))
        guard !whole.answers.isEmpty, whole.packets().count > 1 else { return [whole] }
        let others = zip(questions, known).filter(\.1.isEmpty).map(\.0)
        let single = zip(questions, known).filter { !$1.isEmpty }.map { question, answers in
            DNSMessage(flags: [], questions: [question], answers: answers)
        }
        return (others.isEmpty ? [] : [DNSMessage(flags: [], questions: others)]) + single
    }

    // MARK: - Details

    private func isRelevant(_ record: ResourceRecord) -> Bool {
        switch record.data {
        case .ptr(let target): browsed[record.name].map { target.parent == $0.type.domainName } ?? false
        case .srv, .txt: instances[record.name] != nil
        case .a(let address), .aaaa(let address):
            instancesByHost[record.name] != nil && address.isUnicast && (link.isLoopback || !address.isLoopback)
        case .nsec: instances[record.name] != nil || instancesByHost[record.name] != nil
        case .opaque: false
        }
    }

    /// Whether somebody wants to know the very service that a record is about.
    private func isFollowed(_ record: ResourceRecord) -> Bool {
        switch record.data {
        case .ptr(let target): instances[target]?.isFollowed == true
        case .srv, .txt: instances[record.name]?.isFollowed == true
        case .a, .aaaa, .nsec:
            instancesByHost[record.name]?.contains { instances[$0]?.isFollowed == true } ?? false
        case .opaque: false
        }
    }

    /// A PTR record names an instance. Says whether the name is one that can be shown.
    private mutating func list(_ name: DomainName, in listing: DomainName) -> Bool {
        if instances[name] == nil {
            guard let type = browsed[listing]?.type, let label = name.firstLabel,
                let text = String(validating: label, as: UTF8.self)
            else { return false }
            instances[name] = Instance(instance: ServiceInstance(name: text, type: type))
        }
        guard instances[name]?.listings.insert(listing).inserted == true else { return true }
        noteChange(of: name)
        return true
    }

    private mutating func unlist(_ name: DomainName, from listing: DomainName) {
        guard instances[name]?.listings.remove(listing) != nil else { return }
        noteChange(of: name)
        dropIfUnwanted(name)
    }

    private mutating func noteChange(of name: DomainName) {
        if let instance = instances[name], instance.resolved != nil {
            changed.insert(instance.instance)
        }
    }

    /// Works out what is known of an instance and what is still to be asked.
    private mutating func evaluate(_ name: DomainName, at now: Instant, jitter: inout Jitter) {
        guard let instance = instances[name] else { return }
        let service = cache.records(name, .srv).last
        let description = cache.records(name, .txt).last
        need(name, .srv, isMissing: !cache.isSettled(name, .srv), at: now, jitter: &jitter)
        need(name, .txt, isMissing: !cache.isSettled(name, .txt), at: now, jitter: &jitter)

        var resolved: ResolvedService?
        if case .srv(_, _, let port, let host) = service?.data {
            refer(name, to: host)
            let addresses = self.addresses(of: host, at: now, jitter: &jitter)
            if case .txt(let txt) = description?.data, !addresses.isEmpty {
                resolved = ResolvedService(host: host, port: port, addresses: addresses, txt: txt)
            }
        } else {
            refer(name, to: nil)
        }
        if resolved != instance.resolved {
            instances[name]?.resolved = resolved
            changed.insert(instance.instance)
        }
    }

    /// The addresses of a host. Where one family is known, the other is asked for a few times only: the host may lack it.
    private mutating func addresses(of host: DomainName, at now: Instant, jitter: inout Jitter) -> [IPAddress] {
        let families = [RecordType.a, .aaaa].map { type in
            (type: type, records: cache.records(host, type))
        }
        for (family, other) in zip(families, families.reversed()) {
            need(
                host,
                family.type,
                isMissing: !cache.isSettled(host, family.type) && !cache.isDenied(host, family.type),
                limit: other.records.isEmpty ? nil : QuestionTiming.optionalCount,
                at: now,
                jitter: &jitter
            )
        }
        return families.flatMap(\.records).compactMap { record in
            switch record.data {
            case .a(let address), .aaaa(let address): address
            default: nil
            }
        }
        .sorted()
    }

    private mutating func need(
        _ name: DomainName,
        _ type: RecordType,
        isMissing: Bool,
        limit: Int? = nil,
        at now: Instant,
        jitter: inout Jitter
    ) {
        let question = DNSQuestion(name: name, type: type)
        if isMissing {
            questions.ask(question, limit: limit, at: now, jitter: &jitter)
        } else {
            questions.stop(question)
        }
    }

    /// Notes which host an instance is on, and forgets a host that no instance is on any longer.
    private mutating func refer(_ name: DomainName, to host: DomainName?) {
        let former = instances[name]?.host
        guard former != host else { return }
        instances[name]?.host = host
        if let host {
            instancesByHost[host, default: []].insert(name)
        }
        guard let former else { return }
        instancesByHost[former]?.remove(name)
        guard instancesByHost[former]?.isEmpty == true else { return }
        instancesByHost[former] = nil
        forget(former, [.a, .aaaa])
    }

    private mutating func dropIfUnwanted(_ name: DomainName) {
        guard let instance = instances[name], instance.listings.isEmpty, !instance.isFollowed else { return }
        noteChange(of: name)
        refer(name, to: nil)
        instances[name] = nil
        forget(name, [.srv, .txt])
    }

    private mutating func forget(_ name: DomainName, _ types: [RecordType]) {
        cache.forget(name)
        for type in types {
            questions.stop(DNSQuestion(name: name, type: type))
        }
    }
}

extension DNSQuestion: Comparable {
    /// An order without meaning, so that equal situations give equal packets.
    static func < (left: DNSQuestion, right: DNSQuestion) -> Bool {
        left.name == right.name
            ? left.type < right.type : left.name.wire.lexicographicallyPrecedes(right.name.wire)
    }
}
