package import Foundation
import HAP
import HomeIdentity

/// The plaintext of an entry, or of several that belong together: events as on a connection to the hub, and the position
/// that a reader has with them.
package struct FeedContent: Hashable, Sendable {
    private struct Head: Decodable {
        var seen: FeedCursors
        var homeKeys: FeedHomeKeys?
        var run: UUID?
    }

    /// The position in each log after the events.
    package var seen: FeedCursors
    /// The alias keys of all homes; `nil` if they are the same as before. A base has them.
    package var homeKeys: FeedHomeKeys?
    /// The run of the hub that wrote this, from which the hub knows its own entries from those of a copy of its data; `nil` if
    /// the hub's version had none. Readers don't need it.
    package var run: UUID?
    /// The events, each as a connection carries it, without the line feed at its end. That of a base is one `reset`.
    package var events: [[UInt8]]

    /// Creates a content.
    package init(seen: FeedCursors, homeKeys: FeedHomeKeys? = nil, run: UUID? = nil, events: [[UInt8]]) {
        self.seen = seen
        self.homeKeys = homeKeys
        self.run = run
        self.events = events
    }

    /// Reads a content. Returns `nil` if the first line isn't a position, or the last line has no end.
    package init?(_ bytes: [UInt8]) {
        guard bytes.last == LineJSON.lineFeed else { return nil }
        var lines = bytes.dropLast().split(separator: LineJSON.lineFeed, omittingEmptySubsequences: false)
        guard let head = LineJSON.decode(Head.self, from: Array(lines.removeFirst())) else { return nil }
        self.init(seen: head.seen, homeKeys: head.homeKeys, run: head.run, events: lines.map(Array.init))
    }

    /// The content as lines.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let homeKeys {
                writer.key("homeKeys")
                homeKeys.write(to: &writer)
            }
            if let run { writer.member("run", run.uuidString) }
            writer.key("seen")
            seen.write(to: &writer)
        }
        var bytes = writer.bytes
        bytes.reserveCapacity(events.reduce(bytes.count + 1) { $0 + $1.count + 1 })
        bytes.append(LineJSON.lineFeed)
        for event in events {
            bytes += event
            bytes.append(LineJSON.lineFeed)
        }
        return bytes
    }
}
