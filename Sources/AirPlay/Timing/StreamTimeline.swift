/// The relation of a stream's frames and the sender's clock.
///
/// Senders with the same timeline play in step: all of them say that the same frame is due at the same time.
package struct StreamTimeline: Hashable, Sendable {
    /// The position of the first packet.
    package let first: StreamPosition
    /// The time at which the first packet is sent.
    package let start: NTPTime

    /// Creates a timeline.
    package init(first: StreamPosition, start: NTPTime) {
        (self.first, self.start) = (first, start)
    }

    /// Returns the time at which a frame is sent.
    package func time(of timestamp: UInt32) -> NTPTime {
        let frames = Int64(timestamp &- first.timestamp)
        return start.advanced(byNanoseconds: frames * 1_000_000_000 / Int64(AudioFormat.sampleRate))
    }

    /// Returns the frame that is sent at a time. It is the first one before the start.
    package func timestamp(at now: NTPTime) -> UInt32 {
        first.timestamp &+ UInt32(truncatingIfNeeded: frame(at: now))
    }

    /// Returns the number of the packet that is sent at a time, counted from 0.
    package func packet(at now: NTPTime) -> Int {
        Int(frame(at: now)) / AudioFormat.framesPerPacket
    }

    /// Returns the position of a packet, counted from 0.
    package func position(ofPacket number: Int) -> StreamPosition {
        first.advanced(byPackets: number)
    }

    private func frame(at now: NTPTime) -> Int64 {
        let (seconds, rest) = max(0, now.nanoseconds(since: start)).quotientAndRemainder(dividingBy: 1_000_000_000)
        let rate = Int64(AudioFormat.sampleRate)
        return seconds * rate + rest * rate / 1_000_000_000
    }
}

extension StreamPosition {
    /// Returns the position that is a number of packets later.
    package func advanced(byPackets number: Int) -> StreamPosition {
        StreamPosition(
            sequence: sequence &+ UInt16(truncatingIfNeeded: number),
            timestamp: timestamp &+ UInt32(truncatingIfNeeded: number * AudioFormat.framesPerPacket)
        )
    }
}
