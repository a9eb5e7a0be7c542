package import Foundation
package import HomeIdentity

/// An entry whose header fits where it is to be appended, with its hash.
package struct CheckedEntry: Hashable, Sendable {
    /// What the header says.
    package let header: RelayedEntryHeader
    /// The hash.
    package let hash: EntryDigest
    /// The entry.
    package let bytes: Data

    /// Checks an entry.
    ///
    /// - Throws: `malformed` if the header says otherwise than the item.
    package init(_ item: AppendItem, in house: HouseID) throws(RelayError) {
        let header = try RelayedEntryHeader(of: item.bytes)
        guard header.house == house else { throw .malformed("The entry is of another house.") }
        guard header.feed == item.feed else { throw .malformed("The entry is of another feed.") }
        guard header.seq - 1 == item.expect else { throw .malformed("The entry's “seq” isn't the one after “expect”.") }
        guard header.prev == item.prev else { throw .malformed("The entry's “prev” isn't that of the item.") }
        guard header.term == item.term else { throw .malformed("The entry's “term” isn't that of the item.") }
        guard header.seq > 1 || header.prev == .zero else {
            throw .malformed("The “prev” of a feed's first entry is zeros.")
        }
        self.header = header
        hash = EntryDigest(of: item.bytes)
        bytes = item.bytes
    }
}
