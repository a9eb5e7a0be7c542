import Foundation

/// The open codes for signing in, and the attempts to guess one. It does no I/O.
struct LoginGate: Sendable {
    /// The limits.
    struct Limits: Sendable {
        /// How long a code is valid.
        var lifetime = Duration.seconds(60)
        /// The maximum number of open codes. A further one replaces the oldest.
        var codes = 8
        /// The maximum number of wrong codes per address and ``window``.
        var triesPerAddress = 5
        /// The maximum number of wrong codes from all addresses per ``window``. Then all open codes become invalid.
        var tries = 30
        /// The time for which a wrong code counts.
        var window = Duration.seconds(60)
    }

    /// The outcome of an attempt.
    enum Outcome: Hashable, Sendable {
        /// The code is right. It has been used up.
        case accepted(UUID)
        /// The code is wrong, was used or has expired.
        case wrong
        /// The code wasn't looked at.
        case tooManyTries(retryAfter: Duration)
    }

    private struct Code {
        var digest: [UInt8]
        var user: UUID
        var expires: Duration
    }

    private struct Miss {
        var address: String
        var time: Duration
    }

    private let limits: Limits
    private var codes: [Code] = []
    private var misses: [Miss] = []

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Adds a code.
    ///
    /// - Parameters:
    ///   - digest: The digest of the code.
    ///   - user: The user whom the code signs in.
    ///   - now: The time since any fixed point.
    mutating func add(_ digest: [UInt8], for user: UUID, at now: Duration) {
        codes.removeAll { $0.expires <= now }
        if codes.count >= limits.codes { codes.removeFirst() }
        codes.append(Code(digest: digest, user: user, expires: now + limits.lifetime))
    }

    /// Tries a code.
    ///
    /// - Parameters:
    ///   - digest: The digest of what was entered.
    ///   - address: The address that it came from.
    ///   - now: The time since the same point.
    mutating func enter(_ digest: [UInt8], from address: String, at now: Duration) -> Outcome {
        codes.removeAll { $0.expires <= now }
        misses.removeAll { $0.time + limits.window <= now }
        let own = misses.filter { $0.address == address }
        if misses.count >= limits.tries { return .tooManyTries(retryAfter: wait(misses[0], now)) }
        if own.count >= limits.triesPerAddress { return .tooManyTries(retryAfter: wait(own[0], now)) }
        // The codes' digests are compared, so the time of the comparison says nothing about a code.
        if let index = codes.firstIndex(where: { $0.digest == digest }) {
            return .accepted(codes.remove(at: index).user)
        }
        misses.append(Miss(address: address, time: now))
        if misses.count >= limits.tries { codes = [] }
        return .wrong
    }

    /// Doesn't count the last wrong code from an address, because it was an invitation's.
    mutating func forgive(_ address: String) {
        guard let index = misses.lastIndex(where: { $0.address == address }) else { return }
        misses.remove(at: index)
    }

    private func wait(_ miss: Miss, _ now: Duration) -> Duration { miss.time + limits.window - now }
}
