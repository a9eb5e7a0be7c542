internal import HAP
internal import NIOCore

/// A queue of requests to one accessory server, in the order of submission, with the outcomes of each submission so
/// far. It performs no I/O; deadlines are parameters.
struct RequestQueue: Sendable {
    /// A submission whose parts all have an outcome.
    struct Finished: Sendable {
        let ticket: TicketID
        /// The outcomes in the order of the parts, each with the sequence number of its response, or of the end of the
        /// submission if there was none.
        let results: [(outcome: RequestOutcome, arrival: ArrivalOrder)]

        var outcomes: [RequestOutcome] { results.map(\.outcome) }
    }

    enum Part {
        case pending(AccessoryFailure)
        case resolved(RequestOutcome, ArrivalOrder)
    }

    struct Ticket {
        var parts: [Part]
        var unresolved: Int
        let deadline: NIODeadline

        /// Sets the outcome of a part, unless it already has one. Returns whether it was the last part.
        mutating func resolve(_ index: Int, _ outcome: RequestOutcome) -> Bool {
            guard case .pending = parts[index] else { return false }
            parts[index] = .resolved(outcome, .next())
            unresolved -= 1
            return unresolved == 0
        }
    }

    private var requests = CircularBuffer<QueuedRequest>()
    /// Only changed in place, because a submission to a large bridge has thousands of parts whose outcomes are set one
    /// by one.
    private(set) var tickets: [TicketID: Ticket] = [:]
    /// Open tickets by deadline, which is the order of submission. Finished ones are removed once they are first, so
    /// that their number stays limited.
    private(set) var order = CircularBuffer<TicketID>()
    private var nextTicket: UInt64 = 0
    private var finished: [Finished] = []

    /// The earliest deadline of an open submission.
    var deadline: NIODeadline? {
        order.first.flatMap { tickets[$0]?.deadline }
    }

    /// Appends a submission. Deadlines must not decrease.
    mutating func add(_ kinds: [QueuedRequest.Kind], deadline: NIODeadline) -> TicketID {
        let id = TicketID(rawValue: nextTicket)
        nextTicket += 1
        guard !kinds.isEmpty else {
            finished.append(Finished(ticket: id, results: []))
            return id
        }
        let parts = Array(repeating: Part.pending(.timedOut), count: kinds.count)
        tickets[id] = Ticket(parts: parts, unresolved: kinds.count, deadline: deadline)
        order.append(id)
        for (index, kind) in kinds.enumerated() {
            requests.append(QueuedRequest(kind: kind, ticket: id, index: index))
        }
        return id
    }

    /// Removes and returns the requests at the front that fit in one HTTP request: reads, or writes and subscriptions
    /// without repeated characteristics. Timed writes are kept separate from plain ones.
    mutating func nextBatch(_ index: AttributeIndex, limits: SessionConfiguration) -> RequestBatch? {
        var builder = RequestBatch.Builder(index: index, limits: limits)
        while let request = requests.first {
            guard tickets[request.ticket] != nil else {
                requests.removeFirst()
                continue
            }
            if let failure = request.kind.withdrawal?.failure {
                requests.removeFirst()
                resolve(request, .failure(failure))
                continue
            }
            switch builder.add(request) {
            case .added:
                requests.removeFirst()
            case .impossible(let failure):
                requests.removeFirst()
                resolve(request, .failure(failure))
            case .full:
                return builder.batch
            }
        }
        return builder.batch
    }

    /// Records that requests were sent. If their deadline passes, their outcome is unknown.
    mutating func recordSent(_ batch: RequestBatch) {
        for request in batch.requests where !request.kind.isRepeatable {
            tickets[request.ticket]?.parts[request.index] = .pending(.outcomeUnknown(.timedOut))
        }
    }

    /// Puts requests back at the front, in order. Requests that were already requeued once fail instead.
    mutating func requeue(_ requests: [QueuedRequest], orFail failure: AccessoryFailure) {
        for var request in requests.reversed() {
            if request.isRetry {
                resolve(request, .failure(failure))
            } else if tickets[request.ticket] != nil {
                request.isRetry = true
                tickets[request.ticket]?.parts[request.index] = .pending(.timedOut)
                self.requests.prepend(request)
            }
        }
    }

    /// Sets the outcome of a request, unless its submission has ended.
    mutating func resolve(_ request: QueuedRequest, _ outcome: RequestOutcome) {
        if tickets[request.ticket]?.resolve(request.index, outcome) == true { finish(request.ticket) }
    }

    /// Sets the outcome of all pending pairings requests that match. Returns whether there was one.
    mutating func resolvePairings(_ request: PairingsRequest, _ response: PairingsResponse) -> Bool {
        let matching = requests.filter { queued in
            if case .pairings(request) = queued.kind { true } else { false }
        }
        for queued in matching { resolve(queued, .pairings(response)) }
        return !matching.isEmpty
    }

    /// Removes the requests about characteristics that a closure selects. They fail.
    mutating func fail(_ failure: AccessoryFailure, where isSelected: (CharacteristicID) -> Bool) {
        let selected = requests.filter { $0.kind.characteristic.map(isSelected) ?? false }
        guard !selected.isEmpty else { return }
        requests.removeAll { $0.kind.characteristic.map(isSelected) ?? false }
        for request in selected { resolve(request, .failure(failure)) }
    }

    /// Ends a submission. Its pending parts fail.
    mutating func fail(_ ticket: TicketID, _ failure: AccessoryFailure) {
        finish(ticket, failure)
    }

    /// Ends all submissions.
    mutating func failAll(_ failure: AccessoryFailure) {
        for ticket in order { finish(ticket, failure) }
        requests.removeAll()
    }

    /// Ends submissions whose deadline has passed.
    mutating func expire(at now: NIODeadline) {
        while let first = order.first, let ticket = tickets[first], ticket.deadline <= now { finish(first) }
    }

    /// Removes and returns the submissions that ended since the last call, in order.
    mutating func drainFinished() -> [Finished] {
        defer { finished = [] }
        return finished
    }

    /// Ends a submission. Parts without an outcome fail with the given failure, or with the one recorded for them.
    private mutating func finish(_ id: TicketID, _ failure: AccessoryFailure? = nil) {
        guard let ticket = tickets.removeValue(forKey: id) else { return }
        let results = ticket.parts.map { part in
            switch part {
            case .pending(let recorded):
                (outcome: RequestOutcome.failure(failure ?? recorded), arrival: ArrivalOrder.next())
            case .resolved(let outcome, let arrival): (outcome: outcome, arrival: arrival)
            }
        }
        finished.append(Finished(ticket: id, results: results))
        while let first = order.first, tickets[first] == nil { order.removeFirst() }
    }
}
