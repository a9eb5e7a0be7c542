/// What other hosts said on one link, for as long as they said it holds (RFC 6762 section 10).
///
/// Bounded in every direction, see ``CacheTiming``: what does not fit is refused, and nothing that is kept makes room for it.
struct RecordCache {
    /// A record, and when it was heard last.
    struct Entry {
        var record: ResourceRecord
        fileprivate(set) var heard: Instant
        fileprivate(set) var expiry: Instant
        /// Who said it first.
        fileprivate let source: IPAddress?
        /// Over which IP versions it was heard.
        fileprivate var families: Set<IPFamily>
        /// Whether it has to be heard again to be believed any longer.
        fileprivate var isInDoubt = false
        /// Which of the refresh times comes next; as many as there are once no further one comes.
        fileprivate var stage = 0
        /// What is added to each refresh time.
        fileprivate var spread: Duration
        /// When the queue looks at the record; never later than something is to be done about it.
        fileprivate var queued: Instant
        /// Questions of others that the record should have answered, and when the last one was asked.
        fileprivate var unanswered = 0
        fileprivate var lastUnanswered: Instant?
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
    private var queue = DeadlineQueue<RecordIdentity>()
    private var countsBySource: [IPAddress: Int] = [:]
    /// How many records are kept.
    private(set) var count = 0
    /// How many bytes their names and data have.
    private(set) var bytes = 0

    /// How many entries the queue of deadlines has: some records have several.
    var queueLength: Int { queue.count }

    /// When ``advance(to:isWanted:)`` may have something to do; `nil` if it certainly has nothing.
    var deadline: Instant? { queue.next }

    /// Hears a record.
    ///
    /// - Parameters:
    ///   - source: Who says it; `nil` is not limited for itself.
    ///   - isFollowed: Whether somebody wants to know this very service, so that the reserve may be used for it.
    mutating func insert(
        _ record: ResourceRecord,
        from source: IPAddress? = nil,
        isFollowed: Bool = false,
        at now: Instant,
        jitter: inout Jitter
    ) -> Change {
        // A flag on a shared record would let one host wipe out all others of a type.
        if record.isUnique, record.type != .ptr {
            flush(record.name, record.type, at: now)
        }
        guard record.ttl != RecordTTL.goodbye else {
            expireSoon(record.name, record.data, at: now)
            return .none
        }
        let former = entries[record.name]?[record.data]
        guard former != nil || hasRoom(for: record, from: source, isFollowed: isFollowed) else { return .refused }
        let lifetime = Duration.seconds(Int64(min(record.ttl, RecordTTL.longestBelieved)))
        var entry = Entry(
            record: record,
            heard: now,
            expiry: now.advanced(by: lifetime),
            source: former == nil ? source : former?.source,
            families: (former?.families ?? []).union(source.map { [IPFamily($0)] } ?? []),
            spread: jitter.delay(in: .zero...lifetime * QuestionTiming.refreshJitterPercent / 100),
            queued: former?.queued ?? now
        )
        if former == nil {
            count += 1
            bytes += record.cost
            if let source {
                countsBySource[source, default: 0] += 1
            }
        }
        let isDue = former == nil || entry.nextEvent < entry.queued
        if isDue {
            entry.queued = entry.nextEvent
        }
        entries[record.name, default: [:]][record.data] = entry
        if isDue {
            enqueue(record.identity, at: entry.queued)
        }
        return former == nil ? .added : .none
    }

    /// The records of a name and type, the one heard last at the end.
    func records(_ name: DomainName, _ type: RecordType) -> [ResourceRecord] {
        guard let entries = entries[name] else { return [] }
        return entries.values.filter { $0.record.type == type }.sorted { $0.heard < $1.heard }.map(\.record)
    }

    /// Whether there is a record of a name and type that is not in doubt.
    func isSettled(_ name: DomainName, _ type: RecordType) -> Bool {
        entries[name]?.contains { $0.key.type == type && !$0.value.isInDoubt } ?? false
    }

    /// Whether a record was heard and is not in doubt.
    func isSettled(_ name: DomainName, _ data: RecordData) -> Bool {
        entries[name]?[data]?.isInDoubt == false
    }

