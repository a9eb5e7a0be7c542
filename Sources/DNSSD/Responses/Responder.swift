/// Answers questions on one link: what, when, to whom (RFC 6762 sections 5.4, 6 and 7).
///
/// Everything multicast passes through one list of pending answers, announcements included, so that no record is
/// repeated within a second and answers to several questions share packets.
struct Responder {
    private struct Pending {
        var due: Moment
        let order: UInt64
    }

    private struct Awaited {
        let isOwnHost: Bool
        var questions: [DNSQuestion]
        var known: [RecordIdentity: UInt32]
        let deadline: Moment
    }

    private var pending: [RecordIdentity: Pending] = [:]
    private var lastMulticast: [RecordIdentity: Moment] = [:]
    private var awaited: [Endpoint: Awaited] = [:]
    private var order: UInt64 = 0

    /// When ``advance(to:zone:jitter:)`` has something to do.
    var deadline: Moment? {
        pending.values.lazy.map(\.due).min().earlier(awaited.values.lazy.map(\.deadline).min())
    }

    // MARK: - Questions

    /// Takes a query.
    ///
    /// - Parameters:
    ///   - isOwnHost: Whether it came from this host. A unicast reply to the shared port would then reach an arbitrary
    ///     program of this host, so the reply is multicast.
    /// - Returns: The replies that cannot wait.
    mutating func receive(
        _ query: DNSMessage,
        from source: Endpoint,
        isOwnHost: Bool,
        zone: Zone,
        at now: Moment,
        jitter: inout Jitter
    ) -> [Outgoing] {
        guard source.speaksMulticastDNS else {
            return legacyReply(to: query, from: source, zone: zone)
        }
        var questions = query.questions
        var known = Dictionary(
            query.answers.map { ($0.identity, $0.ttl) },
            uniquingKeysWith: { max($0, $1) }
        )
        let earlier = awaited.removeValue(forKey: source)
        if let earlier {
            questions = earlier.questions + questions
            known.merge(earlier.known) { max($0, $1) }
        }
        if query.flags.contains(.truncated), known.count <= ResponseTiming.maximumAwaited.answers,
            awaited.count < ResponseTiming.maximumAwaited.hosts
        {
            let deadline = earlier?.deadline ?? now.advanced(by: jitter.delay(in: ResponseTiming.truncatedDelay))
            awaited[source] = Awaited(isOwnHost: isOwnHost, questions: questions, known: known, deadline: deadline)
            return []
        }
        return answer(
            questions,
            known: known,
            isProbe: !query.authorities.isEmpty,
            from: isOwnHost ? nil : source,
            zone: zone,
            at: now,
            jitter: &jitter
        )
    }

    private mutating func answer(
        _ questions: [DNSQuestion],
        known: [RecordIdentity: UInt32],
        isProbe: Bool,
        from source: Endpoint?,
        zone: Zone,
        at now: Moment,
        jitter: inout Jitter
    ) -> [Outgoing] {
        var unicast: [ResourceRecord] = []
        var multicast: [ResourceRecord] = []
        var seen: Set<RecordIdentity> = []
        func isKnown(_ record: ResourceRecord) -> Bool {
            known[record.identity].map { $0 >= record.ttl / ResponseTiming.knownAnswerDivisor } ?? false
        }
        for question in Set(questions).sorted(by: { !$0.wantsUnicast && $1.wantsUnicast }) {
            for record in zone.answers(to: question) where seen.insert(record.identity).inserted && !isKnown(record) {
                if question.wantsUnicast, source != nil, wasMulticastLately(record, at: now) {
                    unicast.append(record)
                } else {
                    multicast.append(record)
                }
            }
        }
        let isShared = multicast.contains { !$0.isUnique }
        let delay = isShared && !isProbe ? jitter.delay(in: ResponseTiming.sharedDelay) : .zero
        for record in multicast {
            enqueue(
                record.identity,
                due: now.advanced(by: delay),
                at: now,
                repeatInterval: isProbe ? ResponseTiming.defenceInterval : ResponseTiming.repeatInterval
            )
        }
        guard let source, !unicast.isEmpty else { return [] }
        let additionals = zone.additionals(for: unicast).filter { !isKnown($0) }
        return [Outgoing(message: .response(unicast, additionals), destination: .unicast(source))]
    }

