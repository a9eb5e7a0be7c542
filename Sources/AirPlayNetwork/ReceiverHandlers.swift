package import AirPlay

/// The closures that take what a receiver gets. They are called on the receiver's event loop, one after the other, and
/// must not block.
package struct ReceiverHandlers: Sendable {
    /// Takes samples: 44,100 frames a second, two channels, 16 bits with the least significant byte first.
    ///
    /// They come as soon as their order is restored, which is before they are due. The volume isn't applied.
    package var audio: @Sendable (_ samples: [UInt8]) -> Void
    /// Takes the same samples, with the times at which they are due.
    package var timedAudio: @Sendable (TimedSamples) -> Void
    /// Takes events.
    package var event: @Sendable (ReceiverEvent) -> Void
    /// Takes events of pairing.
    package var pairing: @Sendable (PairingEvent) -> Void

    /// Creates closures.
    package init(
        audio: @escaping @Sendable (_ samples: [UInt8]) -> Void,
        timedAudio: @escaping @Sendable (TimedSamples) -> Void = { _ in },
        event: @escaping @Sendable (ReceiverEvent) -> Void = { _ in },
        pairing: @escaping @Sendable (PairingEvent) -> Void = { _ in }
    ) {
        self.audio = audio
        self.timedAudio = timedAudio
        self.event = event
        self.pairing = pairing
    }
}

/// Samples with the times at which they are due.
package struct TimedSamples: Sendable {
    /// The samples.
    package var samples: [UInt8]
    /// The number of the first frame.
    package var timestamp: UInt32
    /// Which frame plays when, by ``MonotonicClock``, or `nil` if it isn't known yet.
    package var schedule: PlaybackSchedule?
}

/// An event of a receiver's pairing.
package enum PairingEvent: Sendable {
    /// A sender asks for a PIN, which the user must be shown.
    case pinNeeded(PairingPIN, sender: String)
    /// A sender has been paired. The pairings must be kept, or it must pair again after a restart.
    case paired(ReceiverPairings, sender: String)
}

/// An event of a receiver.
package enum ReceiverEvent: Hashable, Sendable {
    /// A sender plays.
    case started(sender: String)
    /// What plays, or the volume, has changed.
    case nowPlaying(NowPlaying)
    /// The sender discarded what hasn't been played.
    case flushed
    /// The stream has ended.
    case ended(StreamStatistics)
    /// A request was refused.
    case refused(ReceiverProblem, sender: String)
    /// A connection was closed because its bytes aren't requests, or exceed a limit.
    case malformed(String, sender: String)
}
