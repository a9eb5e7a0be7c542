internal import HAP

/// The write that a connection has prepared, if any. Source: HAP specification 6.7.2.4.
struct TimedWrite: Sendable {
    private var prepared: (pid: UInt64, deadline: ContinuousClock.Instant)?

    /// Takes note of `PUT /prepare`; what was prepared before is void.
    mutating func prepare(_ request: PrepareRequest, at now: ContinuousClock.Instant) {
        let longest = UInt64(ServerLimits.timedWriteLifetime / .milliseconds(1))
        let lifetime = Duration.milliseconds(min(request.timeToLive, longest))
        prepared = (request.pid, now + lifetime)
    }

    /// Whether a write with this pid was prepared and comes in time. It can be executed once, and not after another pid
    /// was tried.
    mutating func execute(pid: UInt64, at now: ContinuousClock.Instant) -> Bool {
        defer { prepared = nil }
        guard let prepared else { return false }
        return prepared.pid == pid && now < prepared.deadline
    }
}
