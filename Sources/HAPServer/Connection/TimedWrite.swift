internal import HAP

/// The prepared write of a connection, if any. Source: HAP specification 6.7.2.4.
struct TimedWrite: Sendable {
    private var prepared: (pid: UInt64, deadline: ContinuousClock.Instant)?

    /// Handles `PUT /prepare`, which replaces an earlier prepared write.
    mutating func prepare(_ request: PrepareRequest, at now: ContinuousClock.Instant) {
        let maximum = UInt64(ServerLimits.timedWriteLifetime / .milliseconds(1))
        let lifetime = Duration.milliseconds(min(request.timeToLive, maximum))
        prepared = (request.pid, now + lifetime)
    }

    /// Returns whether a write with this pid was prepared and arrives in time. It can be executed only once, and not
    /// after an attempt with another pid.
    mutating func execute(pid: UInt64, at now: ContinuousClock.Instant) -> Bool {
        defer { prepared = nil }
        guard let prepared else { return false }
        return prepared.pid == pid && now < prepared.deadline
    }
}
