/// Answers questions on one link (RFC 6762 sections 5.4, 6 and 7).
///
/// All multicast answers and announcements pass through one list, so that no record is repeated within a second and
/// answers to several questions share packets.
struct Responder {
    private struct Pending {
        var due: Instant
        let order: UInt64
    }

    private struct Goodbye {
        let record: ResourceRecord
        var due: Instant
        var remaining: Int
        let order: UInt64
    }

    private struct Awaited {
        let isUnicastPossible: Bool
        var questions: [DNSQuestion]
        var known: [RecordIdentity: UInt32]
        let deadline: Instant
    }

    private var pending: [RecordIdentity: Pending] = [:]
    private var lastMulticast: [RecordIdentity: Instant] = [:]
    private var awaited: [Endpoint: Awaited] = [:]
    private var goodbyes: [RecordIdentity: Goodbye] = [:]
    private var order: UInt64 = 0

    /// The time at which ``advance(to:zone:jitter:)`` has something to do.
    var deadline: Instant? {
        pending.values.lazy.map(\.due).min().earlier(awaited.values.lazy.map(\.deadline).min())
            .earlier(goodbyes.values.lazy.map(\.due).min())
    }

    /// Whether goodbyes remain to be sent.
    var isSayingGoodbye: Bool { !goodbyes.isEmpty }

    // MARK: - Questions

    /// Handles a query.
    ///
    /// - Parameters:
    ///   - isUnicastPossible: Whether a unicast response would reach the sender. On this host's shared port it would
    ///     reach an arbitrary program, and on another link it would be ignored.
    /// - Returns: The responses that can't wait.
    mutating func receive(
        _ query: DNSMessage,
        from source: Endpoint,
        isUnicastPossible: Bool,
        zone: Zone,
        at now: Instant,
        jitter: inout Jitter
    ) -> [Outgoing] {
        guard source.speaksMulticastDNS else {
            return isUnicastPossible ? legacyReply(to: query, from: source, zone: zone) : []
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
            awaited[source] = Awaited(
                isUnicastPossible: isUnicastPossible,
                questions: questions,
                known: known,
                deadline: deadline
            )
            return []
        }
        return answer(
            questions,
            known: known,
            isProbe: !query.authorities.isEmpty,
            from: isUnicastPossible ? source : nil,
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
        at now: Instant,
        jitter: inout Jitter
    ) -> [Outgoing] {
        var unicast: [ResourceRecord] = []
        var multicast: [ResourceRecord] = []
        var seen: Set<RecordIdentity> = []
        func isKnown(_ record: ResourceRecord) -> Bool {
            known[record.identity].map { $0 >= record.ttl / ResponseTiming.knownAnswerDivisor } ?? false
        }
        var isAlone = true
        for question in Set(questions).sorted(by: { !$0.wantsUnicast && $1.wantsUnicast }) {
            let answers = zone.answers(to: question)
            isAlone = isAlone && !answers.isEmpty && answers.allSatisfy(\.isUnique)
            for record in answers where seen.insert(record.identity).inserted && !isKnown(record) {
                if question.wantsUnicast, source != nil, wasMulticastLately(record, at: now) {
                    unicast.append(record)
                    // A program that probes may share the port and not receive the response, so the name is also
                    // defended by multicast.
                    if isProbe {
                        multicast.append(record)
                    }
                } else {
                    multicast.append(record)
                }
            }
        }
        // If other hosts may also answer, the delay prevents simultaneous responses.
        let delay = isAlone || isProbe ? .zero : jitter.delay(in: ResponseTiming.sharedDelay)
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

    // MARK: - Responses of other hosts

    /// Handles another host's response. Answers that it has already given are not repeated. If it repeats a record of
    /// this host with too short a lifetime, including a goodbye, the record is corrected.
    mutating func receive(_ records: [ResourceRecord], zone: Zone, at now: Instant) {
        for record in records {
            guard let ours = zone.record(record.identity) else { continue }
            if record.ttl >= ours.ttl {
                pending[record.identity] = nil
            } else if record.ttl < ours.ttl / ResponseTiming.correctionDivisor {
                enqueue(record.identity, due: now, at: now, repeatInterval: ResponseTiming.repeatInterval)
            }
        }
    }

    // MARK: - Unsolicited responses

    /// Schedules records to be multicast as soon as allowed.
    mutating func announce(_ records: [ResourceRecord], at now: Instant) {
        for record in records {
            enqueue(record.identity, due: now, at: now, repeatInterval: ResponseTiming.repeatInterval)
        }
    }

    /// Sends goodbyes for records immediately, and again where packets can be lost. Goodbyes are dropped for records
    /// that are announced again.
    mutating func sayGoodbye(_ records: [ResourceRecord], times: Int, at now: Instant) {
        for record in records {
            pending[record.identity] = nil
            order += 1
            goodbyes[record.identity] = Goodbye(record: record, due: now, remaining: times, order: order)
        }
    }

    /// Removes the state of records that this host no longer has.
    mutating func forget(exceptIn zone: Zone) {
        pending = pending.filter { zone.record($0.key) != nil }
        lastMulticast = lastMulticast.filter { zone.record($0.key) != nil }
    }

    // MARK: - Time

    /// Returns the messages that are due.
    mutating func advance(to now: Instant, zone: Zone, jitter: inout Jitter) -> [Outgoing] {
        var outgoing: [Outgoing] = []
        for (source, query) in awaited where query.deadline <= now {
            awaited[source] = nil
            outgoing += answer(
                query.questions,
                known: query.known,
                isProbe: false,
                from: query.isUnicastPossible ? source : nil,
                zone: zone,
                at: now,
                jitter: &jitter
            )
        }
        let dueGoodbyes = dequeueGoodbyes(at: now, zone: zone)
        if !dueGoodbyes.isEmpty {
            outgoing.append(Outgoing(message: .response(dueGoodbyes)))
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

    // MARK: - Helpers

    private mutating func dequeueGoodbyes(at now: Instant, zone: Zone) -> [ResourceRecord] {
        guard !goodbyes.isEmpty else { return [] }
        goodbyes = goodbyes.filter { zone.record($0.key) == nil }
        let due = goodbyes.filter { $0.value.due <= now }.sorted { $0.value.order < $1.value.order }
        for (identity, goodbye) in due {
            var goodbye = goodbye
            goodbye.remaining -= 1
            goodbye.due = now.advanced(by: ResponseTiming.goodbyeInterval)
            goodbyes[identity] = goodbye.remaining > 0 ? goodbye : nil
        }
        return due.map(\.value.record)
    }

    private mutating func enqueue(
        _ identity: RecordIdentity,
        due: Instant,
        at now: Instant,
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

    private func wasMulticastLately(_ record: ResourceRecord, at now: Instant) -> Bool {
        guard let last = lastMulticast[record.identity] else { return false }
        return last.duration(to: now) < .seconds(Int64(record.ttl)) / ResponseTiming.unicastDivisor
    }
}

extension DNSMessage {
    /// Creates a multicast DNS response.
    static func response(_ answers: [ResourceRecord], _ additionals: [ResourceRecord] = []) -> DNSMessage {
        DNSMessage(flags: [.response, .authoritative], answers: answers, additionals: additionals)
    }
}
