/// The address and UDP port that a packet came from.
struct Endpoint: Hashable, Sendable {
    let address: IPAddress
    let port: UInt16

    /// Whether it is a multicast DNS querier or responder; anything else is a plain DNS querier (RFC 6762 section 6.7).
    var speaksMulticastDNS: Bool { port == MulticastEndpoint.port }
}

/// A message to be sent, and to whom.
struct Outgoing: Hashable, Sendable {
    /// Where a message goes.
    enum Destination: Hashable, Sendable {
        /// To everyone on the link.
        case group
        /// To one host.
        case unicast(Endpoint)
    }

    var message: DNSMessage
    var destination = Destination.group
    /// Whether the reader is a plain DNS querier.
    var isLegacy = false
}
