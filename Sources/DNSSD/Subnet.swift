/// An address of an interface with the prefix length of its network.
public struct Subnet: Hashable, Sendable, CustomStringConvertible {
    /// The interface's address in the network.
    public let address: IPAddress
    /// The number of bits of the network prefix: 0 to 32 for IPv4, 0 to 128 for IPv6.
    public let prefixLength: Int

    /// Creates a subnet; `nil` if the prefix is longer than the address.
    public init?(address: IPAddress, prefixLength: Int) {
        guard (0...address.bytes.count * UInt8.bitWidth).contains(prefixLength) else { return nil }
        self.address = address
        self.prefixLength = prefixLength
    }

    /// Returns whether an address is in the network.
    public func contains(_ other: IPAddress) -> Bool {
        let (own, others) = (address.bytes, other.bytes)
        guard own.count == others.count else { return false }
        let (whole, rest) = prefixLength.quotientAndRemainder(dividingBy: UInt8.bitWidth)
        guard own.prefix(whole) == others.prefix(whole) else { return false }
        return rest == 0 || (own[whole] ^ others[whole]) >> UInt8(UInt8.bitWidth - rest) == 0
    }

    /// The usual text form, such as `192.168.1.20/24`.
    public var description: String { "\(address)/\(prefixLength)" }
}
