package import AirPlay
internal import Foundation

/// What an app reports about what it plays.
package struct NowPlayingReport: Hashable, Sendable {
    /// The names.
    package var track = TrackMetadata()
    /// The picture, or `nil` if there is none.
    package var artwork: Artwork?
    /// The time that had been heard when the report was made, in seconds, or `nil` if the app doesn't report it.
    package var elapsed: Double?
    /// The duration in seconds, or `nil` if the app doesn't report it.
    package var duration: Double?
    /// The speed; 0 if playback is paused.
    package var rate = 1.0
    private let date = ContinuousClock.now

    /// Creates an empty report of this moment.
    package init() {}

    /// The time that has been heard by now, in seconds. `nil` if the app doesn't report it.
    var position: Double? {
        guard let elapsed else { return nil }
        let (seconds, attoseconds) = date.duration(to: .now).components
        let since = Double(seconds) + Double(attoseconds) / 1e18
        let end = duration.flatMap { $0 > 0 ? $0 : nil } ?? .infinity
        return min(max(elapsed + since * rate, 0), end)
    }

    /// The frames that have been heard by now, and the number of frames. `nil` if the app doesn't report both times.
    var progress: (elapsed: Int, duration: Int)? {
        guard let position, let duration, duration > 0 else { return nil }
        // The receiver's numbers of frames have 32 bits.
        guard duration < 48_000 else { return nil }
        return (Int(position * Double(AudioFormat.sampleRate)), Int(duration * Double(AudioFormat.sampleRate)))
    }
}
