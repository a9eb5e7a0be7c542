/// The ID of a house at a relay: a hub and all its feeds. The hub chooses it at random.
package struct HouseID: HexadecimalID {
    /// The number of bytes of an ID.
    package static let byteCount = 8

    /// The 8 bytes.
    package let bytes: [UInt8]

    /// Creates an ID from its bytes. Returns `nil` unless there are 8.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}
