/// Finds services on one link: it decides which questions to ask and which records matter, and derives the services.
///
/// The PTR records of a type lead to instances, the SRV record of an instance leads to a host, and a host leads to its
/// addresses. Only records on these paths are cached, so that other traffic on the link takes no memory.
struct Discovery {
    private struct Instance {
        let instance: ServiceInstance
        /// The browsed names with a PTR record for the instance.
        var listings: Set<DomainName> = []
        /// Whether the instance is followed by name, listed or not.
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

    /// Creates a discovery without any interest.
    init(link: LinkDescription) {
        self.link = link
    }

    /// The time at which ``advance(to:wantsUnicast:jitter:)`` has something to do.
    var deadline: Instant? {
        questions.deadline.earlier(cache.deadline)
    }

    /// The number of cached records.
    var recordCount: Int { cache.count }

    // MARK: - Interest

    /// Starts to browse for services.
    mutating func browse(_ scope: BrowseScope, at now: Instant, jitter: inout Jitter) {
        browsed[scope.name] = scope
        questions.ask(DNSQuestion(name: scope.name, type: .ptr), at: now, jitter: &jitter)
    }

    /// Stops browsing for services.
    mutating func endBrowse(_ scope: BrowseScope) {
        guard browsed.removeValue(forKey: scope.name) != nil else { return }
        questions.stop(DNSQuestion(name: scope.name, type: .ptr))
        cache.forget(scope.name)
        for name in instances.keys {
            unlist(name, from: scope.name)
        }
    }

    /// Follows one service, listed or not.
    mutating func follow(_ instance: ServiceInstance, named name: DomainName, at now: Instant, jitter: inout Jitter) {
        instances[name, default: Instance(instance: instance)].isFollowed = true
        evaluate(name, at: now, jitter: &jitter)
    }

    /// Ends ``follow(_:named:at:jitter:)``.
    mutating func unfollow(_ name: DomainName) {
        instances[name]?.isFollowed = false
        dropIfUnwanted(name)
    }

    // MARK: - Reconfirmation

    /// Verifies the records of a service that could not be reached. Unless it responds soon, they are removed (RFC 6762
    /// section 10.4).
    mutating func reconfirm(_ name: DomainName, at now: Instant, jitter: inout Jitter) {
        guard let instance = instances[name] else { return }
        for listing in instance.listings {
            cache.reconfirm(listing, .ptr(name), at: now)
            questions.askAgain(DNSQuestion(name: listing, type: .ptr), at: now, jitter: &jitter)
        }
        reconfirmRecords(of: name, at: now, jitter: &jitter)
    }

    /// Verifies all records, because the link may be a different one or time has passed unnoticed. Records that aren't
    /// received again soon are removed.
    mutating func reconfirmAll(at now: Instant, jitter: inout Jitter) {
        for name in browsed.keys {
            cache.reconfirm(name, .ptr, at: now)
            questions.askAgain(DNSQuestion(name: name, type: .ptr), at: now, jitter: &jitter)
        }
        for name in instances.keys {
            reconfirmRecords(of: name, at: now, jitter: &jitter)
        }
    }

    /// Verifies the PTR records of services that are listed but not resolved. They may have left without a goodbye.
    mutating func reconfirmUnresolved(in scope: BrowseScope, at now: Instant, jitter: inout Jitter) {
        let names = instances.filter { $0.value.listings.contains(scope.name) && $0.value.resolved == nil }.keys
        guard !names.isEmpty else { return }
        for name in names { cache.reconfirm(scope.name, .ptr(name), at: now) }
        questions.askAgain(DNSQuestion(name: scope.name, type: .ptr), at: now, jitter: &jitter)
    }

    private mutating func reconfirmRecords(of name: DomainName, at now: Instant, jitter: inout Jitter) {
        cache.reconfirm(name, .srv, at: now)
        cache.reconfirm(name, .txt, at: now)
        if let host = instances[name]?.host {
            cache.reconfirm(host, .a, at: now)
            cache.reconfirm(host, .aaaa, at: now)
        }
        evaluate(name, at: now, jitter: &jitter)
    }

    /// Sets a new description of the link. Known records are kept.
    mutating func update(_ link: LinkDescription) {
        self.link = link
    }

    // MARK: - Results

    /// Returns what is known of a service; `nil` until it can be connected to.
    func resolved(_ name: DomainName) -> ResolvedService? {
        instances[name]?.resolved
    }

    /// Returns the services that are listed in a scope and resolved.
    func resolvedInstances(in scope: BrowseScope) -> [ServiceInstance] {
        instances.values.filter { $0.listings.contains(scope.name) && $0.resolved != nil }.map(\.instance)
    }

    /// All resolved services.
    var resolvedInstances: [ServiceInstance] {
        instances.values.filter { $0.resolved != nil }.map(\.instance)
    }

    /// Returns the services that are listed but not resolved, and whose listing isn't being verified.
    func unresolvedServices(in scope: BrowseScope) -> [UnresolvedService] {
        instances.compactMap { name, instance in
            guard instance.resolved == nil, cache.isConfirmed(scope.name, .ptr(name)) else { return nil }
            let missingPart: UnresolvedService.MissingPart
            if let host = instance.host {
                let hasAddress = [RecordType.a, .aaaa].contains { !cache.records(host, $0).isEmpty }
                missingPart = hasAddress ? .description : .address(ofHost: host.description)
            } else {
                missingPart = .host
            }
            var txt: TXTRecord?
            if case .txt(let wire) = cache.records(name, .txt).last?.data { txt = TXTRecord(wire: wire) }
            return UnresolvedService(instance: instance.instance, missingPart: missingPart, txt: txt)
        }
    }

