package import Foundation
import HomeIdentity

/// The body of a request to append entries, of one or several feeds. Each item is
/// `feed(16) expect(8) prev(32) term(8) length(4) bytes`, with numbers in big endian.
package struct AppendRequest: Hashable, Sendable {
    /// The items. Those of one feed are appended in their order.
    package var items: [AppendItem]

    /// Creates a request.
    package init(_ items: [AppendItem]) {
        self.items = items
    }

    /// The number of bytes of the body.
    package var encodedCount: Int {
        let overhead =
            FeedID.byteCount + EntryDigest.byteCount + 2 * MemoryLayout<Int64>.size + MemoryLayout<UInt32>.size
        return items.reduce(0) { $0 + overhead + $1.bytes.count }
    }

    /// The body.
    package var encoded: Data {
        var data = Data()
        for item in items {
            data.append(contentsOf: item.feed.bytes)
            data.append(bigEndian: item.expect)
            data.append(contentsOf: item.prev.bytes)
            data.append(bigEndian: item.term)
            data.append(bigEndian: UInt32(item.bytes.count))
            data.append(item.bytes)
        }
        return data
    }

    /// Reads a body.
    ///
    /// - Throws: `malformed` or `tooLarge`.
    package init(decoding data: Data) throws(RelayError) {
        var reader = ByteReader(data)
        var items: [AppendItem] = []
        while !reader.isAtEnd {
            guard items.count < RelayLimits.itemsPerAppend else {
                throw RelayError(.tooLarge, "A request appends at most \(RelayLimits.itemsPerAppend) entries.")
            }
            guard let feed = reader.id(FeedID.self), let expect = reader.integer(Int64.self),
                let prev = reader.id(EntryDigest.self), let term = reader.integer(Int64.self),
                let length = reader.integer(UInt32.self)
            else { throw .malformed("An item is cut off.") }
            guard length <= RelayLimits.entryBytes else {
                throw RelayError(.tooLarge, "An entry has at most \(RelayLimits.entryBytes) bytes.")
            }
            guard let bytes = reader.bytes(Int(length)) else { throw .malformed("An entry is cut off.") }
            items.append(AppendItem(feed: feed, expect: expect, prev: prev, term: term, bytes: bytes))
        }
        guard !items.isEmpty else { throw .malformed("The request has no entries.") }
        self.items = items
    }
}