    private func legacyReply(to query: DNSMessage, from source: Endpoint, zone: Zone) -> [Outgoing] {
        var seen: Set<RecordIdentity> = []
        let answers = query.questions.flatMap { zone.answers(to: $0) }.filter { seen.insert($0.identity).inserted }
        guard !answers.isEmpty else { return [] }
        var reply = DNSMessage.response(answers, zone.additionals(for: answers))
        reply.id = query.id
        reply.questions = query.questions.map { question in
            var echoed = question
            echoed.wantsUnicast = false
            return echoed
        }
        return [Outgoing(message: reply, destination: .unicast(source), isLegacy: true)]
    }

    // MARK: - What others answer

    /// Hears another host's response. What it says for us need not be said again; where it says something of ours with
    /// too short a lifetime, be it a goodbye, we put it right.
    mutating func hear(_ records: [ResourceRecord], zone: Zone, at now: Moment) {
        for record in records {
            guard let ours = zone.record(record.identity) else { continue }
            if record.ttl >= ours.ttl {
                pending[record.identity] = nil
            } else if record.ttl < ours.ttl / ResponseTiming.correctionDivisor {
                enqueue(record.identity, due: now, at: now, repeatInterval: ResponseTiming.repeatInterval)
            }
        }
    }

    // MARK: - Unasked

    /// Has records multicast as soon as they may be.
    mutating func announce(_ records: [ResourceRecord], at now: Moment) {
        for record in records {
            enqueue(record.identity, due: now, at: now, repeatInterval: ResponseTiming.repeatInterval)
        }
    }

    /// Forgets records that are no longer ours.
    mutating func forget(exceptIn zone: Zone) {
        pending = pending.filter { zone.record($0.key) != nil }
        lastMulticast = lastMulticast.filter { zone.record($0.key) != nil }
    }

    // MARK: - Time

    /// Sends what is due.
    mutating func advance(to now: Moment, zone: Zone, jitter: inout Jitter) -> [Outgoing] {
        var outgoing: [Outgoing] = []
        for (source, query) in awaited where query.deadline <= now {
            awaited[source] = nil
            outgoing += answer(
                query.questions,
                known: query.known,
                isProbe: false,
                from: query.isOwnHost ? nil : source,
                zone: zone,
                at: now,
                jitter: &jitter
            )
        }
        let due = pending.filter { $0.value.due <= now }.sorted { $0.value.order < $1.value.order }.map(\.key)
        let answers = due.compactMap { zone.record($0) }
        for identity in due {
            pending[identity] = nil
        }
        guard !answers.isEmpty else { return outgoing }
        let additionals = zone.additionals(for: answers).filter { record in
            lastMulticast[record.identity].map { $0.duration(to: now) >= ResponseTiming.repeatInterval } ?? true
        }
        for record in answers + additionals {
            lastMulticast[record.identity] = now
            pending[record.identity] = nil
        }
        outgoing.append(Outgoing(message: .response(answers, additionals)))
        return outgoing
    }

    // MARK: - Details

    private mutating func enqueue(
        _ identity: RecordIdentity,
        due: Moment,
        at now: Moment,
        repeatInterval: Duration
    ) {
        let allowed = lastMulticast[identity].map { $0.advanced(by: repeatInterval) } ?? now
        let due = max(due, allowed)
        if let earlier = pending[identity] {
            pending[identity]?.due = min(earlier.due, due)
        } else {
            order += 1
            pending[identity] = Pending(due: due, order: order)
        }
    }

    private func wasMulticastLately(_ record: ResourceRecord, at now: Moment) -> Bool {
        guard let last = lastMulticast[record.identity] else { return false }
        return last.duration(to: now) < .seconds(Int64(record.ttl)) / ResponseTiming.unicastDivisor
    }
}

extension DNSMessage {
    /// A multicast DNS response.
    static func response(_ answers: [ResourceRecord], _ additionals: [ResourceRecord] = []) -> DNSMessage {
        DNSMessage(flags: [.response, .authoritative], answers: answers, additionals: additionals)
    }
}
