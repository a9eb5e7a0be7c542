import Crypto
package import Foundation

/// The SHA-256 digest of all of an entry's bytes. The next entry has it, so that entries form a chain.
package struct EntryDigest: HexadecimalID {
    /// The number of bytes of a digest.
    package static let byteCount = 32
    /// The digest before the first entry.
    package static let zero = EntryDigest(unchecked: [UInt8](repeating: 0, count: byteCount))

    /// The 32 bytes.
    package let bytes: [UInt8]

    /// Creates a digest from its bytes. Returns `nil` unless there are 32.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Computes the digest of an entry.
    package init(of entry: some DataProtocol) {
        bytes = Array(SHA256.hash(data: entry))
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }
}
