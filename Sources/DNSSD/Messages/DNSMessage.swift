/// A DNS message.
struct DNSMessage: Hashable, Sendable {
    /// The flags of the header that multicast DNS looks at (RFC 1035 section 4.1.1, RFC 6762 section 18).
    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt16
    }

    /// The number of the query; 0 except in exchanges with plain DNS queriers.
    var id: UInt16 = 0
    /// The flags.
    var flags: Flags
    /// What is asked.
    var questions: [DNSQuestion] = []
    /// Answers, or in a query the answers already known.
    var answers: [ResourceRecord] = []
    /// In a probe, the records that are claimed.
    var authorities: [ResourceRecord] = []
    /// Records that the reader is likely to ask for next.
    var additionals: [ResourceRecord] = []

    /// Whether this is a response.
    var isResponse: Bool { flags.contains(.response) }

    /// Whether this message is to be looked at: other operations and errors are ignored (RFC 6762 sections 18.3, 18.11).
    var isMulticastDNS: Bool { flags.isDisjoint(with: [.operationMask, .errorMask]) }
}
