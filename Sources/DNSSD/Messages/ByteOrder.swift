extension FixedWidthInteger {
    /// The bytes of the number in network order.
    var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}
