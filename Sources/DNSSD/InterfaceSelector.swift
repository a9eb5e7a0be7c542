/// Selects a network interface by its name (`eth0`, `lo`) or by one of its addresses (`192.168.1.20`, `127.0.0.1`).
///
/// An interface selected by name is used with all its addresses. An interface selected by address is used with that
/// address only: packets are sent from it, and only it is advertised.
public struct InterfaceSelector: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    enum Choice: Hashable, Sendable {
        case name(String)
        case address(IPAddress)
    }

    let choice: Choice

    /// Creates a selector from a command-line argument: an IP address if it can be parsed as one, otherwise a name.
    public init(_ text: String) {
        choice = IPAddress(text).map(Choice.address) ?? .name(text)
    }

    /// Selects the interface that has this address.
    public init(address: IPAddress) {
        choice = .address(address)
    }

    /// Creates a selector as ``init(_:)`` does.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Selects the loopback interface with the address 127.0.0.1.
    public static let loopback = InterfaceSelector("127.0.0.1")

    /// The name or address of the selector.
    public var description: String {
        switch choice {
        case .name(let name): name
        case .address(let address): address.description
        }
    }
}
