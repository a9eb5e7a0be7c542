/// The receiver's knowledge of the sender's clock, from the packets of the timing port.
///
/// Of the last replies, the one with the shortest round trip counts, because its time is the most exact.
package struct SenderClock: Sendable {
    /// The time between two requests.
    package static let interval = Duration.seconds(3)
    /// The time between two requests before the first replies.
    package static let firstInterval = Duration.milliseconds(300)
    private static let historyLength = 8
    /// The round trip above which a reply is worthless, in nanoseconds.
    private static let roundTripLimit: Int64 = 2_000_000_000

    private struct Measurement {
        var offset: Int64
        var roundTrip: Int64
    }

    private var measurements: [Measurement] = []
    private var pending: NTPTime?

    /// Creates a clock about which nothing is known.
    package init() {}

    /// The sender's time minus ours, in nanoseconds, or `nil` if no reply has been received.
    package var offset: Int64? {
        measurements.min { $0.roundTrip < $1.roundTrip }?.offset
    }

    /// Whether enough replies have been received to ask less often.
    package var isSettled: Bool { measurements.count >= 3 }

    /// Returns the request to send.
    package mutating func request(at now: NTPTime) -> TimingPacket {
        pending = now
        return .request(at: now)
    }

    /// Takes a reply. Replies to requests other than the latest are ignored.
    package mutating func receive(_ packet: TimingPacket, at now: NTPTime) {
        guard packet.isReply, let pending, packet.requested == pending else { return }
        self.pending = nil
        let there = packet.received.nanoseconds(since: pending)
        let back = packet.sent.nanoseconds(since: now)
        let roundTrip = now.nanoseconds(since: pending)
        guard (0...Self.roundTripLimit).contains(roundTrip), there != .min, there != .max, back != .min, back != .max
        else { return }
        measurements.append(Measurement(offset: there / 2 + back / 2, roundTrip: roundTrip))
        if measurements.count > Self.historyLength { measurements.removeFirst() }
    }

    /// Returns our time at a time of the sender, or `nil` if no reply has been received.
    package func local(_ time: NTPTime) -> NTPTime? {
        offset.map { time.advanced(byNanoseconds: -$0) }
    }
}
