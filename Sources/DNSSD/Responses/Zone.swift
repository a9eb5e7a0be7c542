/// The records of this host on one link.
struct Zone {
    private var records: [DomainName: [ResourceRecord]] = [:]
    private var byIdentity: [RecordIdentity: ResourceRecord] = [:]

    /// Creates a zone from records, dropping repeated ones.
    init(_ all: [ResourceRecord]) {
        for record in all where byIdentity.updateValue(record, forKey: record.identity) == nil {
            records[record.name, default: []].append(record)
        }
    }

    /// Returns the records that answer a question. A type that a name doesn't have is denied with an NSEC record (RFC
    /// 6762 section 6.1).
    func answers(to question: DNSQuestion) -> [ResourceRecord] {
        guard let present = records[question.name] else { return [] }
        let matching = present.filter { question.asks(for: $0.name, $0.type) }
        guard matching.isEmpty, question.asks(for: question.name, question.type) else { return matching }
        return denial(of: question.name).map { [$0] } ?? []
    }

    /// Returns the records that the receiver of answers is likely to query next (RFC 6763 section 12).
    func additionals(for answers: [ResourceRecord]) -> [ResourceRecord] {
        var seen = Set(answers.map(\.identity))
        return answers.flatMap { companions(of: $0) }.filter { seen.insert($0.identity).inserted }
    }

    /// Returns this host's record with an identity.
    func record(_ identity: RecordIdentity) -> ResourceRecord? {
        if case .nsec = identity.data {
            return denial(of: identity.name).flatMap { $0.data == identity.data ? $0 : nil }
        }
        return byIdentity[identity]
    }

    private func companions(of record: ResourceRecord) -> [ResourceRecord] {
        switch record.data {
        case .ptr(let target):
            let described = (records[target] ?? []).filter { $0.type == .srv || $0.type == .txt }
            return described + described.flatMap { companions(of: $0) }
        case .srv(_, _, _, let host):
            return addresses(of: host)
        case .a, .aaaa:
            return addresses(of: record.name)
        case .txt, .nsec, .opaque:
            return []
        }
    }

    private func addresses(of host: DomainName) -> [ResourceRecord] {
        let present = (records[host] ?? []).filter { $0.type == .a || $0.type == .aaaa }
        let hasBoth = Set(present.map(\.type)).count > 1
        return present + (hasBoth ? [] : denial(of: host).map { [$0] } ?? [])
    }

    private func denial(of name: DomainName) -> ResourceRecord? {
        guard let unique = records[name]?.filter(\.isUnique), let ttl = unique.map(\.ttl).min() else { return nil }
        let types = Set(unique.map(\.type)).sorted()
        return ResourceRecord(name: name, isUnique: true, ttl: ttl, data: .nsec(next: name, types: types))
    }
}
