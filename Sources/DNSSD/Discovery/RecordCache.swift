/// The cached records of other hosts on one link, for their lifetimes (RFC 6762 section 10).
///
/// The cache is bounded in every respect; see ``CacheTiming``. Records beyond the limits are rejected and don't replace
/// cached ones.
struct RecordCache {
    /// A cached record.
    struct Entry {
        var record: ResourceRecord
        fileprivate(set) var received: Instant
        fileprivate(set) var expiry: Instant
        /// The first sender of the record.
        fileprivate let source: IPAddress?
        /// The IP versions over which the record was received.
        fileprivate var families: Set<IPFamily>
        /// Whether the record must be received again soon to be kept.
        fileprivate var isBeingReconfirmed = false
        /// The index of the next refresh time; the number of refresh times if there are no more.
        fileprivate var stage = 0
        /// The delay that is added to each refresh time.
        fileprivate var spread: Duration
        /// The time at which the queue checks the record; never later than its next event.
        fileprivate var queued: Instant
        /// The number of other hosts' questions that the record should have answered, and the time of the last one.
        fileprivate var unanswered = 0
        fileprivate var lastUnanswered: Instant?
    }

    /// The result of inserting a record.
    enum Change {
        /// At most the record's lifetime has changed.
        case none
        /// The record is new.
        case added
        /// The cache is full, and the record was rejected.
        case refused
    }

    private var entries: [DomainName: [RecordData: Entry]] = [:]
    private var queue = DeadlineQueue<RecordIdentity>()
    private var countsBySource: [IPAddress: Int] = [:]
    /// The number of cached records.
    private(set) var count = 0
    /// The number of bytes of their names and data.
    private(set) var bytes = 0

    /// The number of entries in the queue of deadlines. Some records have several.
    var queueLength: Int { queue.count }

    /// The time at which ``advance(to:isWanted:)`` may have something to do; `nil` if it has nothing to do.
    var deadline: Instant? { queue.next }

    /// Inserts a received record.
    ///
    /// - Parameters:
    ///   - source: The sender, whose number of records is limited; `nil` for no such limit.
    ///   - isFollowed: Whether the record's service is followed by name, so that the reserve may be used.
    mutating func insert(
        _ record: ResourceRecord,
        from source: IPAddress? = nil,
        isFollowed: Bool = false,
        at now: Instant,
        jitter: inout Jitter
    ) -> Change {
        // The flag is ignored on shared records; otherwise a host could remove all others of a type.
        if record.isUnique, record.type != .ptr {
            flush(record.name, record.type, at: now)
        }
        guard record.ttl != RecordTTL.goodbye else {
            expireSoon(record.name, record.data, at: now)
            return .none
        }
        let previous = entries[record.name]?[record.data]
        guard previous != nil || hasRoom(for: record, from: source, isFollowed: isFollowed) else { return .refused }
        let lifetime = Duration.seconds(Int64(min(record.ttl, RecordTTL.maximumAccepted)))
        var entry = Entry(
            record: record,
            received: now,
            expiry: now.advanced(by: lifetime),
            source: previous == nil ? source : previous?.source,
            families: (previous?.families ?? []).union(source.map { [IPFamily($0)] } ?? []),
            spread: jitter.delay(in: .zero...lifetime * QuestionTiming.refreshJitterPercent / 100),
            queued: previous?.queued ?? now
        )
        if previous == nil {
            count += 1
            bytes += record.cost
            if let source {
                countsBySource[source, default: 0] += 1
            }
        }
        let isDue = previous == nil || entry.nextEvent < entry.queued
        if isDue {
            entry.queued = entry.nextEvent
        }
        entries[record.name, default: [:]][record.data] = entry
        if isDue {
            enqueue(record.identity, at: entry.queued)
        }
        return previous == nil ? .added : .none
    }

    /// Returns the records with a name and type, in the order in which they were last received.
    func records(_ name: DomainName, _ type: RecordType) -> [ResourceRecord] {
        guard let entries = entries[name] else { return [] }
        return entries.values.filter { $0.record.type == type }.sorted { $0.received < $1.received }.map(\.record)
    }

    /// Returns whether there is a record with a name and type that isn't being verified.
    func isConfirmed(_ name: DomainName, _ type: RecordType) -> Bool {
        entries[name]?.contains { $0.key.type == type && !$0.value.isBeingReconfirmed } ?? false
    }

    /// Returns whether a record was received and isn't being verified.
    func isConfirmed(_ name: DomainName, _ data: RecordData) -> Bool {
        entries[name]?[data]?.isBeingReconfirmed == false
    }

    /// Returns whether the name's host has denied having records of a type.
    func isDenied(_ name: DomainName, _ type: RecordType) -> Bool {
        entries[name]?.keys.contains {
            if case .nsec(let next, let types) = $0 { next == name && !types.contains(type) } else { false }
        } ?? false
    }

    /// Returns the known answers to a question, with their remaining lifetimes: the records with at least half of their
    /// lifetime left (RFC 6762 section 7.1).
    func knownAnswers(to question: DNSQuestion, at now: Instant) -> [ResourceRecord] {
        guard let entries = entries[question.name] else { return [] }
        return entries.values.filter { question.asks(for: $0.record.name, $0.record.type) && $0.isFresh(at: now) }
            .sorted { $0.received < $1.received }
            .map { entry in
                var record = entry.record
                record.isUnique = false
                record.ttl = entry.secondsLeft(at: now)
                return record
            }
    }

