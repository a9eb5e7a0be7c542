/// The relation of frames and our time, from the latest sync packet and the sender's clock.
package struct PlaybackSchedule: Hashable, Sendable {
    /// A frame.
    package let frame: UInt32
    /// The time at which it plays.
    package let time: NTPTime
    private let sampleRate: Int

    /// Creates a schedule.
    package init(frame: UInt32, time: NTPTime, sampleRate: Int) {
        self.frame = frame
        self.time = time
        self.sampleRate = sampleRate
    }

    /// Creates a schedule from a sync packet. Returns `nil` if the sender's clock isn't known.
    package init?(_ sync: SyncPacket, _ clock: SenderClock, sampleRate: Int) {
        guard let time = clock.local(sync.time) else { return nil }
        self.init(frame: sync.playing, time: time, sampleRate: sampleRate)
    }

    /// Returns the time at which a frame plays. Frames are at most half of their numbers away.
    package func time(of frame: UInt32) -> NTPTime {
        let distance = Int64(Int32(bitPattern: frame &- self.frame))
        return time.advanced(byNanoseconds: distance * 1_000_000_000 / Int64(sampleRate))
    }

    /// Returns the frame that plays at a time.
    package func frame(at now: NTPTime) -> UInt32 {
        let seconds = Double(now.nanoseconds(since: time)) / 1e9
        let distance = (seconds * Double(sampleRate)).rounded(.down)
        guard distance.magnitude < Double(Int32.max) else { return frame }
        return frame &+ UInt32(bitPattern: Int32(distance))
    }
}
