/// The source address and UDP port of a packet.
struct Endpoint: Hashable, Sendable {
    let address: IPAddress
    let port: UInt16

    /// Whether the sender uses multicast DNS; otherwise, it is a plain DNS querier (RFC 6762 section 6.7).
    var speaksMulticastDNS: Bool { port == MulticastEndpoint.port }
}

/// A message to send, with its destination.
struct Outgoing: Hashable, Sendable {
    /// The destination of a message.
    enum Destination: Hashable, Sendable {
        /// All hosts on the link.
        case group
        /// One host.
        case unicast(Endpoint)
    }

    var message: DNSMessage
    var destination = Destination.group
    /// Whether the receiver is a plain DNS querier.
    var isLegacy = false
}
