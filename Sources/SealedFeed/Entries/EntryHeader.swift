package import Foundation
package import HomeIdentity

/// The first line of an entry, which the relay reads too.
package struct EntryHeader: Hashable, Sendable {
    /// The place of an entry among those that have one content together.
    package struct Part: Hashable, Sendable {
        /// The number of the part, from 1.
        package var number: Int
        /// The number of parts.
        package var count: Int

        /// Creates a place.
        package init(number: Int, count: Int) {
            self.number = number
            self.count = count
        }

        /// Whether it is the first part.
        package var isFirst: Bool { number == 1 }
        /// Whether it is the last part.
        package var isLast: Bool { number == count }
    }

    /// The feed.
    package var address: FeedAddress
    /// The hub that signs.
    package var hub: UUID
    /// Whether the content is the full state, from which a reader can begin.
    package var isBase: Bool
    /// The generation of the key.
    package var generation: Int
    /// The number of times that the hub began the feed again because the relay had lost entries.
    package var term: Int
    /// The entry's number, from 1.
    package var sequence: Int
    /// The digest of the entry before.
    package var previous: EntryDigest
    /// The part of the content.
    package var part: Part
    /// Random bytes, from which the entry's own key follows.
    package var salt: [UInt8]
    /// The hub's time in milliseconds since 1970; 0 if its clock was never set.
    package var time: Int
}

extension EntryHeader: Codable {
    private enum Key: String, CodingKey {
        case base, feed, gen, house, hub, part, prev, salt, seq, term, time, version
    }

    /// Decodes a header, and checks its limits.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func number(_ key: Key, from minimum: Int) throws -> Int {
            let number = try container.decode(Int.self, forKey: key)
            guard number >= minimum, number <= FeedLimits.maximumNumber else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "Out of range.")
            }
            return number
        }
        address = FeedAddress(
            house: try container.decode(HouseID.self, forKey: .house),
            feed: try container.decode(FeedID.self, forKey: .feed)
        )
        hub = try container.decode(UUID.self, forKey: .hub)
        isBase = try container.decode(Bool.self, forKey: .base)
        generation = try number(.gen, from: 1)
        term = try number(.term, from: 0)
        sequence = try number(.seq, from: 1)
        previous = try container.decode(EntryDigest.self, forKey: .prev)
        time = try number(.time, from: 0)
        let part = try container.decode([Int].self, forKey: .part)
        guard part.count == 2, part[1] <= FeedLimits.maximumParts, part[0] >= 1, part[0] <= part[1] else {
            throw DecodingError.dataCorruptedError(forKey: .part, in: container, debugDescription: "Out of range.")
        }
        self.part = Part(number: part[0], count: part[1])
        salt = Array(try container.decode(Data.self, forKey: .salt))
        guard salt.count == FeedLimits.saltByteCount else {
            throw DecodingError.dataCorruptedError(forKey: .salt, in: container, debugDescription: "Wrong length.")
        }
    }

    /// Encodes the header.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(isBase, forKey: .base)
        try container.encode(address.feed, forKey: .feed)
        try container.encode(generation, forKey: .gen)
        try container.encode(address.house, forKey: .house)
        try container.encode(hub, forKey: .hub)
        try container.encode([part.number, part.count], forKey: .part)
        try container.encode(previous, forKey: .prev)
        try container.encode(Data(salt), forKey: .salt)
        try container.encode(sequence, forKey: .seq)
        try container.encode(term, forKey: .term)
        try container.encode(time, forKey: .time)
        try container.encode(FeedLimits.version, forKey: .version)
    }
}
