internal import HAP
internal import NIOCore

extension SessionMachine {
    /// Begins a round of tries: one address after the other.
    mutating func connect(at now: NIODeadline) {
        phase = .connecting
        lastAttempt = now
        roundCause = nil
        untried = candidates
        round = Set(untried)
        enqueue(.connect(untried))
    }

    /// This address is of no use: goes on with the next, or ends the round.
    mutating func skipAddress(_ cause: UnreachableCause, at now: NIODeadline) {
        // The first is the likeliest, but nobody else knows what the accessory has forgotten.
        let cause = cause == .pairingForgotten ? cause : roundCause ?? cause
        roundCause = cause
        if untried.isEmpty {
            scheduleReconnect(after: cause, at: now)
            if !round.isSuperset(of: candidates) { connectNow(at: now) }
        } else {
            phase = .connecting
            enqueue(.connect(untried))
        }
    }

    /// Makes a try that waits, as soon as may be.
    mutating func connectNow(at now: NIODeadline) {
        guard case .waiting(let until) = phase else { return }
        // Announcements come in flocks; none of them may become a storm of connections.
        let earliest = (lastAttempt ?? now) + TimeAmount(configuration.reconnectDelay.lowerBound)
        if lastAttempt == nil || earliest <= now {
            connect(at: now)
        } else {
            phase = .waiting(until: min(until ?? earliest, earliest))
        }
    }

    /// The connection is gone. One that held is tried again at once, before anybody is told.
    mutating func disconnected(_ cause: UnreachableCause, at now: NIODeadline) {
        switch phase {
        case .idle, .waiting, .connecting, .stopped:
            return
        case .verifying:
            return skipAddress(cause, at: now)
        case .resubscribing, .readingAttributes, .ready:
            break
        }
        completeExchange(cause)
        if let readySince, now - readySince >= TimeAmount(configuration.stableAfter) {
            backoff.reset()
            hasRetriedImmediately = false
        }
        let wasReady = readySince != nil
        readySince = nil
        if wasReady, !hasRetriedImmediately {
            hasRetriedImmediately = true
            connect(at: now)
        } else {
            scheduleReconnect(after: cause, at: now)
        }
    }

    /// The accessory can't be used: tells so, fails what waits, and plans the next try.
    mutating func scheduleReconnect(after cause: UnreachableCause, at now: NIODeadline) {
        guard !terminateIfRemoved(cause) else { return }
        report(cause)
        queue.failAll(.unreachable(reportedCause ?? cause))
        readySince = nil
        phase = .waiting(until: now + TimeAmount(backoff.next(using: &generator)))
    }

    /// Tells the user why the accessory can't be used, unless that was told already.
    mutating func report(_ cause: UnreachableCause) {
        // Whoever said goodbye and does not answer is gone, whatever the last try to connect ended in.
        let cause = hasSaidGoodbye && cause.isOfNetwork ? .notAdvertised : cause
        guard cause != reportedCause else { return }
        reportedCause = cause
        enqueue(.report(.unreachable(cause)))
    }

    /// Counts an event, and tells whether there are more than anybody can use.
    mutating func exceedsEventRate(with event: EventMessage, at now: NIODeadline) -> Bool {
        if now - eventCount.since >= .seconds(1) { eventCount = (now, 0, 0) }
        eventCount.events += 1
        eventCount.bytes += event.body.count
        return eventCount.events > configuration.maximumEventsPerSecond
            || eventCount.bytes > configuration.maximumEventBytesPerSecond
    }

    /// Ends if the user is about to remove the pairing and the accessory has forgotten it: that is done then. Only the
    /// accessory itself can say so: whoever else answers at its address must not make the user forget it.
    mutating func terminateIfRemoved(_ cause: UnreachableCause) -> Bool {
        guard cause == .pairingForgotten, queue.resolvePairings(.remove(controllerID), .done) else { return false }
        terminate()
        return true
    }

    /// Ends for good.
    mutating func terminate() {
        guard phase != .stopped else { return }
        phase = .stopped
        exchange = nil
        queue.failAll(.stopped)
        enqueue(.disconnect(nil))
    }

    /// Settles the request whose answer will not come any more.
    private mutating func completeExchange(_ cause: UnreachableCause) {
        guard let kind = exchange?.kind else { return }
        exchange = nil
        switch kind {
        case .resubscribe, .attributes, .probe:
            break
        case .prepare(let batch, _):
            queue.requeue(batch.requests, orFail: .unreachable(cause))
        case .batch(let batch):
            let (repeatable, others) = batch.requests.partitioned { $0.kind.isRepeatable }
            for request in others { queue.resolve(request, .failure(.outcomeUnknown(cause))) }
            queue.requeue(repeatable, orFail: .unreachable(cause))
        }
    }
}

extension UnreachableCause {
    /// Whether it says that the accessory was not reached, rather than that it misbehaved.
    fileprivate var isOfNetwork: Bool {
        switch self {
        case .notAdvertised, .refused, .timedOut, .noRoute, .connectionLost: true
        case .verifyFailed, .otherAccessory, .identityChanged, .pairingForgotten, .pairingRefused, .busy, .httpError,
            .protocolViolation:
            false
        }
    }
}

extension Array {
    /// The elements that satisfy a predicate, and the others, each in order.
    fileprivate func partitioned(by predicate: (Element) -> Bool) -> (matching: [Element], others: [Element]) {
        (filter(predicate), filter { !predicate($0) })
    }
}