    /// Returns whether a record would be a known answer.
    func knows(_ record: ResourceRecord, at now: Instant) -> Bool {
        entries[record.name]?[record.data]?.isFresh(at: now) ?? false
    }

    /// Removes all records with a name.
    mutating func forget(_ name: DomainName) {
        for entry in entries.removeValue(forKey: name)?.values ?? [:].values {
            account(forRemovalOf: entry)
        }
        if entries.isEmpty {
            queue.removeAll()
        }
    }

    /// Verifies all records with a name and type: unless they are received again, they are removed soon.
    mutating func reconfirm(_ name: DomainName, _ type: RecordType, at now: Instant) {
        for (data, entry) in entries[name] ?? [:] where data.type == type && !entry.isBeingReconfirmed {
            shorten(name, data, to: CacheTiming.reconfirmationTime, at: now) { $0.isBeingReconfirmed = true }
        }
    }

    /// Verifies one record.
    mutating func reconfirm(_ name: DomainName, _ data: RecordData, at now: Instant) {
        guard entries[name]?[data]?.isBeingReconfirmed == false else { return }
        shorten(name, data, to: CacheTiming.reconfirmationTime, at: now) { $0.isBeingReconfirmed = true }
    }

    /// Observes another host's question that all hosts receive. A record that should have answered it more than once
    /// and wasn't received is removed soon, without further questions (RFC 6762 section 10.5).
    ///
    /// - Parameters:
    ///   - known: The known answers of the other host.
    ///   - family: The IP version of the query. Hosts that don't use it didn't receive the question.
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
                shorten(question.name, data, to: CacheTiming.reconfirmationTime, at: now) { _ in }
            }
        }
    }

    /// Removes expired records, and returns the questions for records to refresh.
    ///
    /// - Parameter isWanted: A closure that returns whether the records with a name and type are still needed.
    mutating func advance(
        to now: Instant,
        isWanted: (DomainName, RecordType) -> Bool
    ) -> (expired: [ResourceRecord], refreshes: Set<DNSQuestion>) {
        var expired: [ResourceRecord] = []
        var refreshes: Set<DNSQuestion> = []
        while let (instant, identity) = queue.popFirst(dueAt: now) {
            guard var entry = entries[identity.name]?[identity.data], entry.queued == instant else { continue }
            guard entry.expiry > now else {
                remove(identity)
                expired.append(entry.record)
                continue
            }
            if entry.skipPassedRefreshes(at: now), isWanted(identity.name, identity.data.type) {
                refreshes.insert(DNSQuestion(name: identity.name, type: identity.data.type))
            }
            entry.queued = entry.nextEvent
            queue.insert(identity, at: entry.queued)
            entries[identity.name]?[identity.data] = entry
        }
        return (expired, refreshes)
    }

    // MARK: - Helpers

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

    /// Handles a host's claim that a response has all records with a name and type: older records expire within a
    /// second.
    private mutating func flush(_ name: DomainName, _ type: RecordType, at now: Instant) {
        for (data, entry) in entries[name] ?? [:]
        where data.type == type && entry.received.duration(to: now) > CacheTiming.lastSecond {
            expireSoon(name, data, at: now)
        }
    }

    private mutating func expireSoon(_ name: DomainName, _ data: RecordData, at now: Instant) {
        shorten(name, data, to: CacheTiming.lastSecond, at: now) { _ in }
    }

    /// Shortens a record's lifetime to a maximum, without refreshing it before its end.
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

    /// Queues a record. Its earlier entries stay in the queue. If they become too many, because a host repeatedly says
    /// goodbye and returns, the queue is rebuilt.
    private mutating func enqueue(_ identity: RecordIdentity, at instant: Instant) {
        guard queue.count >= CacheTiming.queueFactor * max(count, CacheTiming.maximumSetSize) else {
            queue.insert(identity, at: instant)
            return
        }
        queue.removeAll()
        for entry in entries.values.joined() {
            queue.insert(entry.value.record.identity, at: entry.value.queued)
        }
    }
}

extension RecordCache.Entry {
    /// The time of the record's next event.
    fileprivate var nextEvent: Instant {
        guard let refresh = refresh(stage) else { return expiry }
        return max(refresh, refresh.advanced(by: spread).roundedDown(to: CacheTiming.refreshGrain))
    }

    /// Skips all refresh times that have passed. Returns whether there was one.
    fileprivate mutating func skipPassedRefreshes(at now: Instant) -> Bool {
        let previous = stage
        while let refresh = refresh(stage), refresh <= now {
            stage += 1
        }
        return stage > previous
    }

    private func refresh(_ stage: Int) -> Instant? {
        guard stage < QuestionTiming.refreshPercentages.count else { return nil }
        return received.advanced(by: received.duration(to: expiry) * QuestionTiming.refreshPercentages[stage] / 100)
    }

    fileprivate func isFresh(at now: Instant) -> Bool {
        !isBeingReconfirmed && unanswered < CacheTiming.unansweredLimit
            && received.duration(to: now) <= received.duration(to: expiry) / 2
    }

    fileprivate func secondsLeft(at now: Instant) -> UInt32 {
        UInt32(clamping: now.duration(to: expiry).components.seconds)
    }
}

extension ResourceRecord {
    /// The number of bytes of the record without compression.
    fileprivate var cost: Int { name.wire.count + data.size }
}
