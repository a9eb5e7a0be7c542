/// A DNS message.
struct DNSMessage: Hashable, Sendable {
    /// The header flags that multicast DNS uses (RFC 1035 section 4.1.1, RFC 6762 section 18).
    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt16
    }

    /// The ID of the query; 0 except in exchanges with plain DNS queriers.
    var id: UInt16 = 0
    /// The flags.
    var flags: Flags
    /// The questions.
    var questions: [DNSQuestion] = []
    /// The answers; in a query, the known answers.
    var answers: [ResourceRecord] = []
    /// In a probe, the claimed records.
    var authorities: [ResourceRecord] = []
    /// Records that the receiver is likely to query next.
    var additionals: [ResourceRecord] = []

    /// Whether this is a response.
    var isResponse: Bool { flags.contains(.response) }

    /// Whether the message should be processed: other operations and errors are ignored (RFC 6762 sections 18.3,
    /// 18.11).
    var isMulticastDNS: Bool { flags.isDisjoint(with: [.operationMask, .errorMask]) }
}
