import Foundation
import HomeIdentity
import SealedFeed

/// What an honest relay has of one feed.
struct RelayMemory {
    var entries: [[UInt8]] = []
    var envelopes: [Envelope] = []
    var lists: [SealedHubLists] = []

    var head: RelayHead {
        RelayHead(sequence: entries.count, digest: entries.last.map { EntryDigest(of: $0) } ?? .zero)
    }

    /// The number of the first entry of the last base that is complete.
    var base: Int {
        let end = entries.lastIndex { bytes in
            guard let header = FeedEntry(bytes)?.header else { return false }
            return header.isBase && header.part.isLast
        }
        guard let end, let header = FeedEntry(entries[end])?.header else { return 1 }
        return end + 2 - header.part.count
    }

    func entries(after number: Int) -> [[UInt8]] { Array(entries.dropFirst(max(0, number))) }

    /// Appends an entry.
    ///
    /// - Throws: ``Refusal`` if it doesn't follow the head.
    mutating func add(_ entry: FeedEntry) throws {
        guard entry.header.sequence == entries.count + 1, entry.header.previous == head.digest else { throw Refusal() }
        entries.append(entry.bytes)
    }

    struct Refusal: Error {}

    func hubLists(of generation: Int, to device: UUID) -> SealedHubLists? {
        lists.last { $0.generation == generation && $0.device == device }
    }

    func envelope(of generation: Int, to device: UUID) -> Envelope? {
        envelopes.last { $0.generation == generation && $0.device == device }
    }
}
