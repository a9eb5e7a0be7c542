/// An interface as the protocol sees it: a link on which names are unique.
struct LinkDescription: Hashable, Sendable {
    /// The system's number of the interface.
    let index: UInt32
    /// The system's name of the interface.
    let name: String
    /// The addresses that this host gives for itself on the link.
    let addresses: [IPAddress]
    /// Whether packets never leave this host.
    let isLoopback: Bool
}
