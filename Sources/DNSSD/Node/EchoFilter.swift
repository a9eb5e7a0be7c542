/// Recognises this host's own packets, which multicast loops back to it and reflectors may repeat.
///
/// An own packet is a message like any other, except that it is never in conflict with us: it may be older than the
/// records that we have by now.
struct EchoFilter {
    /// For how long a packet is recognised.
    static let memory: Duration = .seconds(2)

    private var sent: [[UInt8]: Instant] = [:]
    private var nextCleaning = Instant(sinceStart: .zero)

    /// Notes a packet that is about to be sent.
    mutating func note(_ packet: [UInt8], at now: Instant) {
        if nextCleaning <= now {
            sent = sent.filter { $0.value > now }
            nextCleaning = now.advanced(by: Self.memory)
        }
        sent[packet] = now.advanced(by: Self.memory)
    }

    /// Whether a packet has the very bytes of one that was sent.
    func isEcho(_ packet: [UInt8], at now: Instant) -> Bool {
        sent[packet].map { $0 > now } ?? false
    }
}
