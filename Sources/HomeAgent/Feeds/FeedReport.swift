import Foundation
import HomeIdentity
import HubAPI
import SealedFeed

/// What a device knows of its feed at a moment.
struct FeedReport: Hashable, Sendable {
    /// Where the feed is; `nil` while the hub has no relay.
    var location: FeedLocation?
    /// The reader's last entry; `nil` before the first one.
    var place: FeedPlace?
    /// The hub's time of what was read, in milliseconds since 1970; `nil` if it isn't known.
    var asOf: Int?
    /// When this device first had that, by its own time.
    var readAt: Date?
    /// Why nothing is taken from the relay, or not now.
    var problem: FeedError?
    /// Whether nothing more is taken until the hub was met.
    var isStopped = false
    /// Why the relay can't be asked; `nil` while it can.
    var trouble: String?

    /// The time as of which the homes are: the hub's, or the time at which this device read it, if the hub's clock is ahead.
    var time: Date? {
        asOf.map { asOf in
            let time = Date(timeIntervalSince1970: Double(asOf) / 1_000)
            return readAt.map { min($0, time) } ?? time
        }
    }

    /// Returns whether the hub was not heard of for so long that people are told.
    ///
    /// - Parameter contact: When the hub itself was last in reach.
    func isSilent(since contact: Date?, at now: Date) -> Bool {
        // A hub whose clock was never set tells no times. Then nothing is said of the age.
        guard location != nil, let time else { return false }
        let last = max(time, contact ?? time)
        return now.timeIntervalSince(last) * 1_000 > Double(FeedLimits.silenceTime)
    }

    /// The report for people and programs.
    var description: AgentFeed? {
        guard let location else { return nil }
        return AgentFeed(
            relay: location.relay,
            place: place.map { FeedLocation.Place(term: $0.term, seq: $0.sequence, head: $0.head.description) },
            asOf: time,
            problem: problem.map { AgentFeed.Problem(code: $0.code.rawValue, reason: $0.message) },
            isStopped: isStopped,
            trouble: trouble
        )
    }
}
