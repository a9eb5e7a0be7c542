internal import HAP
internal import HAPCatalog
internal import NIOCore

extension SessionMachine {
    /// Sends the next request, if no other is pending.
    mutating func proceed(at now: NIODeadline) {
        guard exchange == nil else { return }
        switch phase {
        case .idle, .waiting, .connecting, .verifying, .stopped: return
        case .resubscribing, .readingAttributes, .ready: break
        }
        if phase == .resubscribing, !dueSubscriptions.isEmpty {
            sendSubscriptions(at: now)
        } else if needsAttributes, phase != .ready || (rereadTime ?? now) <= now {
            if phase == .resubscribing { phase = .readingAttributes } else { lastReread = now }
            needsAttributes = false
            let request = HTTPRequest(.get, HAPEndpoint.accessories.path, host: host)
            send(request, .attributes(configurationNumber: announcedNumber), at: now)
        } else if let batch = queue.nextBatch(index, limits: configuration) {
            send(batch, at: now)
        } else if !dueSubscriptions.isEmpty {
            // These subscriptions remain if their submission ended before they were sent, or if their whole request was
            // rejected.
            sendSubscriptions(at: now)
        }
    }

    mutating func sendProbe(at now: NIODeadline) {
        guard let id = index.probe else { return }
        send(CharacteristicReadRequest(ids: [id]).request(host: host), .probe, at: now)
    }

    /// Handles the response to a request.
    mutating func handle(_ response: HTTPResponse, to kind: Exchange.Kind, at now: NIODeadline) {
        guard !response.saysNotVerified else { return reverify(kind, at: now) }
        switch kind {
        case .resubscribe(let entries):
            handleSubscriptions(response, entries)
        case .attributes(let number):
            return handleAttributes(response, number, at: now)
        case .probe:
            break
        case .prepare(let batch, let pid):
            handlePreparation(response, batch, pid, at: now)
        case .batch(let batch):
            handle(response, batch)
        }
        proceed(at: now)
    }

    private mutating func send(_ request: HTTPRequest, _ kind: Exchange.Kind, at now: NIODeadline) {
        exchange = Exchange(kind: kind, deadline: now + TimeAmount(configuration.responseTimeout))
        enqueue(.send(request))
    }

    private mutating func send(_ batch: RequestBatch, at now: NIODeadline) {
        if case .write(_, let timing) = batch.content, timing != .plain {
            // Use a number that is exact even if the peer represents JSON numbers as doubles.
            let pid = UInt64(UInt32.random(in: 1...UInt32.max, using: &generator))
            let longest = configuration.preparedWriteLifetime
            let lifetime = UInt64(TimeAmount(min(longest, batch.preparation ?? longest)).nanoseconds / 1_000_000)
            let request = PrepareRequest(timeToLive: lifetime, pid: pid).request(host: host)
            send(request, .prepare(batch, pid: pid), at: now)
        } else {
            send(batch, pid: nil, at: now)
        }
    }

    private mutating func send(_ batch: RequestBatch, pid: UInt64?, at now: NIODeadline) {
        queue.recordSent(batch)
        recordSubscriptions(in: batch)
        send(batch.httpRequest(host: host, pid: pid), .batch(batch), at: now)
    }

    private mutating func sendSubscriptions(at now: NIODeadline) {
        let entries = nextSubscriptions().map { CharacteristicWriteRequest.Entry(id: $0.id, events: $0.enabled) }
        send(CharacteristicWriteRequest(entries: entries).request(host: host), .resubscribe(entries), at: now)
    }

    /// Handles the loss of the session on the accessory's side. The request was not executed, so it can be sent again
    /// in a new session.
    private mutating func reverify(_ kind: Exchange.Kind, at now: NIODeadline) {
        switch kind {
        case .resubscribe, .attributes, .probe: break
        case .prepare(let batch, _), .batch(let batch):
            queue.requeue(batch.requests, orFail: .status(.insufficientAuthorization))
        }
        let cause = UnreachableCause.verifyFailed("it no longer considers the connection verified")
        enqueue(.disconnect(cause))
        disconnected(cause, at: now)
    }

    private mutating func handleAttributes(_ response: HTTPResponse, _ number: Int?, at now: NIODeadline) {
        let accessories: [AccessoryAttributes]
        do {
            if let refusal = response.refusal { throw refusal }
            accessories = try AttributeDatabase(decoding: response.body).accessories
        } catch {
            let cause = UnreachableCause.protocolViolation("its description can't be read (\(error))")
            enqueue(.disconnect(cause))
            return scheduleReconnect(after: cause, at: now)
        }
        let former = index
        index = AttributeIndex(accessories)
        // What waits was meant for the characteristic that had the ID before.
        queue.fail(.status(.noSuchResource)) { [index] in index.hasReplaced($0, of: former) }
        knownNumber = number
        needsAttributes = announcedNumber != number
        hasSaidGoodbye = false
        reportedCause = nil
        if readySince == nil { readySince = now }
        phase = .ready
        enqueue(.report(.ready(accessories)))
        proceed(at: now)
    }

    private mutating func handlePreparation(
        _ response: HTTPResponse,
        _ batch: RequestBatch,
        _ pid: UInt64,
        at now: NIODeadline
    ) {
        // Preparing took its time.
        let (batch, withdrawn) = batch.withoutWithdrawn
        for (request, failure) in withdrawn { queue.resolve(request, .failure(failure)) }
        guard !batch.requests.isEmpty else { return }
        let statusInBody = try? StatusBody(decoding: response.body).status
        let failure = response.refusal ?? statusInBody.flatMap { $0.isSuccess ? nil : .status($0) }
        switch (failure, batch.content) {
        case (nil, _):
            cannotPrepare = false
            send(batch, pid: pid, at: now)
        case (let failure?, .write(_, .timedPreferred)) where batch.preparation == nil || !failure.isTemporary:
            cannotPrepare = !failure.isTemporary
            send(batch, pid: nil, at: now)
        case (let failure?, _):
            for request in batch.requests { queue.resolve(request, .failure(failure)) }
        }
    }

    mutating func handle(_ response: HTTPResponse, _ batch: RequestBatch) {
        if case .write(let entries, _) = batch.content { handleSubscriptions(response, entries) }
        for (request, outcome) in zip(batch.requests, batch.outcomes(response, index)) {
            queue.resolve(request, outcome)
            // Without the pairing, there is nothing left to supervise.
            if case .pairings(.remove(controllerID)) = request.kind, case .pairings = outcome { terminate() }
        }
    }
}

extension AccessoryFailure {
    /// Whether the accessory can do what was asked, but not now.
    fileprivate var isTemporary: Bool {
        switch self {
        case .status(let status): [.busy, .outOfResources, .timedOut].contains(status)
        case .refused(let status): [.tooManyRequests, .serviceUnavailable].contains(HTTPStatus(rawValue: status))
        default: false
        }
    }
}
