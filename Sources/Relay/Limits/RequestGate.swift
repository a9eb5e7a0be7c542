import HomeIdentity
import RelayAPI
import Synchronization

/// Counts what callers do against the limits of their keys, addresses and houses.
final class RequestGate: Sendable {
    // This is a class because all requests share it.

    private struct State {
        var sessionsByKey: RateLimiter<PublicKey>
        var sessionsByAddress: RateLimiter<String>
        var openHouses: RateLimiter<String>
        var writes: RateLimiter<HouseID>
        var dailyWrites: RateLimiter<HouseID>
        /// For houses that were written to, who did so last.
        var writers: [HouseID: (key: PublicKey, quota: HouseQuota)] = [:]
        var votes: RateLimiter<HouseID>
        var pipes: RateLimiter<PipePlace>
        var pipeBytes: RateLimiter<HouseID>
        var dailyPipeBytes: RateLimiter<HouseID>
        var waits: [PublicKey: Int] = [:]
        var allWaits = 0
    }

    private let limits: RelayServerLimits
    private let state: Mutex<State>

    init(_ limits: RelayServerLimits) {
        self.limits = limits
        state = Mutex(
            State(
                sessionsByKey: RateLimiter(capacity: limits.rates),
                sessionsByAddress: RateLimiter(capacity: limits.rates),
                openHouses: RateLimiter(capacity: limits.rates),
                writes: RateLimiter(capacity: limits.rates),
                dailyWrites: RateLimiter(capacity: limits.rates),
                votes: RateLimiter(capacity: limits.rates),
                pipes: RateLimiter(capacity: limits.rates),
                pipeBytes: RateLimiter(capacity: limits.rates),
                dailyPipeBytes: RateLimiter(capacity: limits.rates)
            )
        )
    }

    private static func check(_ wait: Int?, _ what: String) throws(RelayError) {
        guard let wait else { return }
        throw RelayError(.tooManyRequests, "\(what) Wait \(wait) s.", retryAfter: wait)
    }

    /// Counts an attempt to open a session.
    func countAttempt(from address: String, at now: Int64) throws(RelayError) {
        let rate = RateLimiter<String>.Rate.perMinute(limits.sessionsPerAddress)
        try Self.check(
            state.withLock { $0.sessionsByAddress.take(address, at: rate, now: now) },
            "Too many sessions from this address."
        )
    }

    /// Counts a session.
    func countSession(of key: PublicKey, at now: Int64) throws(RelayError) {
        let rate = RateLimiter<PublicKey>.Rate.perMinute(limits.sessionsPerKey)
        try Self.check(
            state.withLock { $0.sessionsByKey.take(key, at: rate, now: now) },
            "Too many sessions of this key; a token is valid for an hour."
        )
    }

    /// Counts a house that is registered without a token.
    func countOpenHouse(from address: String, at now: Int64) throws(RelayError) {
        let rate = RateLimiter<String>.Rate.perDay(limits.openHousesPerAddress)
        try Self.check(
            state.withLock { $0.openHouses.take(address, at: rate, now: now) },
            "Too many new houses from this address."
        )
    }

    /// Counts writes of a house. Call it for callers that may write only, so that nobody else uses up its rate.
    func countWrites(_ count: Int, of house: HouseID, _ quota: HouseQuota, at now: Int64) throws(RelayError) {
        let rate = RateLimiter<HouseID>.Rate(burst: quota.writeBurst, count: quota.writesPerMinute, period: 60_000)
        let daily = RateLimiter<HouseID>.Rate.perDay(quota.writesPerDay)
        let wait = state.withLock { state in
            state.writes.take(house, count, at: rate, now: now)
                ?? state.dailyWrites.take(house, count, at: daily, now: now)
        }
        try Self.check(wait, "Too many writes of this house.")
    }

    /// Counts a message to the relay as a voter of a house. Call it for owners only.
    func countVote(of house: HouseID, _ quota: HouseQuota, at now: Int64) throws(RelayError) {
        let rate = RateLimiter<HouseID>.Rate.perMinute(quota.votesPerMinute)
        try Self.check(state.withLock { $0.votes.take(house, at: rate, now: now) }, "Too many votes of this house.")
    }

    /// Returns the quota of a house that a key appended to last, so that the store needn't be asked. The store checks the
    /// right again as it appends.
    func quota(of house: HouseID, for key: PublicKey) -> HouseQuota? {
        state.withLock { state in
            guard let writer = state.writers[house], writer.key == key else { return nil }
            return writer.quota
        }
    }

    /// Notes that a key has appended to a house, or `nil`: that it may not any more.
    func note(_ key: PublicKey?, of house: HouseID, _ quota: HouseQuota) {
        state.withLock { state in
            if state.writers.count >= limits.rates { state.writers = [:] }
            state.writers[house] = key.map { ($0, quota) }
        }
    }

    /// Counts a pipe that is about to begin. Returns whether the rate allows it.
    func countPipe(of place: PipePlace, _ quota: HouseQuota, at now: Int64) -> Bool {
        state.withLock { $0.pipes.take(place, at: .perMinute(quota.pipesPerMinute), now: now) } == nil
    }

    /// What may be sent through pipes.
    enum PipeFlow: Hashable {
        /// The sender must wait before it sends more, in milliseconds.
        case wait(Int64)
        /// The house has sent as much as it may in a day.
        case spent
    }

    /// Counts bytes that are about to be sent through a house's pipes.
    func countPipeBytes(_ count: Int, of house: HouseID, _ quota: HouseQuota, at now: Int64) -> PipeFlow {
        let second = quota.pipeBytesPerSecond
        let rate = RateLimiter<HouseID>.Rate(burst: second, count: second, period: 1_000)
        return state.withLock { state in
            guard state.dailyPipeBytes.take(house, count, at: .perDay(quota.pipeBytesPerDay), now: now) == nil else {
                return .spent
            }
            return .wait(state.pipeBytes.charge(house, count, at: rate, now: now))
        }
    }

    /// Counts a request that is about to wait. ``endWait(of:)`` must follow.
    func beginWait(of key: PublicKey) throws(RelayError) {
        let isAllowed = state.withLock { state in
            guard state.waits[key, default: 0] < limits.waitsPerKey, state.allWaits < limits.waits else { return false }
            state.waits[key, default: 0] += 1
            state.allWaits += 1
            return true
        }
        guard isAllowed else {
            throw RelayError(.tooManyRequests, "Too many requests of this key wait. Ask without “wait”.", retryAfter: 1)
        }
    }

    /// Counts the end of a request that waited.
    func endWait(of key: PublicKey) {
        state.withLock { state in
            guard let count = state.waits[key] else { return }
            state.waits[key] = count > 1 ? count - 1 : nil
            state.allWaits -= 1
        }
    }
}
