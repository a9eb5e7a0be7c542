package import Foundation
import HAP
import HomeIdentity

/// What a reader stores of a feed. It is stored before anything of it is shown, together with the copy of the homes.
///
/// It contains keys; printing it doesn't reveal them.
package struct KeptFeed: Hashable, Sendable, Codable, Redacted {
    /// A digest that the reader remembers of an entry.
    struct Mark: Hashable, Sendable, Codable {
        var sequence: Int
        var digest: EntryDigest
    }

    /// The feed.
    package let address: FeedAddress
    /// This device's ID, to which envelopes are addressed.
    package let device: UUID
    /// The last entry that was read; of several with one content, the last.
    package internal(set) var place = FeedPlace.start
    /// The position in the hub's logs; `nil` before the first entry.
    package internal(set) var seen: FeedCursors?
    /// The hub's time of what was read, in milliseconds since 1970; `nil` if it isn't known.
    package internal(set) var asOf: Int?
    /// The generation of the last entry.
    var generation = 0
    /// The keys of that generation and of later ones.
    var keys: [Int: GenerationKey] = [:]
    /// The last entries of the term.
    var marks: [Mark] = []
    /// The bytes of the last entry, to show if the hub has signed another one in its place.
    var lastEntry: [UInt8] = []
    /// The latest place that the hub itself has confirmed.
    var confirmed = FeedPlace.start
    /// Why the reader is stopped until it meets the hub.
    package internal(set) var stop: FeedError?
    /// Whether only a base is read, because what came before it can't be.
    var awaitsBase = false
    /// Two entries that the hub has signed for one place, if it did.
    package internal(set) var evidence: [[UInt8]] = []

    /// Creates the state of a reader that has read nothing.
    package init(_ address: FeedAddress, device: UUID) {
        self.address = address
        self.device = device
    }

    /// Returns whether the hub hasn't been heard of for ``FeedLimits/silenceTime``.
    ///
    /// - Parameter now: The device's time in milliseconds since 1970.
    /// - Returns: `false` also if the hub doesn't know the time, because the age isn't known then.
    package func isHubSilent(at now: Int) -> Bool {
        guard let asOf else { return false }
        return now.subtractingReportingOverflow(asOf).partialValue > FeedLimits.silenceTime
    }
}
