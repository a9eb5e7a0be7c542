import Crypto
package import Foundation

/// The SHA-256 digest of all bytes of an entry, by which the next entry names it.
package struct EntryHash: HexID {
    package static let byteCount = 32
    /// What the first entry of a feed names as its predecessor.
    package static let none = EntryHash(exactly: [UInt8](repeating: 0, count: byteCount))

    package let bytes: [UInt8]

    package init(exactly bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Computes the hash of an entry.
    package init(of entry: Data) {
        bytes = Array(SHA256.hash(data: entry))
    }
}