    /// Whether the name's host said that it has no record of this type.
    func isDenied(_ name: DomainName, _ type: RecordType) -> Bool {
        entries[name]?.keys.contains {
            if case .nsec(let next, let types) = $0 { next == name && !types.contains(type) } else { false }
        } ?? false
    }

    /// The answers to a question that need not be repeated, with the lifetime they have left: those that have at least
    /// half of it (RFC 6762 section 7.1).
    func knownAnswers(to question: DNSQuestion, at now: Instant) -> [ResourceRecord] {
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
    func knows(_ record: ResourceRecord, at now: Instant) -> Bool {
        entries[record.name]?[record.data]?.isFresh(at: now) ?? false
    }

    /// Forgets every record of a name.
    mutating func forget(_ name: DomainName) {
        for entry in entries.removeValue(forKey: name)?.values ?? [:].values {
            account(forRemovalOf: entry)
        }
        if entries.isEmpty {
            queue.removeAll()
        }
    }

    /// Puts all records of a name and type in doubt: unless they are heard again, they are forgotten soon.
    mutating func doubt(_ name: DomainName, _ type: RecordType, at now: Instant) {
        for (data, entry) in entries[name] ?? [:] where data.type == type && !entry.isInDoubt {
            shorten(name, data, to: CacheTiming.doubt, at: now) { $0.isInDoubt = true }
        }
    }

    /// Puts one record in doubt.
    mutating func doubt(_ name: DomainName, _ data: RecordData, at now: Instant) {
        guard entries[name]?[data]?.isInDoubt == false else { return }
        shorten(name, data, to: CacheTiming.doubt, at: now) { $0.isInDoubt = true }
    }

    /// Another host asks a question that all are to answer. What should have been the answer, more than once, and is not
    /// heard, is forgotten soon, without questions of our own (RFC 6762 section 10.5).
    ///
    /// - Parameters:
    ///   - known: What the other host does not need to be told.
    ///   - family: Over which IP version it asks. Whoever does not use that does not hear the question.
    mutating func wasAskedByAnother(
        _ question: DNSQuestion,
        known: Set<RecordIdentity>,
        over family: IPFamily,
        at now: Instant
    ) {
        for (data, entry) in entries[question.name] ?? [:]
        where question.asks(for: question.name, data.type) && data.type != .nsec && entry.families.contains(family)
            && !known.contains(entry.record.identity)
        {
            if let last = entry.lastUnanswered, last.duration(to: now) < CacheTiming.unansweredInterval { continue }
            let unanswered = entry.unanswered + 1
            entries[question.name]?[data]?.unanswered = unanswered
            entries[question.name]?[data]?.lastUnanswered = now
            if unanswered == CacheTiming.unansweredLimit {
                shorten(question.name, data, to: CacheTiming.doubt, at: now) { _ in }
            }
        }
    }

    /// Removes what has expired, and finds what is to be asked for again before it does.
    ///
    /// - Parameter isWanted: Whether anyone wants to know the records of a name and type any longer.
    mutating func advance(
        to now: Instant,
        isWanted: (DomainName, RecordType) -> Bool
    ) -> (expired: [ResourceRecord], refreshes: Set<DNSQuestion>) {
        var expired: [ResourceRecord] = []
        var refreshes: Set<DNSQuestion> = []
        while let (moment, identity) = queue.popFirst(dueAt: now) {
            guard var entry = entries[identity.name]?[identity.data], entry.queued == moment else { continue }
            guard entry.expiry > now else {
                remove(identity)
                expired.append(entry.record)
                continue
            }
            if entry.takeRefresh(at: now), isWanted(identity.name, identity.data.type) {
                refreshes.insert(DNSQuestion(name: identity.name, type: identity.data.type))
            }
            entry.queued = entry.nextEvent
            queue.insert(identity, at: entry.queued)
            entries[identity.name]?[identity.data] = entry
        }
        return (expired, refreshes)
    }

    // MARK: - Details

    private func hasRoom(for record: ResourceRecord, from source: IPAddress?, isFollowed: Bool) -> Bool {
        let reserve = isFollowed ? CacheTiming.followedReserve : 0
        guard count < CacheTiming.maximumRecords + reserve, bytes + record.cost <= CacheTiming.maximumBytes else {
            return false
        }
        if !isFollowed, let source, countsBySource[source, default: 0] >= CacheTiming.maximumRecordsOfSource {
            return false
        }
        guard record.type != .ptr, let others = entries[record.name], others.count >= CacheTiming.maximumSetSize else {
            return true
        }
        return others.keys.count { $0.type == record.type } < CacheTiming.maximumSetSize
    }

    private mutating func remove(_ identity: RecordIdentity) {
        guard let entry = entries[identity.name]?.removeValue(forKey: identity.data) else { return }
        account(forRemovalOf: entry)
        if entries[identity.name]?.isEmpty == true {
            entries[identity.name] = nil
        }
        if entries.isEmpty {
            queue.removeAll()
        }
    }

    private mutating func account(forRemovalOf entry: Entry) {
        count -= 1
        bytes -= entry.record.cost
        guard let source = entry.source, let others = countsBySource[source].map({ $0 - 1 }) else { return }
        countsBySource[source] = others > 0 ? others : nil
    }

    /// A host says that it now says everything about a name and type: what is older than a second is on its way out.
    private mutating func flush(_ name: DomainName, _ type: RecordType, at now: Instant) {
        for (data, entry) in entries[name] ?? [:]
        where data.type == type && entry.heard.duration(to: now) > CacheTiming.lastSecond {
            expireSoon(name, data, at: now)
        }
    }

    private mutating func expireSoon(_ name: DomainName, _ data: RecordData, at now: Instant) {
        shorten(name, data, to: CacheTiming.lastSecond, at: now) { _ in }
    }

    /// Lets a record live at most so much longer, without asking for it before its end.
    private mutating func shorten(
        _ name: DomainName,
        _ data: RecordData,
        to rest: Duration,
        at now: Instant,
        _ change: (inout Entry) -> Void
    ) {
        guard var entry = entries[name]?[data] else { return }
        change(&entry)
        entry.expiry = min(entry.expiry, now.advanced(by: rest))
        entry.stage = QuestionTiming.refreshPercentages.count
        let isDue = entry.expiry < entry.queued
        if isDue {
            entry.queued = entry.expiry
        }
        entries[name]?[data] = entry
        if isDue {
            enqueue(RecordIdentity(name: name, data: data), at: entry.queued)
        }
    }

    /// Has the queue look at a record. What it was to look at later stays in the queue; if that becomes too much, because
    /// somebody says goodbye and comes back again and again, the queue is made anew.
    private mutating func enqueue(_ identity: RecordIdentity, at moment: Instant) {
        guard queue.count >= CacheTiming.queueFactor * max(count, CacheTiming.maximumSetSize) else {
            queue.insert(identity, at: moment)
            return
        }
        queue.removeAll()
        for entry in entries.values.joined() {
            queue.insert(entry.value.record.identity, at: entry.value.queued)
        }
    }
}

extension RecordCache.Entry {
    /// When something is to be done about the record.
    fileprivate var nextEvent: Instant {
        guard let refresh = refresh(stage) else { return expiry }
        return max(refresh, refresh.advanced(by: spread).roundedDown(to: CacheTiming.refreshGrain))
    }

    /// Passes every refresh time that has come; says whether there was one.
    fileprivate mutating func takeRefresh(at now: Instant) -> Bool {
        let former = stage
        while let refresh = refresh(stage), refresh <= now {
            stage += 1
        }
        return stage > former
    }

    private func refresh(_ stage: Int) -> Instant? {
        guard stage < QuestionTiming.refreshPercentages.count else { return nil }
        return heard.advanced(by: heard.duration(to: expiry) * QuestionTiming.refreshPercentages[stage] / 100)
    }

    fileprivate func isFresh(at now: Instant) -> Bool {
        !isInDoubt && unanswered < CacheTiming.unansweredLimit
            && heard.duration(to: now) <= heard.duration(to: expiry) / 2
    }

    fileprivate func secondsLeft(at now: Instant) -> UInt32 {
        UInt32(clamping: now.duration(to: expiry).components.seconds)
    }
}

extension ResourceRecord {
    /// How many bytes it takes to say the record without compression.
    fileprivate var cost: Int { name.wire.count + data.size }
}
