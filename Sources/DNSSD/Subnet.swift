/// An address of an interface together with how many of its first bits name the network that the interface is on.
public struct Subnet: Hashable, Sendable, CustomStringConvertible {
    /// The interface's address in the network.
    public let address: IPAddress
    /// How many bits name the network: 0 to 32 for IPv4, 0 to 128 for IPv6.
    public let prefixLength: Int

    /// Creates a subnet; `nil` if the address does not have so many bits.
    public init?(address: IPAddress, prefixLength: Int) {
        guard (0...address.bytes.count * UInt8.bitWidth).contains(prefixLength) else { return nil }
        self.address = address
        self.prefixLength = prefixLength
    }

    /// Whether an address is in the network.
    public func contains(_ other: IPAddress) -> Bool {
        let (own, foreign) = (address.bytes, other.bytes)
        guard own.count == foreign.count else { return false }
        let (whole, rest) = prefixLength.quotientAndRemainder(dividingBy: UInt8.bitWidth)
        guard own.prefix(whole) == foreign.prefix(whole) else { return false }
        return rest == 0 || (own[whole] ^ foreign[whole]) >> UInt8(UInt8.bitWidth - rest) == 0
    }

    /// The usual text form, such as `192.168.1.20/24`.
    public var description: String { "\(address)/\(prefixLength)" }
}
