/// Says which network interface to use: by its name (`eth0`, `lo`) or by one of its addresses (`192.168.1.20`,
/// `127.0.0.1`).
///
/// Selected by name, an interface is used with every address it has. Selected by address, it is used with that address
/// only: packets leave from it and it is the one that is advertised.
public struct InterfaceSelector: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    enum Choice: Hashable, Sendable {
        case name(String)
        case address(IPAddress)
    }

    let choice: Choice

    /// Creates a selector from a command line word: an IP address if it reads as one, otherwise a name.
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

    /// The loopback interface with the address 127.0.0.1.
    public static let loopback = InterfaceSelector("127.0.0.1")

    /// The name or address as it was given.
    public var description: String {
        switch choice {
        case .name(let name): name
        case .address(let address): address.description
        }
    }
}
