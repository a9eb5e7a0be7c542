package import Foundation
package import HomeIdentity

/// What a relay tells the readers of a feed about it.
package struct FeedStatus: Hashable, Sendable, Codable {
    /// The number of the last entry; 0 for none.
    package var seq: Int64
    /// The hash of the last entry.
    package var head: EntryDigest
    /// The generation of the last entry.
    package var gen: Int64
    /// The number of the first entry of the last whole base; 0 for none.
    package var base: Int64
    /// The last beat, as the hub signed it; `nil` for none.
    package var beat: Data?
    /// When the house will be removed because nothing is written to it, in milliseconds since 1970. `nil` unless that is
    /// soon.
    package var expires: Int64?

    /// Creates a status.
    package init(seq: Int64, head: EntryDigest, gen: Int64, base: Int64, beat: Data? = nil, expires: Int64? = nil) {
        self.seq = seq
        self.head = head
        self.gen = gen
        self.base = base
        self.beat = beat
        self.expires = expires
    }
}
