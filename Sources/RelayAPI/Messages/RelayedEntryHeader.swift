package import Foundation
package import HomeIdentity

/// What a relay may know of an entry: the parts of its first line that say where it belongs. A relay can't check the
/// signature, because it doesn't know the hub's key; readers do.
package struct RelayedEntryHeader: Hashable, Sendable {
    /// The house.
    package var house: HouseID
    /// The feed.
    package var feed: FeedID
    /// The number in the feed; the first entry is 1.
    package var seq: Int64
    /// The hash of the previous entry.
    package var prev: EntryDigest
    /// Whether the entry, or the run of entries that it is part of, holds a full state.
    package var isBase: Bool
    /// The number of the entry in its run, from 1.
    package var part: Int
    /// The number of entries of the run.
    package var parts: Int
    /// The generation of the key.
    package var generation: Int64
    /// The term of the hub that leads.
    package var term: Int64

    /// The maximum number of bytes of the first line.
    package static let maximumBytes = 1_024
    /// The maximum number of entries of a run.
    package static let maximumParts = 1_024

    private struct Line: Decodable {
        var house: HouseID
        var feed: FeedID
        var seq: Int64
        var prev: EntryDigest
        var base: Bool
        var part: [Int]
        var gen: Int64
        var term: Int64
    }

    /// Reads the first line of an entry.
    ///
    /// - Throws: `malformed` if there is no such line, or if a part of it is missing or out of range.
    package init(of entry: Data) throws(RelayError) {
        let start = entry.prefix(Self.maximumBytes + 1)
        guard let end = start.firstIndex(of: UInt8(ascii: "\n")) else {
            throw .malformed("The entry's first line must end within \(Self.maximumBytes) bytes.")
        }
        let line: Line
        do {
            line = try JSONDecoder().decode(Line.self, from: Data(start[..<end]))
        } catch {
            throw .malformed("The entry's first line can't be read as the JSON of a header.")
        }
        guard line.part.count == 2, (1...Self.maximumParts).contains(line.part[1]),
            (1...line.part[1]).contains(line.part[0])
        else { throw .malformed("The entry's “part” must be [number, count] with at most \(Self.maximumParts).") }
        guard line.seq >= 1, line.gen >= 0, line.term >= 0, line.seq < RelayLimits.maximumNumber,
            line.gen < RelayLimits.maximumNumber, line.term < RelayLimits.maximumNumber
        else { throw .malformed("The entry's “seq”, “gen” or “term” is out of range.") }
        house = line.house
        feed = line.feed
        seq = line.seq
        prev = line.prev
        isBase = line.base
        part = line.part[0]
        parts = line.part[1]
        generation = line.gen
        term = line.term
    }
}
