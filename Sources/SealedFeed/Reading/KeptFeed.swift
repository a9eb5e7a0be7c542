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

    private enum CodingKeys: String, CodingKey {
        case address, device, place, seen, asOf, generation, keys, marks, lastEntry, confirmed, stop, awaitsBase,
            evidence
    }

    /// Reads a stored state. Entries are in base64, because lists of numbers are long and slow.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        address = try container.decode(FeedAddress.self, forKey: .address)
        device = try container.decode(UUID.self, forKey: .device)
        place = try container.decode(FeedPlace.self, forKey: .place)
        seen = try container.decodeIfPresent(FeedCursors.self, forKey: .seen)
        asOf = try container.decodeIfPresent(Int.self, forKey: .asOf)
        generation = try container.decode(Int.self, forKey: .generation)
        keys = try container.decode([Int: GenerationKey].self, forKey: .keys)
        marks = try container.decode([Mark].self, forKey: .marks)
        lastEntry = Array(try container.decode(Data.self, forKey: .lastEntry))
        confirmed = try container.decode(FeedPlace.self, forKey: .confirmed)
        stop = try container.decodeIfPresent(FeedError.self, forKey: .stop)
        awaitsBase = try container.decode(Bool.self, forKey: .awaitsBase)
        evidence = try container.decode([Data].self, forKey: .evidence).map(Array.init)
    }

    /// Writes the state.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(address, forKey: .address)
        try container.encode(device, forKey: .device)
        try container.encode(place, forKey: .place)
        try container.encodeIfPresent(seen, forKey: .seen)
        try container.encodeIfPresent(asOf, forKey: .asOf)
        try container.encode(generation, forKey: .generation)
        try container.encode(keys, forKey: .keys)
        try container.encode(marks, forKey: .marks)
        try container.encode(Data(lastEntry), forKey: .lastEntry)
        try container.encode(confirmed, forKey: .confirmed)
        try container.encodeIfPresent(stop, forKey: .stop)
        try container.encode(awaitsBase, forKey: .awaitsBase)
        try container.encode(evidence.map { Data($0) }, forKey: .evidence)
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
