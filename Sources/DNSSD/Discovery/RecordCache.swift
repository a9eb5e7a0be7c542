/// What other hosts said on one link, for as long as they said it holds (RFC 6762 section 10).
struct RecordCache {
    /// A record, and when it was heard last.
    struct Entry {
        var record: ResourceRecord
        fileprivate(set) var heard: Moment
        fileprivate(set) var expiry: Moment
        /// Which of the refresh times comes next; as many as there are once no further one comes.
        fileprivate var stage = 0
        /// What is added to each refresh time.
        fileprivate var spread: Duration
    }

    /// What hearing a record changed.
    enum Change {
        /// Nothing but the record's lifetime, or nothing at all.
        case none
        /// The record is new.
        case added
        /// The cache is full: the record was not kept.
        case refused
    }

    private var entries: [DomainName: [RecordData: Entry]] = [:]
    private var nextEvent: Moment?
    /// How many records are kept.
    private(set) var count = 0

    /// When ``advance(to:isWanted:)`` has something to do.
    var deadline: Moment? { nextEvent }

    /// Hears a record.
    mutating func insert(_ record: ResourceRecord, at now: Moment, jitter: inout Jitter) -> Change {
        // A flag on a shared record would let one host wipe out all others of a type.
        if record.isUnique, record.type != .ptr {
            flush(record.name, record.type, at: now)
        }
        guard record.ttl != RecordTTL.goodbye else {
            expireSoon(record.name, record.data, at: now)
            return .none
        }
        let isNew = entries[record.name]?[record.data] == nil
        guard !isNew || count < CacheTiming.maximumRecords else { return .refused }
        let lifetime = Duration.seconds(Int64(min(record.ttl, RecordTTL.longestBelieved)))
        let spread = jitter.delay(in: .zero...lifetime * QuestionTiming.refreshJitterPercent / 100)
        let entry = Entry(record: record, heard: now, expiry: now.advanced(by: lifetime), spread: spread)
        entries[record.name, default: [:]][record.data] = entry
        nextEvent = nextEvent.earlier(entry.nextEvent)
        count += isNew ? 1 : 0
        return isNew ? .added : .none
    }

    /// The records of a name and type, the one heard last at the end.
    func records(_ name: DomainName, _ type: RecordType) -> [ResourceRecord] {
        guard let entries = entries[name] else { return [] }
        return entries.values.filter { $0.record.type == type }.sorted { $0.heard < $1.heard }.map(\.record)
    }

    /// Whether the name's host said that it has no record of this type.
    func isDenied(_ name: DomainName, _ type: RecordType) -> Bool {
        entries[name]?.keys.contains {
            if case .nsec(let next, let types) = $0 { next == name && !types.contains(type) } else { false }
        } ?? false
    }

    /// The answers to a question that need not be repeated, with the lifetime they have left: those that have at least
    /// half of it (RFC 6762 section 7.1).
    func knownAnswers(to question: DNSQuestion, at now: Moment) -> [ResourceRecord] {
        guard let entries = entries[question.name] else { return [] }
        return entries.values.filter { question.asks(for: $0.record.name, $0.record.type) && $0.isFresh(at: now) }
            .sorted { $0.heard < $1.heard }
            .map { entry in
                var record = entry.record
                record.isUnique = false
                record.ttl = entry.secondsLeft(at: now)
                return record
            }
    }

    /// Whether a record would be among the known answers to a question about it.
    func knows(_ record: ResourceRecord, at now: Moment) -> Bool {
        entries[record.name]?[record.data]?.isFresh(at: now) ?? false
    }

    /// Forgets every record of a name.
    mutating func forget(_ name: DomainName) {
        count -= entries.removeValue(forKey: name)?.count ?? 0
        nextEvent = entries.isEmpty ? nil : nextEvent
    }

    /// Removes what has expired, and finds what is to be asked for again before it does. Once one record is due, all that
    /// have come to the same part of their lifetime go with it, so that questions share packets.
    ///
    /// - Parameter isWanted: Whether anyone wants to know the records of a name and type any longer.
    mutating func advance(
        to now: Moment,
        isWanted: (DomainName, RecordType) -> Bool
    ) -> (expired: [ResourceRecord], refreshes: Set<DNSQuestion>) {
        guard let due = nextEvent, due <= now else { return ([], []) }
        var expired: [ResourceRecord] = []
        var refreshes: Set<DNSQuestion> = []
        nextEvent = nil
        for (name, records) in entries {
            for (data, entry) in records {
                guard entry.expiry > now else {
                    entries[name]?[data] = nil
                    expired.append(entry.record)
                    continue
                }
                var entry = entry
                if entry.takeRefresh(at: now) {
                    entries[name]?[data] = entry
                    if isWanted(name, data.type) {
                        refreshes.insert(DNSQuestion(name: name, type: data.type))
                    }
                }
                nextEvent = nextEvent.earlier(entry.nextEvent)
            }
            if entries[name]?.isEmpty == true {
                entries[name] = nil
            }
        }
        count -= expired.count
        return (expired, refreshes)
    }

    // MARK: - Details

    /// A host says that it now says everything about a name and type: what is older than a second is on its way out.
    private mutating func flush(_ name: DomainName, _ type: RecordType, at now: Moment) {
        for (data, entry) in entries[name] ?? [:]
        where data.type == type && entry.heard.duration(to: now) > CacheTiming.lastSecond {
            expireSoon(name, data, at: now)
        }
    }

    private mutating func expireSoon(_ name: DomainName, _ data: RecordData, at now: Moment) {
        guard var entry = entries[name]?[data] else { return }
        entry.expiry = min(entry.expiry, now.advanced(by: CacheTiming.lastSecond))
        entry.stage = QuestionTiming.refreshPercentages.count
        entries[name]?[data] = entry
        nextEvent = nextEvent.earlier(entry.expiry)
    }
}

extension RecordCache.Entry {
    /// When something is to be done about the record.
    fileprivate var nextEvent: Moment {
        refresh(stage).map { min($0.advanced(by: spread), expiry) } ?? expiry
    }

    /// Passes every refresh time that has come; says whether there was one.
    fileprivate mutating func takeRefresh(at now: Moment) -> Bool {
        let former = stage
        while let refresh = refresh(stage), refresh <= now {
            stage += 1
        }
        return stage > former
    }

    private func refresh(_ stage: Int) -> Moment? {
        guard stage < QuestionTiming.refreshPercentages.count else { return nil }
        return heard.advanced(by: heard.duration(to: expiry) * QuestionTiming.refreshPercentages[stage] / 100)
    }

    fileprivate func isFresh(at now: Moment) -> Bool {
        heard.duration(to: now) <= heard.duration(to: expiry) / 2
    }

    fileprivate func secondsLeft(at now: Moment) -> UInt32 {
        UInt32(clamping: now.duration(to: expiry).components.seconds)
    }
}