    /// Returns whether a PTR record of a scope lists the service.
    func isListed(_ name: DomainName, in scope: BrowseScope) -> Bool {
        instances[name]?.listings.contains(scope.name) == true
    }

    /// Returns whether any PTR record of a browsed name lists the service.
    func isListed(_ name: DomainName) -> Bool {
        instances[name]?.listings.isEmpty == false
    }

    /// Returns the services that changed since the last call.
    mutating func drainChanges() -> Set<ServiceInstance> {
        defer { changed = [] }
        return changed
    }

    // MARK: - Messages of other hosts

    /// Handles the records of a response, in any order.
    mutating func receive(
        _ records: [ResourceRecord],
        from source: IPAddress? = nil,
        at now: Instant,
        jitter: inout Jitter
    ) {
        let candidates = records.filter { $0.recordClass == .internet }
        // Records that were received together are refreshed together.
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

    /// Handles another host's query. Its questions need not be asked by this host as well, unless it knows answers that
    /// this host doesn't. Records that should answer it and aren't received may be gone.
    mutating func receive(_ query: DNSMessage, from source: IPAddress, at now: Instant) {
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

    /// Removes expired records, and returns the queries that are due.
    ///
    /// - Parameter wantsUnicast: Whether questions that are asked for the first time may be answered by unicast.
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

    /// Returns the messages for questions. If the known answers don't fit into one packet, each question gets its own
    /// messages, so that the truncation flag refers to that question's known answers.
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

    // MARK: - Helpers

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

    /// Returns whether the service that a record belongs to is followed.
    private func isFollowed(_ record: ResourceRecord) -> Bool {
        switch record.data {
        case .ptr(let target): instances[target]?.isFollowed == true
        case .srv, .txt: instances[record.name]?.isFollowed == true
        case .a, .aaaa, .nsec:
            instancesByHost[record.name]?.contains { instances[$0]?.isFollowed == true } ?? false
        case .opaque: false
        }
    }

    /// Lists an instance that a PTR record refers to. Returns whether its name can be displayed.
    private mutating func list(_ name: DomainName, in listing: DomainName) -> Bool {
        if instances[name] == nil {
            guard let type = browsed[listing]?.type, let label = name.firstLabel,
                let text = String(validating: label, as: UTF8.self)
            else { return false }
            instances[name] = Instance(instance: ServiceInstance(name: text, type: type))
        }
        guard instances[name]?.listings.insert(listing).inserted == true else { return true }
        recordChange(of: name)
        return true
    }

    private mutating func unlist(_ name: DomainName, from listing: DomainName) {
        guard instances[name]?.listings.remove(listing) != nil else { return }
        recordChange(of: name)
        dropIfUnwanted(name)
    }

    private mutating func recordChange(of name: DomainName) {
        if let instance = instances[name], instance.resolved != nil {
            changed.insert(instance.instance)
        }
    }

    /// Derives what is known of an instance and which questions must be asked.
    private mutating func evaluate(_ name: DomainName, at now: Instant, jitter: inout Jitter) {
        guard let instance = instances[name] else { return }
        let service = cache.records(name, .srv).last
        let description = cache.records(name, .txt).last
        need(name, .srv, isMissing: !cache.isConfirmed(name, .srv), at: now, jitter: &jitter)
        need(name, .txt, isMissing: !cache.isConfirmed(name, .txt), at: now, jitter: &jitter)

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

    /// Returns the addresses of a host. If addresses of one family are known, the other is queried only a few times,
    /// because the host may not have any.
    private mutating func addresses(of host: DomainName, at now: Instant, jitter: inout Jitter) -> [IPAddress] {
        let families = [RecordType.a, .aaaa].map { type in
            (type: type, records: cache.records(host, type))
        }
        for (family, other) in zip(families, families.reversed()) {
            need(
                host,
                family.type,
                isMissing: !cache.isConfirmed(host, family.type) && !cache.isDenied(host, family.type),
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

    /// Sets the host of an instance, and forgets a host that no instance refers to.
    private mutating func refer(_ name: DomainName, to host: DomainName?) {
        let previous = instances[name]?.host
        guard previous != host else { return }
        instances[name]?.host = host
        if let host {
            instancesByHost[host, default: []].insert(name)
        }
        guard let previous else { return }
        instancesByHost[previous]?.remove(name)
        guard instancesByHost[previous]?.isEmpty == true else { return }
        instancesByHost[previous] = nil
        forget(previous, [.a, .aaaa])
    }

    private mutating func dropIfUnwanted(_ name: DomainName) {
        guard let instance = instances[name], instance.listings.isEmpty, !instance.isFollowed else { return }
        recordChange(of: name)
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
    /// Orders questions arbitrarily but consistently, so that equal situations result in equal packets.
    static func < (left: DNSQuestion, right: DNSQuestion) -> Bool {
        left.name == right.name
            ? left.type < right.type : left.name.wire.lexicographicallyPrecedes(right.name.wire)
    }
}
