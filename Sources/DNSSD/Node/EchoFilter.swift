/// Recognizes this host's own packets, which are looped back by multicast and may be repeated by reflectors.
///
/// An own packet is processed like any other, except that it never causes a conflict: it may be older than this host's
/// current records.
struct EchoFilter {
    /// The time for which a packet is recognized.
    static let memory: Duration = .seconds(2)

    private var sent: [[UInt8]: Instant] = [:]
    private var nextCleaning = Instant(sinceStart: .zero)

    /// Records a packet that is about to be sent.
    mutating func record(_ packet: [UInt8], at now: Instant) {
        if nextCleaning <= now {
            sent = sent.filter { $0.value > now }
            nextCleaning = now.advanced(by: Self.memory)
        }
        sent[packet] = now.advanced(by: Self.memory)
    }

    /// Returns whether a packet has exactly the bytes of one that was sent.
    func isEcho(_ packet: [UInt8], at now: Instant) -> Bool {
        sent[packet].map { $0 > now } ?? false
    }
}
