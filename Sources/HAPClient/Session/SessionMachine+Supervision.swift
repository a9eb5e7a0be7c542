internal import HAP
internal import NIOCore

extension SessionMachine {
    /// Starts a round of attempts to connect, one address at a time.
    mutating func connect(at now: NIODeadline) {
        phase = .connecting
        lastAttempt = now
        roundCause = nil
        untried = candidates
        round = Set(untried)
        enqueue(.connect(untried))
    }

    /// Continues with the next address after a failure, or ends the round.
    mutating func skipAddress(_ cause: UnreachableCause, at now: NIODeadline) {
        // The first address is the most likely one, but only the accessory itself can report a forgotten pairing.
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

    /// Makes a scheduled attempt to connect as soon as allowed.
    mutating func connectNow(at now: NIODeadline) {
        guard case .waiting(let until) = phase else { return }
        // Announcements arrive in bursts, which must not cause a burst of connections.
        let earliest = (lastAttempt ?? now) + TimeAmount(configuration.reconnectDelay.lowerBound)
        if lastAttempt == nil || earliest <= now {
            connect(at: now)
        } else {
            phase = .waiting(until: min(until ?? earliest, earliest))
        }
    }

    /// Handles the loss of the connection. After a ready connection, it reconnects once immediately, before it reports
    /// the loss.
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

    /// Reports that the accessory is unreachable, fails pending requests, and schedules the next attempt.
    mutating func scheduleReconnect(after cause: UnreachableCause, at now: NIODeadline) {
        guard !terminateIfRemoved(cause) else { return }
        report(cause)
        queue.failAll(.unreachable(reportedCause ?? cause))
        readySince = nil
        phase = .waiting(until: now + TimeAmount(backoff.next(using: &generator)))
    }

    /// Reports why the accessory is unreachable, unless the cause was already reported.
    mutating func report(_ cause: UnreachableCause) {
        // An accessory that sent a goodbye and doesn't answer is gone, whatever error the last attempt ended with.
        let cause = hasSaidGoodbye && cause.isOfNetwork ? .notAdvertised : cause
        guard cause != reportedCause else { return }
        reportedCause = cause
        enqueue(.report(.unreachable(cause)))
    }

    /// Counts an event, and returns whether there are too many.
    mutating func exceedsEventRate(with event: EventMessage, at now: NIODeadline) -> Bool {
        if now - eventCount.since >= .seconds(1) { eventCount = (now, 0, 0) }
        eventCount.events += 1
        eventCount.bytes += event.body.count
        return eventCount.events > configuration.maximumEventsPerSecond
            || eventCount.bytes > configuration.maximumEventBytesPerSecond
    }

    /// Stops the session if a removal of the pairing is pending and the accessory has already forgotten it. The removal
    /// then succeeds. Only the authenticated accessory can cause this, not another device at its address.
    mutating func terminateIfRemoved(_ cause: UnreachableCause) -> Bool {
        guard cause == .pairingForgotten, queue.resolvePairings(.remove(controllerID), .done) else { return false }
        terminate()
        return true
    }

    /// Stops the session permanently.
    mutating func terminate() {
        guard phase != .stopped else { return }
        phase = .stopped
        exchange = nil
        queue.failAll(.stopped)
        enqueue(.disconnect(nil))
    }

    /// Completes the pending request, whose response will not arrive.
    mutating func completeExchange(_ cause: UnreachableCause) {
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
    /// Whether the accessory was not reached, rather than misbehaved.
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
    /// Returns the elements that satisfy a predicate, and the others, each in order.
    fileprivate func partitioned(by predicate: (Element) -> Bool) -> (matching: [Element], others: [Element]) {
        (filter(predicate), filter { !predicate($0) })
    }
}
