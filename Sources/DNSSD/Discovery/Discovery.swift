/// Finds services on one link: which questions are to be asked, which records matter, and what follows from them.
///
/// A type leads by PTR records to instances, an instance by its SRV record to a host, a host to its addresses. Only
/// records on these paths are kept, so that what else is said on the link costs no memory.
struct Discovery {
    private struct Instance {
        let instance: ServiceInstance
        /// Whether a PTR record of a browsed type names it.
        var isListed = false
        /// How many callers want to know it whether or not it is listed.
        var pins = 0
        var host: DomainName?
        var resolved: ResolvedService?
    }

    private let link: LinkDescription
    private var cache = RecordCache()
    private var questions = QuestionScheduler()
    private var browsed: [DomainName: ServiceType] = [:]
    private var instances: [DomainName: Instance] = [:]
    private var instancesByHost: [DomainName: Set<DomainName>] = [:]
    private var changed: Set<ServiceInstance> = []

    /// Starts without any interest.
    init(link: LinkDescription) {
        self.link = link
    }

    /// When ``advance(to:jitter:)`` has something to do.
    var deadline: Moment? {
        questions.deadline.earlier(cache.deadline)
    }

    /// How many records are kept.
    var recordCount: Int { cache.count }

    // MARK: - Interest

    /// Starts to look for the services of a type.
    mutating func browse(_ type: ServiceType, at now: Moment, jitter: inout Jitter) {
        browsed[type.domainName] = type
        questions.ask(DNSQuestion(name: type.domainName, type: .ptr), at: now, jitter: &jitter)
    }

    /// Stops looking for the services of a type.
    mutating func endBrowse(_ type: ServiceType) {
        browsed[type.domainName] = nil
        questions.stop(DNSQuestion(name: type.domainName, type: .ptr))
        cache.forget(type.domainName)
        for (name, instance) in instances where instance.isListed && instance.instance.type == type {
            instances[name]?.isListed = false
            dropIfUnwanted(name)
        }
    }

    /// Wants to know one service, listed or not.
    mutating func pin(_ instance: ServiceInstance, named name: DomainName, at now: Moment, jitter: inout Jitter) {
        instances[name, default: Instance(instance: instance)].pins += 1
        evaluate(name, at: now, jitter: &jitter)
    }

    /// Takes back one ``pin(_:named:at:jitter:)``.
    mutating func unpin(_ name: DomainName) {
        guard let pins = instances[name]?.pins, pins > 0 else { return }
        instances[name]?.pins = pins - 1
        dropIfUnwanted(name)
    }

    // MARK: - Results

    /// What is known of a service; `nil` until it is enough.
    func resolved(_ name: DomainName) -> ResolvedService? {
        instances[name]?.resolved
    }

    /// The services of a type that are resolved.
    func resolvedInstances(of type: ServiceType) -> [ServiceInstance] {
        instances.values.filter { $0.isListed && $0.resolved != nil && $0.instance.type == type }.map(\.instance)
    }

    /// Whether a PTR record names the service.
    func isListed(_ name: DomainName) -> Bool {
        instances[name]?.isListed == true
    }

    /// The services of which something else is known than when this was called last.
    mutating func takeChanged() -> Set<ServiceInstance> {
        defer { changed = [] }
        return changed
    }

    // MARK: - What others say

    /// Hears a response. The order of its records does not matter.
    mutating func receive(_ records: [ResourceRecord], at now: Moment, jitter: inout Jitter) {
        let candidates = records.filter { $0.recordClass == .internet }
        for stage in [[RecordType.ptr], [.srv, .txt], [.a, .aaaa, .nsec]] {
            var touched: Set<DomainName> = []
            for record in candidates where stage.contains(record.type) && isRelevant(record) {
                guard cache.insert(record, at: now, jitter: &jitter) != .refused else { continue }
                if case .ptr(let target) = record.data {
                    guard record.ttl != RecordTTL.goodbye, list(target) else { continue }
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

    /// Hears another host's query: what it asks we need not ask as well, unless it knows answers that we do not.
    mutating func hear(_ query: DNSMessage, at now: Moment) {
        guard !query.flags.contains(.truncated), query.authorities.isEmpty else { return }
        for question in Set(query.questions) where !question.wantsUnicast && questions.isAsking(question) {
            let known = query.answers.filter { question.asks(for: $0.name, $0.type) }
            if known.allSatisfy({ cache.knows($0, at: now) }) {
                questions.wasAskedByAnother(question, at: now)
            }
        }
    }

    // MARK: - Time

    /// Forgets what expired, and asks what is due.
    mutating func advance(to now: Moment, jitter: inout Jitter) -> DNSMessage? {
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
                instances[target]?.isListed = false
                dropIfUnwanted(target)
            } else {
                for name in [record.name] + (instancesByHost[record.name] ?? []) {
                    evaluate(name, at: now, jitter: &jitter)
                }
            }
        }
        let due = Set(questions.advance(to: now)).union(refreshes).sorted()
        guard !due.isEmpty else { return nil }
        return DNSMessage(flags: [], questions: due, answers: due.flatMap { cache.knownAnswers(to: $0, at: now) })
    }

    // MARK: - Details

    private func isRelevant(_ record: ResourceRecord) -> Bool {
        switch record.data {
        case .ptr(let target): browsed[record.name] != nil && target.parent == record.name
        case .srv, .txt: instances[record.name] != nil
        case .a(let address), .aaaa(let address):
            instancesByHost[record.name] != nil && address.isUnicast && (link.isLoopback || !address.isLoopback)
        case .nsec: instances[record.name] != nil || instancesByHost[record.name] != nil
        case .opaque: false
        }
    }

    /// A PTR record names an instance. Says whether the name is one that can be shown.
    private mutating func list(_ name: DomainName) -> Bool {
        if instances[name] == nil {
            guard let type = name.parent.flatMap({ browsed[$0] }), let label = name.firstLabel,
                let text = String(validating: label, as: UTF8.self)
            else { return false }
            instances[name] = Instance(instance: ServiceInstance(name: text, type: type))
        }
        guard instances[name]?.isListed == false else { return true }
        instances[name]?.isListed = true
        if instances[name]?.resolved != nil, let instance = instances[name]?.instance {
            changed.insert(instance)
        }
        return true
    }

    /// Works out what is known of an instance and what is still to be asked.
    private mutating func evaluate(_ name: DomainName, at now: Moment, jitter: inout Jitter) {
        guard let instance = instances[name] else { return }
        let service = cache.records(name, .srv).last
        let description = cache.records(name, .txt).last
        need(name, .srv, isMissing: service == nil, at: now, jitter: &jitter)
        need(name, .txt, isMissing: description == nil, at: now, jitter: &jitter)

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
    private mutating func addresses(of host: DomainName, at now: Moment, jitter: inout Jitter) -> [IPAddress] {
        let families = [RecordType.a, .aaaa].map { type in
            (type: type, records: cache.records(host, type))
        }
        for (family, other) in zip(families, families.reversed()) {
            need(
                host,
                family.type,
                isMissing: family.records.isEmpty && !cache.isDenied(host, family.type),
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
        at now: Moment,
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
        guard let instance = instances[name] else { return }
        if instance.resolved != nil {
            changed.insert(instance.instance)
        }
        guard !instance.isListed, instance.pins == 0 else { return }
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
