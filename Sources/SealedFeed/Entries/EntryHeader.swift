package import Foundation
import HAP
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

extension EntryHeader: Decodable {
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

    /// The header's line, without a line feed. It is JSON without spaces, in the order of the keys.
    package var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("base", isBase)
            writer.member("feed", address.feed.description)
            writer.member("gen", generation)
            writer.member("house", address.house.description)
            writer.member("hub", hub.uuidString)
            writer.key("part")
            writer.array { writer in
                writer.write(part.number)
                writer.write(part.count)
            }
            writer.member("prev", previous.description)
            writer.member("salt", Data(salt).base64EncodedString())
            writer.member("seq", sequence)
            writer.member("term", term)
            writer.member("time", time)
            writer.member("version", FeedLimits.version)
        }
        return writer.bytes
    }
}
