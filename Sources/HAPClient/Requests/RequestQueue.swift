internal import HAP
internal import NIOCore

/// What waits to be sent to one accessory server, in the order of submission, and what has come of each submission so
/// far. No I/O; deadlines are handed in.
struct RequestQueue: Sendable {
    /// A submission of which every part has an outcome.
    struct Finished: Sendable {
        let ticket: TicketID
        /// In the order in which the parts were submitted, each with when its answer came: the end of the submission
        /// for a part without one.
        let results: [(outcome: RequestOutcome, arrival: Arrival)]

        var outcomes: [RequestOutcome] { results.map(\.outcome) }
    }

    enum Part {
        case pending(AccessoryFailure)
        case resolved(RequestOutcome, Arrival)
    }

    struct Ticket {
        var parts: [Part]
        var unresolved: Int
        let deadline: NIODeadline

        /// Gives a part its outcome, which has just arrived, unless it has one. Tells whether it was the last.
        mutating func resolve(_ index: Int, _ outcome: RequestOutcome) -> Bool {
            guard case .pending = parts[index] else { return false }
            parts[index] = .resolved(outcome, .next())
            unresolved -= 1
            return unresolved == 0
        }
    }

    private var requests = CircularBuffer<QueuedRequest>()
    /// Changed in place only: a submission to a large bridge has thousands of parts, and each gets its outcome by itself.
    private(set) var tickets: [TicketID: Ticket] = [:]
    /// Open tickets by deadline, which is the order of submission: finished ones are dropped once they come first, so
    /// that there are no more of them than were submitted within the time that one may take.
    private(set) var order = CircularBuffer<TicketID>()
    private var nextTicket: UInt64 = 0
    private var finished: [Finished] = []

    /// The earliest deadline of an open submission.
    var deadline: NIODeadline? {
        order.first.flatMap { tickets[$0]?.deadline }
    }

    /// Puts a submission at the end. Deadlines must not go back.
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

    /// Takes from the front what fits into one HTTP request: reads together, or writes and subscriptions together as
    /// long as no characteristic repeats, prepared writes apart from plain ones.
    mutating func nextBatch(_ index: AttributeIndex, limits: SessionConfiguration) -> RequestBatch? {
        var builder = RequestBatch.Builder(index: index, limits: limits)
        while let request = requests.first {
            guard tickets[request.ticket] != nil else {
                requests.removeFirst()
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

    /// Notes that the accessory may carry out these requests from now on: a deadline that passes says so.
    mutating func recordSent(_ batch: RequestBatch) {
        for request in batch.requests where !request.kind.isRepeatable {
            tickets[request.ticket]?.parts[request.index] = .pending(.outcomeUnknown(.timedOut))
        }
    }

    /// Puts requests back to the front, in their order. One that was put back before fails instead.
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

    /// Gives a request its outcome, unless its submission is over.
    mutating func resolve(_ request: QueuedRequest, _ outcome: RequestOutcome) {
        if tickets[request.ticket]?.resolve(request.index, outcome) == true { finish(request.ticket) }
    }

    /// Gives each request about pairings that waits and asks for this its outcome. Tells whether there was one.
    mutating func resolvePairings(_ asked: PairingsRequest, _ response: PairingsResponse) -> Bool {
        let matching = requests.filter { request in
            if case .pairings(asked) = request.kind { true } else { false }
        }
        for request in matching { resolve(request, .pairings(response)) }
        return !matching.isEmpty
    }

    /// Ends a submission: what is still open fails.
    mutating func fail(_ ticket: TicketID, _ failure: AccessoryFailure) {
        finish(ticket, failure)
    }

    /// Ends all submissions.
    mutating func failAll(_ failure: AccessoryFailure) {
        for ticket in order { finish(ticket, failure) }
        requests.removeAll()
    }

    /// Ends the submissions whose deadline has come.
    mutating func expire(at now: NIODeadline) {
        while let first = order.first, let ticket = tickets[first], ticket.deadline <= now { finish(first) }
    }

    /// The submissions that have ended since the last call, in the order in which they ended.
    mutating func drainFinished() -> [Finished] {
        defer { finished = [] }
        return finished
    }

    /// Ends a submission; parts without an outcome fail with the given failure, or with what was noted for them.
    private mutating func finish(_ id: TicketID, _ failure: AccessoryFailure? = nil) {
        guard let ticket = tickets.removeValue(forKey: id) else { return }
        let results = ticket.parts.map { part in
            switch part {
            case .pending(let noted): (outcome: RequestOutcome.failure(failure ?? noted), arrival: Arrival.next())
            case .resolved(let outcome, let arrival): (outcome: outcome, arrival: arrival)
            }
        }
        finished.append(Finished(ticket: id, results: results))
        while let first = order.first, tickets[first] == nil { order.removeFirst() }
    }
}
