/// The ID of a feed, which the hub chooses at random.
package struct FeedID: HexadecimalID {
    /// The number of bytes of an ID.
    package static let byteCount = 16

    /// The 16 bytes.
    package let bytes: [UInt8]

    /// Creates an ID from its bytes. Returns `nil` unless there are 16.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}
